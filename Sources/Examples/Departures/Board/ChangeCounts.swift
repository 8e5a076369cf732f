import ListDiffing

/// The number of changes of each kind.
struct ChangeCounts: Hashable, Sendable {
  struct Kinds: Hashable, Sendable {
    var inserted = 0
    var deleted = 0
    var moved = 0
    var updated = 0
  }

  var rows = Kinds()
  var sections = Kinds()

  mutating func add(_ changes: ListChanges) {
    rows.inserted += changes.inserts.count
    rows.deleted += changes.deletes.count
    rows.moved += changes.moves.count
    rows.updated += changes.updates.count
    sections.inserted += changes.insertedSections.count
    sections.deleted += changes.deletedSections.count
    sections.moved += changes.movedSections.count
    sections.updated += changes.updatedSections.count
  }
}

extension ChangeCounts.Kinds: CustomStringConvertible {
  /// The counts as a text, such as `3 inserted, 1 moved`, or "none".
  var description: String {
    let parts = [
      (inserted, "inserted"), (deleted, "deleted"), (moved, "moved"), (updated, "updated"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}
