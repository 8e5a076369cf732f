@_spi(Storage) public import EntityStore

extension Store {
  /// Encrypts the store's file with another key.
  ///
  ///     try store.changeKey(to: .bytes(newKey))
  ///
  /// All pages are encrypted again in one transaction. If the process is killed meanwhile, the file
  /// has the old key or the new one, so keep both until this returns. Reads go on meanwhile; other
  /// commits wait. Nothing changes for models, and no event is delivered.
  ///
  /// ``suspend(within:)`` can't end it: don't call it shortly before the app is suspended.
  ///
  /// Other processes and stores that have the file open can't read it any more: their reads and
  /// commits throw `wrongKey`, until they open it again with the new key. So close them before.
  /// Copies made before keep the old key.
  ///
  /// - Parameter key: the new key.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``: `wrongKey` if the file isn't encrypted or
  ///   the key is none, `busy` and so on. The file has the old key then. Or
  ///   ``/EntityStore/StoreError/outcomeUnknown(version:fault:)`` if the file can't be read any
  ///   more, and has one of both: nothing is written until it is opened again.
  /// - Precondition: it isn't called in the body of a commit.
  /// - Complexity: O(*n*) where *n* is the size of the file.
  public func changeKey(to key: EncryptionKey) throws {
    try betweenCommits("changeKey(to:)") { storage in
      guard let storage = storage as? SQLiteStorage else {
        throw StoreError.fault(
          .wrongKey, "The store isn't in an SQLite file, so no key can be changed; use .sqlite")
      }
      try storage.changeKey(to: key)
    }
  }
}
