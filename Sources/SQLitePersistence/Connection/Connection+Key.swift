internal import EntityStore
internal import SQLiteLibrary

extension Connection {
  /// Gives SQLite the key, before anything of the file is read.
  func unlock() throws {
    guard let key = file.key else { return }
    try use(key.value) { sqlite3_key_v2($0, "main", $1, $2) }
    // Large sorts and the like would be written to temporary files as they are.
    try execute("PRAGMA temp_store = MEMORY")
  }

  /// Encrypts all pages again, in one transaction of its own.
  func change(to key: EncryptionKey) throws {
    try use(key) { sqlite3_rekey_v2($0, "main", $1, $2) }
  }

  private func use(
    _ key: EncryptionKey, _ body: (OpaquePointer, UnsafeRawPointer?, Int32) -> Int32
  ) throws {
    try key.check(for: path)
    let code = key.statement.withUnsafeBytes {
      body(handle, $0.baseAddress, Int32(clamping: $0.count))
    }
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
  }
}

#if !SQLCipher
// A key is refused before they would be called.
private func sqlite3_key_v2(
  _ handle: OpaquePointer, _ name: String, _ key: UnsafeRawPointer?, _ count: Int32
) -> Int32 { SQLITE_MISUSE }
private func sqlite3_rekey_v2(
  _ handle: OpaquePointer, _ name: String, _ key: UnsafeRawPointer?, _ count: Int32
) -> Int32 { SQLITE_MISUSE }
#endif

extension EncryptionKey {
  /// Throws if the key is none, or if files can't be encrypted.
  func check(for path: String) throws {
    func refuse(_ sentence: String) -> StoreError {
      .storage(StorageFault(.wrongKey, "\(path): \(sentence)", path: path))
    }
    #if !SQLCipher
    throw refuse(
      "a key is given, and this program was built without encryption; add the trait SQLCipher to the "
        + "package's dependency, or give no key")
    #else
    if let problem { throw refuse(problem) }
    #endif
  }
}
