@_spi(Storage) package import EntityStore

extension SQLiteStorage: HistoryStorage {
  package func keptHistory() throws -> KeptHistory? {
    if writer.history == nil { return nil }
    return try read { try ($0 as? SQLiteReader)?.keptHistory(limit: historyLimit) }
  }

  package func keep(_ update: HistoryUpdate) { writer.history?.update = update }

  package func clearKeptHistory() throws {
    let transaction = try SQLiteTransaction(writer)
    do {
      try HistoryTable.clear(writer.connection)
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }
}
