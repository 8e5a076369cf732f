/// A storage that can keep the commits that can be undone.
package protocol HistoryStorage: Storage {
  /// Returns the commits that can be undone and redone, or nil if the storage keeps none.
  func keptHistory() throws -> KeptHistory?
  /// Notes what the open transaction changes in the kept history.
  func keep(_ update: HistoryUpdate)
  /// Removes all commits that are kept.
  func clearKeptHistory() throws
}
