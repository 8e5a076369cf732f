internal import EntityStore
internal import ListDiffing

/// One step of a derived list: it applies an event of the source and finds the changes in the list.
///
/// - Complexity: O(*k* log *n*) for *k* changes of a source of *n* rows, and one call of
///   `transform` for each row that was inserted, moved or updated. If the source, or a part of it,
///   shows another query, *k* is the number of rows of the source, or of the part.
struct DerivationStep<Row: Diffable & Sendable> {
  /// A row of the source that changed, and the rows that were made of it before and after.
  struct Touched {
    let oldPath: ListPath?
    let newPath: ListPath?
    let before: Row?
    let after: Row?
    /// True if both are the same row, with the same content.
    var isEqual = false
    /// True if both are the same row.
    var isSame = false
  }

  let source: ListChanges
  let before: CountedTree<DerivedCells<Row>>
  private(set) var after: CountedTree<DerivedCells<Row>>
  private(set) var touched: [Touched] = []
  let positions: SectionPositions
  /// The sections, shown or not, that have another value of their order.
  private var withOtherOrder: Set<Int> = []
  /// The sections of the source that may move, with any of their rows.
  ///
  /// It is nil if only the sections and rows that the changes name may move.
  let movable: MovableSections?
  private let areObjects = Row.self is any StoredIDRow.Type

  /// Applies the changes of the source.
  ///
  /// If `isFilter` is true, `transform` returns the same row, or nil.
  init<Input>(
    _ event: ShownEvent<Input>, of before: CountedTree<DerivedCells<Row>>,
    isFilter: Bool, _ transform: (Input) -> Row?
  ) {
    source = event.changes
    movable = MovableSections(of: event)
    self.before = before
    after = before
    positions = SectionPositions(source)
    for change in source.updates {
      touch(change.old, change.new, event, transform)
      // The row is that of the source, and the source reports that it differs.
      if isFilter { touched[touched.count - 1].isEqual = false }
    }
    for change in source.moves { touch(change.old, change.new, event, transform) }
    for path in source.deletes { touch(path, nil, event, transform) }
    for path in source.inserts { touch(nil, path, event, transform) }
    apply(event.after.content, event.reordered)
    if let movable { touchUnnamed(movable.before) }
  }

  /// Makes all other rows of some sections candidates for a move, although their content is
  /// unchanged.
  private mutating func touchUnnamed(_ sections: Range<Int>) {
    let rows = UnnamedRows(source, positions)
    for section in sections {
      let cells = before[section].cells
      rows.forEach(ofSection: section, count: cells.count) { old, new in
        guard let row = cells[old.row].row else { return }
        touched.append(
          Touched(
            oldPath: old, newPath: new, before: row, after: row, isEqual: true, isSame: true))
      }
    }
  }

  /// Returns true if two rows have the same identifier, and objects the same stored id (S8).
  private func areSame(_ old: Row, _ new: Row) -> Bool {
    guard areObjects, let old = old as? any StoredIDRow, let new = new as? any StoredIDRow else {
      return old.diffIdentifier == new.diffIdentifier
    }
    return old.storedID == new.storedID
  }

  private mutating func touch<Input>(
    _ old: ListPath?, _ new: ListPath?, _ event: ShownEvent<Input>, _ transform: (Input) -> Row?
  ) {
    let before = old.flatMap { self.before[$0.section].cells[$0.row].row }
    var after = new.flatMap { transform(event.after.content.row(at: $0)) }
    var (isSame, isEqual) = (false, false)
    if let old = before, let new = after, areSame(old, new) {
      isSame = true
      isEqual = old.isContentEqual(to: new)
      // A row that is reported as unchanged stays exactly the same, even in values that aren't
      // content.
      if isEqual { after = before }
    }
    touched.append(
      Touched(
        oldPath: old, newPath: new, before: before, after: after, isEqual: isEqual, isSame: isSame))
  }

  // MARK: The list after

  /// Applies the source's changes, in the order of D2.
  private mutating func apply(_ content: some ListContent, _ sections: Set<Int>) {
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
    refreshHeaders(content, sections)
  }

  private mutating func applySections(_ content: some ListContent) {
    guard source.hasSectionChanges else { return }
    var moved: [Int: DerivedCells<Row>] = [:]
    for section in (source.deletedSections + source.movedSections.map(\.old)).sorted(by: >) {
      moved[section] = after.remove(at: section)
    }
    let added =
      source.insertedSections.map { (new: $0, old: Int?.none) }
      + source.movedSections.map { (new: $0.new, old: $0.old) }
    for section in added.sorted(by: { $0.new < $1.new }) {
      let old = section.old.flatMap { moved[$0] }
      let header = content.header(section.new)
      if let old, old.header.key.order != header.key.order { withOtherOrder.insert(section.new) }
      after.insert(
        DerivedCells(header: header, cells: old?.cells ?? CountedTree()), at: section.new)
    }
  }

  /// Updates the headers of sections that may have another title or order.
  ///
  /// If these change in a result, all rows of the section change, too. In a derived list, `known`
  /// sections may have another order although no row that it shows has changed.
  private mutating func refreshHeaders(_ content: some ListContent, _ known: Set<Int>) {
    var sections = known.union(touched.compactMap { $0.newPath?.section })
    sections.formUnion(source.updatedSections.map(\.new))
    if let movable { sections.formUnion(movable.after) }
    for section in sections {
      let header = content.header(section)
      let old = after[section].header
      if old == header { continue }
      if old.key.order != header.key.order { withOtherOrder.insert(section) }
      after.update(at: section) { $0.header = header }
    }
  }

  // MARK: The changes

  /// The number of rows that the source's changes name.
  private var namedCount: Int {
    source.updates.count + source.moves.count + source.deletes.count + source.inserts.count
  }

  /// The number of included rows after the event minus the number before it.
  var countDifference: Int {
    touched.reduce(0) { $0 + ($1.after == nil ? 0 : 1) - ($1.before == nil ? 0 : 1) }
  }

  /// The positions of the shown sections that have another value of their order.
  var reordered: Set<Int> {
    Set(
      withOtherOrder.lazy.filter { after[$0].isIncluded }.map { after.includedCount(before: $0) })
  }

  /// The sections that may move, by their positions among those that are shown.
  var shownMovable: MovableSections? {
    movable.map { movable in
      MovableSections(
        before: before.includedPositions(in: movable.before),
        after: after.includedPositions(in: movable.after))
    }
  }

  /// Returns the changes of a list that includes every row: those of the source, without updates
  /// that aren't visible.
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

  /// Returns the changes of a list that leaves out rows.
  func changes() -> ListChanges {
    var settlement = DerivedSettlement(self)
    return settlement.result()
  }
}
