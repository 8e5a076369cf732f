@_spi(Storage) package import EntityStore
internal import Locking

extension SQLiteStorage: FileStorage {
  package var filePath: String { path }

  package var firstMark: StorageMark { idle.withLock { $0.firstMark } }

  /// Empties the change log, and rewrites the file without what was deleted.
  ///
  /// It is called while this storage makes no commit.
  ///
  /// - Parameters:
  ///   - cleared: is called once the history that the file keeps has been cleared, also if the file
  ///     can't be rewritten then.
  ///   - note: receives the version that the file had before, that version's mark then, and its
  ///     mark from now on, also if the `-wal` can't be emptied.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``.
  func eraseDeleted(
    _ cleared: () -> Void,
    note: (_ version: Int64, _ old: StorageMark?, _ new: StorageMark?) -> Void
  ) throws {
    try checkIsWritable(.erasing)
    let connection = writer.connection
    let transaction = try SQLiteTransaction(writer)
    let version = transaction.version
    let old = try? transaction.mark(of: version)
    connection.activity = .erasing
    do {
      try connection.withOverwriting {
        try writer.log.makeRoom(keeping: version)
        try connection.forgetSamples()
        try connection.search.erase()
        try connection.clearHistory()
      }
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
    cleared()
    connection.activity = .erasing
    try gate.enter(connection.activity)
    defer { gate.leave() }
    let result = Result { try connection.writeAnew() }
    // The file may be another one, although its -wal has old values still.
    let second = try SQLiteTransaction(writer)
    do {
      try connection.search.refill()
      let new = try second.mark(of: version)
      try second.commit()
      note(version, old, new)
    } catch {
      second.rollBack()
      throw error
    }
    try result.get()
  }

  package func isMadeAgain(_ mark: StorageMark, since earlier: StorageMark) -> Bool {
    SchemaWatch.isMadeAgain(mark.layout, since: earlier.layout)
  }

  package func skip(past version: Int64) throws {
    if file.isReadOnly {
      throw StoreError.storage(
        StorageFault(
          .replaced,
          "\(path): somebody has put back an older copy, and has committed since; open the store again",
          path: path))
    }
    let transaction = try SQLiteTransaction(writer)
    do {
      try transaction.skip(past: version)
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }
}
