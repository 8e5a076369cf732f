// What the appliers demand of the changes before they call anyone or touch the list.

extension ListChanges {
  /// Traps unless the changes can be applied to a flat list of this length.
  @usableFromInline
  func _checkApplicable(toRows count: Int, removed: [ListPath], added: [ListPath]) {
    precondition(
      !hasSectionChanges, "A flat list has no sections to change; apply these to a sectioned list")
    _checkRows(
      removed: removed, added: added,
      oldCount: { $0 == 0 ? count : nil },
      newCount: { $0 == 0 ? count - removed.count + added.count : nil })
  }

  /// Traps unless the changes can be applied to a list of these sections.
  @usableFromInline
  func _checkApplicable(
    toSections count: Int, rows: (Int) -> Int,
    removed: [ListPath], added: [ListPath], removedSections: [Int], addedSections: [Int]
  ) {
    let newCount = count - removedSections.count + addedSections.count
    Self._checkSections(removedSections, count: count, "old")
    Self._checkSections(addedSections, count: newCount, "new")
    for update in updatedSections {
      precondition(
        0..<count ~= update.old && 0..<newCount ~= update.new,
        "There is no section \(update) to update; validate(old:new:) tells more")
    }
    func remaining(_ section: Int) -> Int {
      let start = removed._count(below: ListPath(section: section, row: 0))
      let end = removed._count(below: ListPath(section: section + 1, row: 0))
      return rows(section) - (end - start)
    }
    let origins = hasSectionChanges ? _sectionOrigins(oldCount: count) : nil
    _checkRows(
      removed: removed, added: added,
      oldCount: { 0..<count ~= $0 ? rows($0) : nil },
      newCount: { section in
        guard 0..<newCount ~= section else { return nil }
        let start = added._count(below: ListPath(section: section, row: 0))
        let end = added._count(below: ListPath(section: section + 1, row: 0))
        let origin = origins.map { $0[section] } ?? section
        return (origin.map(remaining) ?? 0) + (end - start)
      })
    for section in deletedSections {
      precondition(
        remaining(section) == 0,
        "Section \(section) is deleted and some of its rows are not; validate(old:new:) tells more")
    }
  }

  private static func _checkSections(_ sections: [Int], count: Int, _ side: String) {
    var previous: Int?
    for section in sections {
      precondition(
        0..<count ~= section,
        "The \(side) list has no section \(section); validate(old:new:) tells more")
      precondition(
        previous != section,
        "The \(side) section \(section) is in two changes; validate(old:new:) tells more")
      previous = section
    }
  }

  private func _checkRows(
    removed: [ListPath], added: [ListPath], oldCount: (Int) -> Int?, newCount: (Int) -> Int?
  ) {
    Self._checkPaths(removed, count: oldCount, "old")
    Self._checkPaths(updates.lazy.map(\.old), count: oldCount, "old")
    Self._checkPaths(added, count: newCount, "new")
    Self._checkPaths(updates.lazy.map(\.new), count: newCount, "new")
  }

  /// Checks paths, asking for the length of a section once per run of paths in it.
  private static func _checkPaths(
    _ paths: some Sequence<ListPath>, count: (Int) -> Int?, _ side: String
  ) {
    var previous: ListPath?
    var length: Int?
    for path in paths {
      if previous?.section != path.section {
        length = count(path.section)
      }
      precondition(
        path.row >= 0 && path.row < (length ?? 0),
        "The \(side) list has no row \(path); validate(old:new:) tells more")
      precondition(
        previous != path, "The \(side) row \(path) is in two changes; validate(old:new:) tells more"
      )
      previous = path
    }
  }
}
