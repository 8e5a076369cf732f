/// A storage that can keep the commits that can be undone.
package protocol HistoryStorage: Storage {
  /// Returns the commits that can be undone and redone, or nil if the storage keeps none.
  func keptHistory() throws -> KeptHistory?
  /// Returns the changes of a kept commit, or nil if another store has removed it.
  ///
  /// It is called while the store has an open transaction, which hasn't written anything.
  func keptChanges(of entry: KeptHistory.Entry) throws -> NetChanges?
  /// Notes what the open transaction changes in the kept history.
  func keep(_ update: HistoryUpdate)
  /// Removes all commits that are kept.
  func clearKeptHistory() throws
}
