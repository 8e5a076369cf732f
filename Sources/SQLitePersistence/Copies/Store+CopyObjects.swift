@_spi(Storage) internal import EntityStore

extension Store {
  /// Writes the objects of the last version into a new file at `path`, which gets that version,
  /// too.
  func copyObjects(
    to path: String, _ migrations: [Migration]?, _ objectsAtATime: Int,
    _ progress: (Store.BackupProgress) throws -> Void
  ) throws -> Int64 {
    let target = try StoreConnection(DatabaseFile(path), .readWriteCreate)
    let entities = entities.sorted { TextBytes.compare($0.name, $1.name) < 0 }
    try target.prepareToWrite(.full)
    // Nothing in the file is read before the end.
    try target.execute("PRAGMA wal_autocheckpoint = 0")
    // The tables of a server record the names with which it was opened.
    let own = (storage as? any MigratedStorage)?.recordedMigrations ?? []
    try SQLiteLayout.prepare(
      entities, target, migrations ?? own, MigrationReporter(path, nil), keepsHistory: false)
    target.known = Set(entities)
    return try withStorageReader { reader in
      let version = reader.version
      let total = try entities.reduce(0) { $0 + (try reader.count($1, where: nil)) }
      var completed = 0
      try target.execute("BEGIN IMMEDIATE")
      try progress(Store.BackupProgress(completed: 0, of: total, version: version))
      for entity in entities {
        let statements = try target.statements(of: entity)
        for row in try reader.rows(FetchPlan(of: entity)) {
          try statements.insert(row)
          completed += 1
          if completed % objectsAtATime == 0, completed < total {
            try progress(Store.BackupProgress(completed: completed, of: total, version: version))
          }
        }
      }
      for entity in entities {
        let kept = try (reader as? any LastIDReader)?.lastID(of: entity)
        let id = Swift.max(kept ?? 0, notedLastID(of: entity) ?? 0)
        if id > 0 { try NotedIDs.note(id, of: entity, target) }
      }
      if version > 0 { try ChangeLog.begin(at: version, target) }
      try target.search.fill()
      try target.execute("COMMIT")
      if total > 0 {
        try progress(Store.BackupProgress(completed: total, of: total, version: version))
      }
      // Closing the file would do this, too, but couldn't report a failure.
      try target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      return version
    }
  }
}
