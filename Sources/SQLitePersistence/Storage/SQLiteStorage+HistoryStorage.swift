@_spi(Storage) package import EntityStore

extension SQLiteStorage: HistoryStorage {
  package func keptHistory() throws -> KeptHistory? {
    guard let history = openWriter?.history else { return nil }
    // Both lists are of one version.
    try writer.connection.begin()
    defer { try? writer.connection.execute("ROLLBACK") }
    return KeptHistory(
      limit: historyLimit, undo: try history.entries(isRedo: false, limit: historyLimit),
      redo: try history.entries(isRedo: true, limit: historyLimit))
  }

  package func keptChanges(of entry: KeptHistory.Entry, isRedo: Bool) throws -> NetChanges? {
    try openWriter?.history?.changes(of: entry, isRedo: isRedo)
  }

  package var hasLostHistory: Bool { openWriter?.history?.hasLost ?? false }

  package func keep(_ update: HistoryUpdate) { openWriter?.history?.update = update }

  package func clearKeptHistory() throws {
    try checkIsWritable(.erasing)
    let connection = writer.connection
    // A transaction is still open if a fault kept it from being rolled back.
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
    connection.activity = .erasing
    // No version is made for which anybody could wait, so the commit itself has to be durable.
    if durability == .full { try connection.execute("PRAGMA synchronous = FULL") }
    defer { if durability == .full { try? connection.execute("PRAGMA synchronous = NORMAL") } }
    let transaction = try SQLiteTransaction(writer)
    try transaction.rollingBack { try connection.clearHistory() }
    try transaction.commit()
  }
}
