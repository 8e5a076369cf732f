/// The commits that a storage has kept, so that they can be undone and redone after it is reopened.
package struct KeptHistory: Sendable {
  /// A commit with a name.
  package struct Entry: Sendable {
    package let version: Int64
    package let name: String
    package let changes: NetChanges

    package init(version: Int64, name: String, changes: NetChanges) {
      (self.version, self.name, self.changes) = (version, name, changes)
    }
  }

  /// The number of commits to keep.
  package let limit: Int
  /// The commits that can be undone, oldest first.
  package let undo: [Entry]
  /// The commits that can be redone; the last one is redone next.
  package let redo: [Entry]

  package init(limit: Int, undo: [Entry], redo: [Entry]) {
    (self.limit, self.undo, self.redo) = (limit, undo, redo)
  }
}
