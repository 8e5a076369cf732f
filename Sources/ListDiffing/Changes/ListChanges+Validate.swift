extension ListChanges {
  /// Throws unless the changes lead from a list of one shape to a list of another.
  ///
  ///     try changes.validate(old: before.map(\.rows.count), new: after.map(\.rows.count))
  ///
  /// The shape of a list is the number of rows in each of its sections. The rules are:
  ///
  /// - a. Old positions are in the old list, new positions in the new one.
  /// - b. Rows and sections that are neither moved, deleted nor inserted keep their relative order.
  /// - c. A row or section is in one change at most.
  /// - d. The numbers add up, for sections and for the rows in each section: the old number, minus
  ///   removed, plus added, is the new number.
  /// - e. Rows of a deleted section are deleted or moved. Rows of an inserted section are inserted
  ///   or moved.
  /// - f. The new position of an update is the position that the row or section has if it doesn't
  ///   move.
  ///
  /// Valid changes can be applied to any list with sections of the old shape, and produce a list of
  /// the new shape. They can be applied to a flat list, too, if they change no sections. Positions
  /// don't show if the rows are the right ones.
  ///
  /// - Parameters:
  ///   - old: The number of rows in each section before.
  ///   - new: The number of rows in each section after.
  /// - Throws: A ``ListChangesError`` for the first broken rule. Sections are checked before rows,
  ///   and rules a and c before the others.
  /// - Complexity: O(*s* + *k* log *k*), where *s* is the number of sections and *k* the number of
  ///   changes.
  public func validate(old: [Int], new: [Int]) throws(ListChangesError) {
    try _validate(old: old, new: new)
  }

  /// Throws unless the changes lead from a list of shape `old` to a list of shape `new`, or of any
  /// shape if `new` is nil.
  @usableFromInline
  package func _validate(old: [Int], new: [Int]? = nil) throws(ListChangesError) {
    let expectedCount = Swift.max(0, old.count - deletedSections.count + insertedSections.count)
    try _validateSections(old: old.count, new: new?.count ?? expectedCount)
    let origins = _sectionOrigins(oldCount: old.count)
    try _validateSectionUpdates(origins: origins)

    let removed = _removedRows
    let added = _addedRows
    let new = new ?? _counts(old, from: origins, removed: removed, added: added)
    try _validateRows(removed, updates.map(\.old), .old, old: old, new: new)
    try _validateRows(added, updates.map(\.new).sorted(), .new, old: old, new: new)
    try _validateCounts(removed: removed, added: added, origins: origins, old: old, new: new)
    try _validateUpdates(removed: removed, added: added, origins: origins)
  }

  /// Returns the shape of the list after the changes.
  ///
  /// It ignores paths that are out of range.
  private func _counts(
    _ old: [Int], from origins: [Int?], removed: [ListPath], added: [ListPath]
  ) -> [Int] {
    var remaining = old
    for path in removed where old.indices ~= path.section { remaining[path.section] -= 1 }
    var counts = origins.map { $0.map { remaining[$0] } ?? 0 }
    for path in added where counts.indices ~= path.section { counts[path.section] += 1 }
    return counts.map { Swift.max(0, $0) }
  }

  /// The side of a change to which a position belongs.
  private enum Side {
    case old, new

    func outOfRange(_ section: Int, _ counts: PositionChange<Int>) -> ListChangesError {
      self == .old
        ? .oldSectionOutOfRange(section, counts: counts)
        : .newSectionOutOfRange(section, counts: counts)
    }

    func outOfRange(_ path: ListPath, _ counts: PositionChange<Int?>) -> ListChangesError {
      self == .old
        ? .oldRowOutOfRange(path, counts: counts) : .newRowOutOfRange(path, counts: counts)
    }

    func repeated(_ section: Int) -> ListChangesError {
      self == .old ? .oldSectionRepeated(section) : .newSectionRepeated(section)
    }

    func repeated(_ path: ListPath) -> ListChangesError {
      self == .old ? .oldRowRepeated(path) : .newRowRepeated(path)
    }
  }

  // Checks rules a, c and d for sections.
  private func _validateSections(old: Int, new: Int) throws(ListChangesError) {
    func check(_ sections: [Int], count: Int, _ side: Side) throws(ListChangesError) {
      for section in sections where !(0..<count ~= section) {
        throw side.outOfRange(section, PositionChange(old: old, new: new))
      }
      if let section = _firstRepeated(sections) { throw side.repeated(section) }
    }
    try check(_merged(_removedSections, updatedSections.map(\.old)), count: old, .old)
    try check(_merged(_addedSections, updatedSections.map(\.new).sorted()), count: new, .new)
    let expected = old - deletedSections.count + insertedSections.count
    guard expected == new else { throw .sectionCount(expected: expected, found: new) }
  }

  // Checks rules b and f for sections.
  private func _validateSectionUpdates(origins: [Int?]) throws(ListChangesError) {
    for (first, second) in zip(updatedSections, updatedSections.dropFirst())
    where first.new > second.new {
      throw .sectionsReordered(first, second)
    }
    for update in updatedSections where origins[update.new] != update.old {
      throw .sectionUpdateMisplaced(update, expected: origins.firstIndex(of: update.old))
    }
  }

  // Checks rules a and c for rows.
  private func _validateRows(
    _ paths: [ListPath], _ updated: [ListPath], _ side: Side, old: [Int], new: [Int]
  ) throws(ListChangesError) {
    let all = _merged(paths, updated)
    let counts = side == .old ? old : new
    for path in all
    where !(counts.indices ~= path.section) || path.row < 0 || path.row >= counts[path.section] {
      func count(_ counts: [Int]) -> Int? {
        counts.indices ~= path.section ? counts[path.section] : nil
      }
      throw side.outOfRange(path, PositionChange(old: count(old), new: count(new)))
    }
    if let path = _firstRepeated(all) { throw side.repeated(path) }
  }

  // Checks rules d and e for rows.
  private func _validateCounts(
    removed: [ListPath], added: [ListPath], origins: [Int?], old: [Int], new: [Int]
  ) throws(ListChangesError) {
    let remaining = _counts(old, without: removed)
    let unexplained = _counts(new, without: added)
    for section in deletedSections where remaining[section] != 0 {
      throw .deletedSectionKeepsRows(section: section, count: remaining[section])
    }
    for section in insertedSections where unexplained[section] != 0 {
      throw .insertedSectionLacksRows(section: section, count: unexplained[section])
    }
    for (section, origin) in origins.enumerated() {
      guard let origin, remaining[origin] != unexplained[section] else { continue }
      throw .rowCount(
        section: PositionChange(old: origin, new: section),
        expected: remaining[origin] + new[section] - unexplained[section], found: new[section])
    }
  }

  // Checks rules b and f for rows.
  private func _validateUpdates(
    removed: [ListPath], added: [ListPath], origins: [Int?]
  ) throws(ListChangesError) {
    guard !updates.isEmpty else { return }
    var destinations = [Int](repeating: 0, count: (origins.compactMap { $0 }.max() ?? -1) + 1)
    for (section, origin) in origins.enumerated() {
      if let origin { destinations[origin] = section }
    }
    for (first, second) in zip(updates, updates.dropFirst())
    where first.old.section == second.old.section && first.new.section == second.new.section
      && first.new.row > second.new.row
    {
      throw .rowsReordered(first, second)
    }
    for update in updates {
      let section = destinations[update.old.section]
      let rank = update.old.row - removed._rows(before: update.old)
      guard
        update.new.section == section,
        update.new.row - added._rows(before: update.new) == rank
      else {
        let start = added._count(below: ListPath(section: section, row: 0))
        var row = rank
        for path in added[start...] where path.section == section && path.row <= row { row += 1 }
        throw .updateMisplaced(update, expected: ListPath(section: section, row: row))
      }
    }
  }

  private func _counts(_ counts: [Int], without paths: [ListPath]) -> [Int] {
    var counts = counts
    for path in paths { counts[path.section] -= 1 }
    return counts
  }

  private func _firstRepeated<Value: Equatable>(_ sorted: [Value]) -> Value? {
    zip(sorted, sorted.dropFirst()).first { $0 == $1 }?.0
  }
}
