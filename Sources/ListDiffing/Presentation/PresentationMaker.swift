/// A builder that turns changes into passes that hosts can take.
struct PresentationMaker {
  let changes: ListChanges
  let sectionCount: Int

  /// For each moved row, and for each moved section, true if its content is new.
  let isMovedRowChanged: [Bool]
  let isMovedHeaderChanged: [Bool]

  /// For each new section, its old position, or nil if it is inserted.
  let origins: [Int?]

  /// For each old section and each new section, true if its rows are inserted, deleted or moved.
  private var isOldTouched: [Bool]
  private var isNewTouched: [Bool]

  private(set) var passes: [ListPresentation.Pass] = []
  private(set) var reloadedRows: [ListPath] = []
  private(set) var reloadedHeaders: [Int] = []

  init(
    _ changes: ListChanges, sectionCount: Int,
    isMovedRowChanged: (PositionChange<ListPath>) -> Bool,
    isMovedHeaderChanged: (PositionChange<Int>) -> Bool
  ) {
    self.changes = changes
    self.sectionCount = sectionCount
    self.isMovedRowChanged = changes.moves.map(isMovedRowChanged)
    self.isMovedHeaderChanged = changes.movedSections.map(isMovedHeaderChanged)
    origins = changes._sectionOrigins(oldCount: sectionCount)
    isOldTouched = [Bool](repeating: false, count: sectionCount)
    isNewTouched = [Bool](repeating: false, count: origins.count)
    for path in changes.deletes { isOldTouched[path.section] = true }
    for path in changes.inserts { isNewTouched[path.section] = true }
    for move in changes.moves {
      isOldTouched[move.old.section] = true
      isNewTouched[move.new.section] = true
    }
  }

  /// Rows and sections that the pass can't move are deleted and inserted.
  ///
  /// If `isReplacing` is true, so are those with new content, so that nothing is left to reload.
  mutating func makePass(isReplacing: Bool) {
    if isReplacing {
      for update in changes.updates { isNewTouched[update.new.section] = true }
    }
    // For each old section, true if it is deleted with its rows. For each new section, true if it
    // is inserted with its rows.
    var goes = [Bool](repeating: false, count: sectionCount)
    var comes = [Bool](repeating: false, count: origins.count)
    func replace(_ section: PositionChange<Int>) {
      goes[section.old] = true
      comes[section.new] = true
    }
    for section in changes.deletedSections { goes[section] = true }
    for section in changes.insertedSections { comes[section] = true }
    var movedSections: [PositionChange<Int>] = []
    for (section, isChanged) in zip(changes.movedSections, isMovedHeaderChanged) {
      if isOldTouched[section.old] || isNewTouched[section.new] || section.old == section.new
        || isReplacing && isChanged
      {
        replace(section)
      } else {
        movedSections.append(section)
        if isChanged { reloadedHeaders.append(section.new) }
      }
    }
    for section in changes.updatedSections {
      if isReplacing {
        replace(section)
      } else {
        reloadedHeaders.append(section.new)
      }
    }

    var deletes = changes.deletes.filter { !goes[$0.section] }
    var inserts = changes.inserts.filter { !comes[$0.section] }
    var moves: [PositionChange<ListPath>] = []
    func replace(_ row: PositionChange<ListPath>) {
      if !goes[row.old.section] { deletes.append(row.old) }
      if !comes[row.new.section] { inserts.append(row.new) }
    }
    for (row, isChanged) in zip(changes.moves, isMovedRowChanged) {
      if goes[row.old.section] || comes[row.new.section] || row.old == row.new
        || isReplacing && isChanged
      {
        replace(row)
      } else {
        moves.append(row)
        if isChanged { reloadedRows.append(row.new) }
      }
    }
    for row in changes.updates {
      if isReplacing {
        replace(row)
      } else if !comes[row.new.section] {
        reloadedRows.append(row.new)
      }
    }
    passes = [
      ListPresentation.Pass(
        ListChanges(
          deletedSections: goes.indices.filter { goes[$0] },
          insertedSections: comes.indices.filter { comes[$0] }, movedSections: movedSections,
          deletes: deletes, inserts: inserts, moves: moves))
    ]
  }

  /// True if one pass would have to delete and insert a row or section that moves.
  var needsStages: Bool {
    let deleted = Set(changes.deletedSections)
    let inserted = Set(changes.insertedSections)
    return changes.movedSections.contains { isOldTouched[$0.old] || isNewTouched[$0.new] }
      || changes.moves.contains {
        deleted.contains($0.old.section) || inserted.contains($0.new.section)
      }
  }

  /// Makes three passes.
  ///
  /// The first pass inserts sections, empty, among the old ones. The second makes all changes of
  /// rows. The third moves sections, and deletes sections that are empty by then.
  mutating func makeStages() {
    let layout = SectionLayout(changes, origins: origins, sectionCount: sectionCount)
    let first = ListPresentation.Pass(
      ListChanges(insertedSections: changes.insertedSections.map { layout.placeOfNew[$0] }),
      contents: layout.order.map { place in
        switch place {
        case .old(let section): .old(section, hasRows: true)
        case .new(let section): .new(section, hasRows: false)
        }
      })

    func placedOld(_ path: ListPath) -> ListPath {
      ListPath(section: layout.placeOfOld[path.section], row: path.row)
    }
    func placedNew(_ path: ListPath) -> ListPath {
      ListPath(section: layout.placeOfNew[path.section], row: path.row)
    }
    var deletes = changes.deletes.map(placedOld)
    var inserts = changes.inserts.map(placedNew)
    var moves: [PositionChange<ListPath>] = []
    for (row, isChanged) in zip(changes.moves, isMovedRowChanged) {
      let (old, new) = (placedOld(row.old), placedNew(row.new))
      if old == new {
        deletes.append(old)
        inserts.append(new)
      } else {
        moves.append(PositionChange(old: old, new: new))
        if isChanged { reloadedRows.append(row.new) }
      }
    }
    let second = ListPresentation.Pass(
      ListChanges(deletes: deletes, inserts: inserts, moves: moves),
      contents: layout.order.map { place in
        switch place {
        case .old(let section):
          layout.newOfOld[section].map { .new($0, hasRows: true) } ?? .old(section, hasRows: false)
        case .new(let section): .new(section, hasRows: true)
        }
      })

    var deletedSections = changes.deletedSections.map { layout.placeOfOld[$0] }
    var insertedSections: [Int] = []
    var movedSections: [PositionChange<Int>] = []
    for (section, isChanged) in zip(changes.movedSections, isMovedHeaderChanged) {
      let place = layout.placeOfOld[section.old]
      if place == section.new {
        deletedSections.append(place)
        insertedSections.append(place)
      } else {
        movedSections.append(PositionChange(old: place, new: section.new))
        if isChanged { reloadedHeaders.append(section.new) }
      }
    }
    let third = ListPresentation.Pass(
      ListChanges(
        deletedSections: deletedSections, insertedSections: insertedSections,
        movedSections: movedSections))
    passes = [first, second, third]
    // A section that the last pass inserts is up to date, with its rows.
    let fresh = Set(insertedSections)
    reloadedRows += changes.updates.map(\.new)
    reloadedRows.removeAll { fresh.contains($0.section) }
    reloadedHeaders += changes.updatedSections.map(\.new)
  }
}
