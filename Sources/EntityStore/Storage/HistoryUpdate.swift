/// The changes that a commit makes in the history that a storage keeps.
///
/// A kept commit is found by its version.
package struct HistoryUpdate: Sendable {
  /// The name under which the commit can be undone or redone.
  package let name: String
  /// True if the commit is an undo, which can be redone.
  package let isRedo: Bool
  /// The version of the kept commit that is undone or redone, or nil if this is a new commit.
  ///
  /// After a new commit, nothing can be redone any more.
  package let replaced: Int64?
  /// The number of commits of the same kind to keep.
  package let limit: Int
}
