/// The changes that a commit makes in the history that a storage keeps.
///
/// A kept commit is found by its origin: the version of the commit that was first made, whatever
/// has been undone and redone since. So it is kept once, even if several stores undo and redo it.
package struct HistoryUpdate: Sendable {
  /// The name under which the commit can be undone or redone.
  package let name: String
  /// True if the commit is an undo, which can be redone.
  package let isRedo: Bool
  /// The origin of the kept commit that is undone or redone, or nil if this is a new commit.
  ///
  /// After a new commit, nothing can be redone any more.
  package let origin: Int64?
  /// The number of earlier commits of each kind that stay.
  package let earlier: Int
  /// The number of commits of each kind to keep; 0 to keep none, not even this one.
  package let limit: Int
}
