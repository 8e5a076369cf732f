// Translates positions in a list to positions in a host that shows more than the list.

extension ListChanges {
  /// Returns the changes of the same list inside a host that shows something before it.
  ///
  ///     changes.offset(sections: 1)  // the host's section 0 is a banner
  ///     changes.offset(rows: 1)  // row 0 of each section is a button
  ///
  /// - Parameters:
  ///   - sections: The number of sections of the host before the first section of the list.
  ///   - rows: The number of rows of the host before the first row of the list, in each of the
  ///     list's sections. Inserted and deleted sections have these rows, too, but no change lists
  ///     them. So if `rows` isn't 0 and sections change, neither `apply` the result to a list of
  ///     everything that the host shows, nor give it to `performBatchUpdates`. Give the changes
  ///     themselves to an ``EmbeddedListHost``.
  /// - Returns: The changes at the host's positions.
  /// - Precondition: `sections` and `rows` aren't negative.
  /// - Complexity: O(*k*), where *k* is the number of changes.
  public func offset(sections: Int = 0, rows: Int = 0) -> ListChanges {
    _mustHold(
      sections >= 0 && rows >= 0, "A list begins after what its host shows before it, not sooner")
    func section(_ change: PositionChange<Int>) -> PositionChange<Int> {
      PositionChange(old: change.old + sections, new: change.new + sections)
    }
    func path(_ path: ListPath) -> ListPath { path.offset(sections: sections, rows: rows) }
    func row(_ change: PositionChange<ListPath>) -> PositionChange<ListPath> {
      PositionChange(old: path(change.old), new: path(change.new))
    }
    var result = self
    result.deletedSections = deletedSections.map { $0 + sections }
    result.insertedSections = insertedSections.map { $0 + sections }
    result.movedSections = movedSections.map(section)
    result.updatedSections = updatedSections.map(section)
    result.deletes = deletes.map(path)
    result.inserts = inserts.map(path)
    result.moves = moves.map(row)
    result.updates = updates.map(row)
    return result
  }
}

extension ListPath {
  /// Returns the path moved by a number of sections and rows.
  public func offset(sections: Int = 0, rows: Int = 0) -> ListPath {
    ListPath(section: section + sections, row: row + rows)
  }
}

extension RowChange {
  /// Returns the same change at paths moved by a number of sections and rows.
  public func offset(sections: Int = 0, rows: Int = 0) -> RowChange {
    func path(_ path: ListPath) -> ListPath { path.offset(sections: sections, rows: rows) }
    return switch self {
    case .insert(let new): .insert(at: path(new))
    case .delete(let old): .delete(from: path(old))
    case .update(let old, let new): .update(from: path(old), to: path(new))
    case .move(let old, let new): .move(from: path(old), to: path(new))
    }
  }
}
