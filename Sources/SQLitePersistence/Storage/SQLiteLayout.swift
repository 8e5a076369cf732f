@_spi(Storage) internal import EntityStore

/// The tables of a file.
///
/// An entity is a table with a column for each attribute. The `sqlite3` shell and other tools can
/// read and query it: numbers, text (UTF-8, BINARY collation), blobs. Foreign keys are deferred and
/// have no actions. Late-bound references have no foreign keys. `signalbox_metadata` holds the
/// format. `signalbox_log` has a row for each commit, and the row's number is the version
/// (`ChangeLog`). Triggers log what other tools write (`ChangeLogTriggers`).
enum SQLiteLayout {
  /// "Sbox", which marks a file as a store's.
  static let applicationID: Int64 = 0x5362_6F78

  // MARK: Opening

  /// Creates the tables that don't exist, and migrates those that don't fit.
  static func prepare(
    _ entities: [EntityDescription], _ connection: StoreConnection, _ migrations: [Migration],
    _ reporter: MigrationReporter, keepsHistory: Bool
  ) throws {
    for entity in entities { checkNames(of: entity) }
    // The store checks references itself, and tables are created again while others refer to them.
    try connection.execute("PRAGMA foreign_keys = OFF")
    let copy = MigrationBackup(of: connection.file)
    // Another process may be opening the file, too. The second one then sees what the first has
    // done.
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another program may have written to the file meanwhile.
      try checkOwnerInTransaction(connection)
      try connection.renewWAL()
      let isNew = try isEmpty(connection)
      let schemaVersion = try connection.schemaVersion
      if isNew { try create(connection) }
      let hasNewLog = try ChangeLog.upgrade(connection)
      var migrator = try Migrator(connection, entities, migrations, reporter, copy)
      let schema = try FileSchema(connection)
      let isLogIncomplete =
        !hasNewLog && entities.contains { ChangeLogTriggers.areLost(on: $0, in: schema) }
      try migrator.run(isNew: isNew)
      if isLogIncomplete { try ChangeLog.appendUnknown(connection) }
      for entity in entities { try ChangeLogTriggers.install(on: entity, connection) }
      if keepsHistory { try HistoryTable.create(connection) }
      try SearchIndexes(connection, entities).install(schemaVersion: schemaVersion, reporter)
      try connection.checkIsInTransaction()
    } catch {
      // This comes before the lock is released: its next holder may make another copy.
      copy.remove()
      try? connection.execute("ROLLBACK")
      throw error
    }
    do {
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      // The copy stays, unless it is certain that nothing of the migration has reached the disk.
      if case .storage(let fault)? = error as? StoreError, fault.leavesNothing, copy.isMade {
        remove(copy, connection)
      }
      throw error
    }
    if copy.isMade { remove(copy, connection) }
    ChangeLogPruning.deleteUnreadRows(connection)
  }

  /// Removes the copy under the file's lock, which the end of the migration has released.
  ///
  /// If others hold the lock, the copy stays. The next one replaces it.
  private static func remove(_ copy: MigrationBackup, _ connection: Connection) {
    guard (try? connection.execute("BEGIN IMMEDIATE")) != nil else { return }
    copy.remove()
    try? connection.execute("ROLLBACK")
  }

  private static func isEmpty(_ connection: Connection) throws -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM sqlite_master)") == 0
  }

  private static func create(_ connection: Connection) throws {
    try connection.execute("PRAGMA application_id = \(applicationID)")
    try connection.execute("CREATE TABLE \(StoreTables.metadata)")
    try connection.execute("CREATE TABLE \(StoreTables.changeLog)")
    try connection.query("INSERT INTO signalbox_metadata (name, value) VALUES ('format', ?)")
      .run([.integer(StoreTables.format)])
  }

  /// Throws unless the file is empty, or is a store's file of a known format.
  static func checkOwner(_ connection: Connection) throws {
    // Everything is read in one transaction, because another process may be creating the file.
    try connection.execute("BEGIN")
    defer { try? connection.execute("ROLLBACK") }
    try checkOwnerInTransaction(connection)
  }

  /// Throws unless texts are stored as UTF-8.
  ///
  /// In another encoding SQLite compares other bytes (S8).
  private static func checkEncoding(_ connection: Connection) throws {
    let encoding = try connection.texts("PRAGMA encoding").last ?? ""
    if encoding == "UTF-8" { return }
    throw StoreError.fault(
      .schemaMismatch,
      "\(connection.path): its texts are \(encoding), in which they have another order; write it again as UTF-8, with "
        + ".dump of the sqlite3 shell into a new file", path: connection.path)
  }

  private static func checkOwnerInTransaction(_ connection: Connection) throws {
    let owner = try connection.integer("PRAGMA application_id") ?? 0
    if try isEmpty(connection), owner == 0 || owner == applicationID {
      return try checkEncoding(connection)
    }
    guard owner == applicationID, try connection.hasTable("signalbox_metadata") else {
      throw StoreError.fault(
        .foreign,
        "\(connection.path): the file is a database of another program; choose another file")
    }
    let schema = try FileSchema(connection)
    try schema.checkFormat(connection)
    try schema.checkOwn()
    try checkEncoding(connection)
    _ = try ChangeLog.version(connection)
  }
}
