@_spi(Storage) package import EntityStore
internal import Locking

extension SQLiteStorage: FileStorage {
  package var filePath: String { path }

  package var firstMark: StorageMark { idle.withLock { $0.firstMark } }

  /// Empties the change log, and rewrites the file without what was deleted.
  ///
  /// It is called while this storage makes no commit.
  ///
  /// - Returns: the version that the file had before, and that version's mark from now on.
  func eraseDeleted() throws -> (version: Int64, mark: StorageMark?) {
    try checkIsWritable(.erasing)
    let connection = writer.connection
    let transaction = try SQLiteTransaction(writer)
    let version = transaction.version
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
    connection.activity = .erasing
    try gate.enter(connection.activity)
    defer { gate.leave() }
    try connection.writeAnew()
    let second = try SQLiteTransaction(writer)
    let mark: StorageMark?
    do {
      try connection.search.refill()
      mark = try second.mark(of: version)
    } catch {
      second.rollBack()
      throw error
    }
    try second.commit()
    return (version, mark)
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
