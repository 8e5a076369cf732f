internal import ListDiffing

/// One version of a derived list: the result of the transformation for each row of the source, in
/// the source's order.
///
/// It is immutable. The next version shares its unchanged parts.
final class DerivedContent<Row: Diffable & Sendable>: ListContent, DerivedVersion {
  let sections: CountedTree<DerivedCells<Row>>
  let version: Int64
  let count: Int
  let isSectioned: Bool
  let movable: MovableSections?

  /// Creates a version in which `count` rows are included.
  init(
    _ sections: CountedTree<DerivedCells<Row>>, count: Int, of source: some ListContent,
    movable: MovableSections? = nil
  ) {
    self.sections = sections
    self.count = count
    self.movable = movable
    version = source.version
    isSectioned = source.isSectioned
  }

  /// Creates the first version by calling `transform` for each row of a list.
  ///
  /// - Complexity: O(n), and one call of `transform` for each row.
  convenience init<Input>(
    _ source: some ListContent<Input>, _ transform: (Input) -> Row?
  ) {
    let sections = (0..<source.sectionCount).map { section in
      DerivedCells(
        header: source.header(section),
        cells: CountedTree(source.rows(section).map { DerivedCell(row: transform($0)) }))
    }
    self.init(
      CountedTree(sections), count: sections.reduce(0) { $0 + $1.cells.includedCount },
      of: source)
  }

  var key: ListKey { ListKey(self) }
  var sectionCount: Int { sections.includedCount }

  func header(_ section: Int) -> ListHeader { sections.included(at: section).header }

  func rowCount(_ section: Int) -> Int { sections.included(at: section).cells.includedCount }

  func row(at path: ListPath) -> Row {
    guard let row = sections.included(at: path.section).cells.included(at: path.row).row else {
      preconditionFailure("An included cell has no row")
    }
    return row
  }

  func rows(_ section: Int) -> [Row] {
    var rows: [Row] = []
    let cells = sections.included(at: section).cells
    rows.reserveCapacity(cells.includedCount)
    cells.forEach { cell in
      if let row = cell.row { rows.append(row) }
    }
    return rows
  }
}
