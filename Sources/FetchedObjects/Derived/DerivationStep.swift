internal import ListDiffing

/// Brings a derived list up to date with an event of its source, and finds what changes in it.
///
/// - Complexity: O(*k* log *n*) for *k* changes of a source of *n* rows, and one call of `transform` for
///   each row that came, moved or was updated.
struct DerivationStep<Row: Diffable & Sendable> {
  /// A row of the source that changed, and what was and is made of it.
  struct Touched {
    let oldPath: ListPath?
    let newPath: ListPath?
    let before: Row?
    let after: Row?
    /// Whether both are the same row, with the same content.
    var isEqual = false
    /// Whether both are the same row.
    var isSame = false
  }

  let source: ListChanges
  let before: KeptTree<DerivedCells<Row>>
  private(set) var after: KeptTree<DerivedCells<Row>>
  private(set) var touched: [Touched] = []
  let positions: SectionPositions
  /// Whether any row and section may move.
  let isWhole: Bool

  /// Takes in the changes of the source.
  ///
  /// - Parameters:
  ///   - event: what happened to the source.
  ///   - before: what was made of it before.
  ///   - isFilter: whether `transform` gives a row as it is, or nothing.
  ///   - transform: makes a row, or nothing.
  init<Input>(
    _ event: ListEvent<Input>, of before: KeptTree<DerivedCells<Row>>,
    isFilter: Bool, _ transform: (Input) -> Row?
  ) {
    source = event.changes
    isWhole = event.isWhole
    self.before = before
    after = before
    positions = SectionPositions(source)
    for change in source.updates {
      touch(change.old, change.new, event, transform)
      // The row is the source's own, and the source says that it differs.
      if isFilter { touched[touched.count - 1].isEqual = false }
    }
    for change in source.moves { touch(change.old, change.new, event, transform) }
    for path in source.deletes { touch(path, nil, event, transform) }
    for path in source.inserts { touch(nil, path, event, transform) }
    apply(event.after)
    if isWhole { touchUnnamed() }
  }

  /// Makes all other rows candidates for a move, though they are what they were.
  private mutating func touchUnnamed() {
    let rows = UnnamedRows(source, positions)
    for section in 0..<before.count {
      let cells = before[section].cells
      rows.forEach(ofSection: section, count: cells.count) { old, new in
        guard let row = cells[old.row].row else { return }
        touched.append(
          Touched(
            oldPath: old, newPath: new, before: row, after: row, isEqual: true, isSame: true))
      }
    }
  }

  private mutating func touch<Input>(
    _ old: ListPath?, _ new: ListPath?, _ event: ListEvent<Input>, _ transform: (Input) -> Row?
  ) {
    let before = old.flatMap { self.before[$0.section].cells[$0.row].row }
    var after = new.flatMap { transform(event.after.row(at: $0)) }
    var (isSame, isEqual) = (false, false)
    if let old = before, let new = after, old.diffIdentifier == new.diffIdentifier {
      isSame = true
      isEqual = old.isContentEqual(to: new)
      // What is told as unchanged is unchanged, also in what isn't content.
      if isEqual && !isWhole { after = before }
    }
    touched.append(
      Touched(
        oldPath: old, newPath: new, before: before, after: after, isEqual: isEqual, isSame: isSame))
  }

  // MARK: The list after

  /// Makes the source's changes, in the order of D2.
  private mutating func apply(_ content: any ListContent) {
    let updates = touched[..<source.updates.count]
    for row in updates where !row.isEqual && (row.before != nil || row.after != nil) {
      guard let path = row.oldPath else { continue }
      after.update(at: path.section) {
        $0.cells.update(at: path.row) { $0.row = row.after }
      }
    }
    let others = touched[source.updates.count...]
    for path in others.compactMap({ $0.oldPath }).sorted(by: >) {
      after.update(at: path.section) { $0.cells.remove(at: path.row) }
    }
    applySections(content)
    let added = others.compactMap { row in row.newPath.map { ($0, row.after) } }
    for (path, row) in added.sorted(by: { $0.0 < $1.0 }) {
      after.update(at: path.section) {
        $0.cells.insert(DerivedCell(row: row), at: path.row)
      }
    }
    refreshHeaders(content)
  }

  private mutating func applySections(_ content: any ListContent) {
    guard source.hasSectionChanges else { return }
    var moved: [Int: DerivedCells<Row>] = [:]
    for section in (source.deletedSections + source.movedSections.map(\.old)).sorted(by: >) {
      moved[section] = after.remove(at: section)
    }
    let added =
      source.insertedSections.map { (new: $0, old: Int?.none) }
      + source.movedSections.map { (new: $0.new, old: $0.old) }
    for section in added.sorted(by: { $0.new < $1.new }) {
      let cells = section.old.flatMap { moved[$0] }?.cells ?? KeptTree()
      after.insert(
        DerivedCells(header: content.header(section.new), cells: cells), at: section.new)
    }
  }

  /// Takes in the headers of sections that may have another title or order.
  ///
  /// Where these change, so do all rows of the section.
  private mutating func refreshHeaders(_ content: any ListContent) {
    var sections = Set(touched.compactMap { $0.newPath?.section })
    sections.formUnion(source.updatedSections.map(\.new))
    if isWhole { sections = Set(0..<after.count) }
    for section in sections {
      let header = content.header(section)
      if after[section].header != header { after.update(at: section) { $0.header = header } }
    }
  }

  // MARK: The changes

  /// How many rows the source's changes name.
  private var namedCount: Int {
    source.updates.count + source.moves.count + source.deletes.count + source.inserts.count
  }

  /// How many more rows are kept after than before.
  var countDifference: Int {
    touched.reduce(0) { $0 + ($1.after == nil ? 0 : 1) - ($1.before == nil ? 0 : 1) }
  }

  /// The changes of a list that keeps every row: the source's, but for updates that don't show.
  func changesKeepingAll() -> ListChanges {
    var deletes = source.deletes
    var inserts = source.inserts
    var moves: [PositionChange<ListPath>] = []
    var updates: [PositionChange<ListPath>] = []
    for (index, row) in touched.enumerated() {
      guard let old = row.oldPath, let new = row.newPath else { continue }
      if !row.isSame {
        deletes.append(old)
        inserts.append(new)
      } else if index >= source.updates.count && index < namedCount {
        moves.append(PositionChange(old: old, new: new))
      } else if !row.isEqual {
        updates.append(PositionChange(old: old, new: new))
      }
    }
    return ListChanges(
      deletedSections: source.deletedSections, insertedSections: source.insertedSections,
      movedSections: source.movedSections, updatedSections: source.updatedSections,
      deletes: deletes, inserts: inserts, moves: moves, updates: updates)
  }

  /// The changes of a list that passes over rows.
  func changes() -> ListChanges {
    var settlement = DerivedSettlement(self)
    return settlement.result()
  }
}
