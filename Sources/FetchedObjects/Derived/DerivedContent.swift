internal import ListDiffing

/// One version of a list that is derived from another: for each row of the source, in its order, what
/// has been made of it.
///
/// Immutable; the next one shares what is the same.
final class DerivedContent<Row: Sendable>: ListContent {
  let sections: KeptTree<DerivedCells<Row>>
  let version: Int64
  let count: Int

  /// - Parameters:
  ///   - sections: what has been made of the source.
  ///   - count: how many rows are kept.
  ///   - version: the version of the store that the list was last changed by.
  init(_ sections: KeptTree<DerivedCells<Row>>, count: Int, version: Int64) {
    self.sections = sections
    self.count = count
    self.version = version
  }

  /// What `transform` makes of a list.
  ///
  /// - Complexity: O(n), and one call of `transform` for each row.
  convenience init<Input>(
    _ source: some ListContent<Input>, _ transform: (Input) -> Row?
  ) {
    let sections = (0..<source.sectionCount).map { section in
      DerivedCells(
        header: source.header(section),
        cells: KeptTree(source.rows(section).map { DerivedCell(row: transform($0)) }))
    }
    self.init(
      KeptTree(sections), count: sections.reduce(0) { $0 + $1.cells.keptCount },
      version: source.version)
  }

  var key: ListKey { ListKey(self) }
  var sectionCount: Int { sections.keptCount }

  func header(_ section: Int) -> ListHeader { sections.kept(at: section).header }

  func rowCount(_ section: Int) -> Int { sections.kept(at: section).cells.keptCount }

  func row(at path: ListPath) -> Row {
    guard let row = sections.kept(at: path.section).cells.kept(at: path.row).row else {
      preconditionFailure("A kept cell has no row")
    }
    return row
  }

  func rows(_ section: Int) -> [Row] {
    var rows: [Row] = []
    let cells = sections.kept(at: section).cells
    rows.reserveCapacity(cells.keptCount)
    cells.forEach { cell in
      if let row = cell.row { rows.append(row) }
    }
    return rows
  }
}
