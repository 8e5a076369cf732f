/// A storage that can keep the commits that can be undone.
package protocol HistoryStorage: Storage {
  /// Returns the commits that can be undone and redone, or nil if the storage keeps none.
  func keptHistory() throws -> KeptHistory?
  /// Returns the changes of a kept commit, or nil if another store has removed it.
  ///
  /// It is called while the store has an open transaction, which hasn't written anything. `isRedo`
  /// is true if the commit is an undo, which is to be redone. If another store has undone or redone
  /// it meanwhile, these are the changes from before that.
  ///
  /// - Throws: ``StoreError`` if they can't be read.
  func keptChanges(of entry: KeptHistory.Entry, isRedo: Bool) throws -> NetChanges?
  /// True if the last sealed commit has removed all commits that were kept.
  var hasLostHistory: Bool { get }
  /// Notes what the open transaction changes in the kept history.
  func keep(_ update: HistoryUpdate)
  func clearKeptHistory() throws
}
