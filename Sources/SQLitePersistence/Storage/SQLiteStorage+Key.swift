@_spi(Storage) internal import EntityStore
internal import Locking
internal import SQLiteLibrary

extension SQLiteStorage {
  /// It is called while this storage makes no commit.
  func changeKey(to key: EncryptionKey) throws {
    try checkIsWritable(.changingKey)
    // Nobody knows what part of the WAL is on the disk, and the change would move it into the file.
    if let fault = walHealth.fault { throw StoreError.storage(fault) }
    guard let fileKey = file.key else {
      throw StoreError.fault(
        .wrongKey, "\(path): it isn't encrypted, so no key can be changed; open it with a key",
        path: path)
    }
    try key.check(for: path)
    try gate.enter(.changingKey)
    defer { gate.leave() }
    let version = try writer.connection.control.version()
    try fileKey.change {
      try encryptAgain(with: key)
      // SQLCipher doesn't say whether it has succeeded.
      if opens(with: key) { return key }
      // Pages of the change may be in the WAL without being committed, and would be found there
      // after a crash.
      guard opens(with: fileKey.numbered.key), emptyWAL() else {
        throw StoreError.outcomeUnknown(version: version, fault: fault(Self.hasOneOfBoth))
      }
      throw StoreError.storage(fault(Self.hasOldKey))
    }
    closeIdle()
    do {
      try renewWriter()
    } catch StoreError.storage(let fault) {
      // Nothing can be written until the file is opened again.
      throw StoreError.outcomeUnknown(version: version, fault: fault)
    }
    // Pages under the old key stay in the file until the WAL has been moved into it. If others
    // read all the time, a later checkpoint does it.
    _ = emptyWAL()
  }

  /// Opens the file for writing with its new key.
  ///
  /// The connection that has written has the old one, and SQLCipher takes a key once.
  private func renewWriter() throws {
    let old = writer
    let connection = try StoreConnection(file, .readWrite)
    connection.known = old.connection.known
    connection.place = old.connection.place
    try connection.checkPlace()
    let renewed = SQLiteWriter(
      connection, gate, walHealth, old.log.limits, keepsHistory: historyLimit > 0)
    try renewed.prepare(durability, overwritesDeleted: overwritesDeleted)
    if let expectation = idle.withLock({ $0.expectation }) {
      connection.schemaWatch = try SchemaWatch(connection, expectation)
    }
    if old.wal.sync != nil { try connection.execute("PRAGMA synchronous = NORMAL") }
    renewed.wal.continue(old.wal)
    openWriter = renewed
  }

  /// Returns true if nothing of the WAL is left.
  private func emptyWAL() -> Bool {
    writer.connection.activity = .changingKey
    let code = sqlite3_wal_checkpoint_v2(
      writer.connection.handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    // `fault(_:)` notes the failed sync.
    if StorageFault.isFailedSync(code) { _ = writer.connection.fault(code) }
    return code == SQLITE_OK
  }

  private func encryptAgain(with key: EncryptionKey) throws {
    let connection = try Connection(file, .readWrite)
    connection.activity = .changingKey
    connection.place = writer.connection.place
    // The connection may have opened another file of that name.
    try connection.checkPlace()
    if durability == .full { try connection.syncWholly() }
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.openWAL()
    // It reports that others write, and that nothing can be written. Only the wait for them ends if
    // the store is suspended.
    connection.gate = gate
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute("ROLLBACK")
    connection.gate = nil
    try connection.encryptAgain(with: key)
  }

  private func opens(with key: EncryptionKey) -> Bool {
    var changed = file
    // If the file has lost its salt, it has to be given with each key.
    changed.key = FileKey(key, salt: file.key?.salt)
    // A read that fails once looks like another key, too.
    for _ in 0..<3 {
      if let connection = try? Connection(changed, .readOnly),
        (try? connection.query("SELECT COUNT(*) FROM sqlite_master").run { _ in }) != nil
      {
        return true
      }
    }
    return false
  }

  private static let hasOldKey = "the key couldn't be changed, and is the one that it was"
  private static let hasOneOfBoth =
    "it has the old key or the new one; keep both, and open it again"

  private func fault(_ sentence: String) -> StorageFault {
    StorageFault(
      .inputOutput,
      "\(path): \(sentence); see that the disk is sound and has room for a second copy of the file",
      path: path, operation: "\(ConnectionActivity.changingKey)")
  }
}
