/// The commits that a storage has kept, so that they can be undone and redone after it is reopened.
///
/// Only their names are read. A commit's changes are read when it is undone or redone.
package struct KeptHistory: Sendable {
  /// A commit with a name.
  package struct Entry: Sendable {
    package let name: String
    /// The version of the commit that was first made, whatever has been undone and redone since.
    package let origin: Int64

    package init(name: String, origin: Int64) { (self.name, self.origin) = (name, origin) }
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
