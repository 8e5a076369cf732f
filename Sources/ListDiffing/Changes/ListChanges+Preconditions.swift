// Checks that run before a closure is called or the list changes.

extension ListChanges {
  /// Traps unless the changes can be applied to a flat list of this length.
  @usableFromInline
  func _checkApplicable(toRows count: Int, removed: [ListPath], added: [ListPath]) {
    _mustHold(
      !hasSectionChanges, "\(_unfit) \(ListChangesError.sectionsOfFlatList)")
    _checkApplicable(
      toSections: 1, rows: { _ in count }, removed: removed, added: added, removedSections: [],
      addedSections: [])
  }

  /// Traps unless the changes can be applied to a list with this number of sections and rows.
  @usableFromInline
  func _checkApplicable(
    toSections count: Int, rows: (Int) -> Int,
    removed: [ListPath], added: [ListPath], removedSections: [Int], addedSections: [Int]
  ) {
    _check(
      isApplicable(
        toSections: count, rows: rows, removed: removed, added: added,
        removedSections: removedSections, addedSections: addedSections),
      counts: (0..<count).map(rows))
  }

  /// Traps unless the changes can be applied to a list of this shape.
  func _checkFits(_ rowCounts: [Int]) {
    _checkApplicable(
      toSections: rowCounts.count, rows: { rowCounts[$0] }, removed: _removedRows,
      added: _addedRows,
      removedSections: _removedSections, addedSections: _addedSections)
  }

  /// Traps with the message of `validate(old:new:)` if the changes can't be applied.
  ///
  /// In release builds, a cheap check decides. It covers everything that would crash while the
  /// changes are applied.
  private func _check(_ isApplicable: Bool, counts: @autoclosure () -> [Int]) {
    #if !DEBUG
    if isApplicable { return }
    #endif
    do {
      try _validate(old: counts())
    } catch {
      _mistake("\(_unfit) \(error)")
    }
    _mustHold(isApplicable, _unfit)
  }

  private func isApplicable(
    toSections count: Int, rows: (Int) -> Int,
    removed: [ListPath], added: [ListPath], removedSections: [Int], addedSections: [Int]
  ) -> Bool {
    let newCount = count - removedSections.count + addedSections.count
    guard
      Self.isAscending(removedSections, below: count),
      Self.isAscending(addedSections, below: newCount),
      updatedSections.allSatisfy({ 0..<count ~= $0.old && 0..<newCount ~= $0.new })
    else { return false }
    func remaining(_ section: Int) -> Int {
      let start = removed._count(below: ListPath(section: section, row: 0))
      let end = removed._count(below: ListPath(section: section + 1, row: 0))
      return rows(section) - (end - start)
    }
    let origins = hasSectionChanges ? _sectionOrigins(oldCount: count) : nil
    func rowsBefore(_ section: Int) -> Int? { 0..<count ~= section ? rows(section) : nil }
    func rowsAfter(_ section: Int) -> Int? {
      guard 0..<newCount ~= section else { return nil }
      let start = added._count(below: ListPath(section: section, row: 0))
      let end = added._count(below: ListPath(section: section + 1, row: 0))
      let origin = origins.map { $0[section] } ?? section
      return (origin.map(remaining) ?? 0) + (end - start)
    }
    return Self.arePaths(removed, inside: rowsBefore)
      && Self.arePaths(updates.lazy.map(\.old), inside: rowsBefore)
      && Self.arePaths(added, inside: rowsAfter)
      && Self.arePaths(updates.lazy.map(\.new), inside: rowsAfter)
      && deletedSections.allSatisfy { remaining($0) == 0 }
  }

  private static func isAscending(_ sections: [Int], below count: Int) -> Bool {
    sections.allSatisfy { 0..<count ~= $0 } && zip(sections, sections.dropFirst()).allSatisfy(<)
  }

  /// Returns true if each path is inside its section and no path occurs twice.
  ///
  /// It asks for the length of a section once per run of paths in it.
  private static func arePaths(
    _ paths: some Sequence<ListPath>, inside count: (Int) -> Int?
  ) -> Bool {
    var previous: ListPath?
    var length: Int?
    for path in paths {
      if previous?.section != path.section {
        length = count(path.section)
      }
      guard path.row >= 0, path.row < (length ?? 0), previous != path else { return false }
      previous = path
    }
    return true
  }
}

private let _unfit = "These changes don't fit the list."
