/// The writing connection, and what stands on it.
///
/// @unchecked: the store makes one commit at a time, and only the thread that makes it uses this.
/// So it needs no lock.
struct SQLiteWriter: @unchecked Sendable {
  let connection: StoreConnection
  let gate: FileGate
  let log: ChangeLog
  let wal: WAL
  /// The commits that the file keeps for undo, or nil if it keeps none.
  let history: HistoryTable?

  init(
    _ connection: StoreConnection, _ gate: FileGate, _ health: WALHealth,
    _ limits: ChangeLog.Limits, keepsHistory: Bool
  ) {
    connection.gate = gate
    self.connection = connection
    self.gate = gate
    log = ChangeLog(connection, limits)
    wal = WAL(connection, health)
    history = keepsHistory ? HistoryTable(connection, limits) : nil
  }

  /// Makes the connection ready to write, once the file is known to be a store's.
  func prepare(_ durability: Durability, overwritesDeleted: Bool) throws {
    try connection.prepareToWrite(durability)
    try wal.watch()
    if overwritesDeleted { try connection.execute("PRAGMA secure_delete = ON") }
  }
}
