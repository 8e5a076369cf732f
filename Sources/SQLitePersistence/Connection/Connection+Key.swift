internal import EntityStore
internal import SQLiteLibrary

extension Connection {
  /// Gives SQLite the file's key, before anything of the file is read, or once it has been changed.
  func unlock() throws {
    guard let (key, number) = file.key?.numbered else { return }
    #if SQLCipher
    sb_keep_crypto()
    #endif
    try use(key) { sqlite3_key_v2($0, "main", $1, $2) }
    keyNumber = number
    if let salt = file.key?.salt {
      try execute("PRAGMA cipher_salt = \"x'\(TextBytes.hexadecimal(salt))'\"")
    }
    // Large sorts and the like would be written to temporary files as they are.
    try execute("PRAGMA temp_store = MEMORY")
  }

  /// Finds the salt of a file that has lost it.
  ///
  /// SQLCipher has the salt at the beginning of the file's first page. If the power is lost while
  /// that page is moved out of the WAL, its bytes may be any. SQLite reads the page from the WAL
  /// then, and the salt is there, too.
  ///
  /// - Returns: true if it has been found. Other connections have it then, and this one doesn't.
  func findLostSalt() -> Bool {
    guard let key = file.key else { return false }
    var found = [UInt8](repeating: 0, count: 16)
    var start = found
    // Nothing is read through SQLite unless the two differ: that would make a WAL beside the file.
    guard sb_read_salt(absolutePath + "-wal", &found) != 0,
      sb_read_start(handle, &start) != 0, found != start,
      (try? query("SELECT COUNT(*) FROM sqlite_master").run { _ in }) == nil
    else { return false }
    key.salt = found
    return true
  }

  var hasOldKey: Bool { file.key.map { $0.numbered.number != keyNumber } ?? false }

  /// Encrypts all pages again, in one transaction of its own.
  ///
  /// SQLCipher doesn't report whether that has failed. If it has, the connection would write with
  /// one key and read with another, so it must not be used any more.
  func encryptAgain(with key: EncryptionKey) throws {
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
      .fault(.wrongKey, "\(path): \(sentence)", path: path)
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
