#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// Named migrations, and what they may not do.
extension ServerMigrator {
  mutating func run(_ migration: Migration) throws {
    editor.reporter.migration = migration.name
    defer { editor.reporter.migration = nil }
    editor.reads.begin()
    let context = Migration.Context(editor, written)
    do { try migration.body(context) } catch {
      try? context.end()
      throw error
    }
    try context.end()
    try editor.checkIsInTransaction()
    try editor.reporter.check()
    try checkReading(migration)
    try checkNames(migration)
    written = context.written
    for table in context.gone { try record.record(table.description, of: table.name) }
  }

  func watchTables() throws {
    let shapes = try ServerShape.all(connection)
    for entity in entities
    where record.schemas.hasAlwaysBeen(ServerTable(entity).description, of: entity.name) {
      guard let shape = shapes[FoldedName(entity.name)] else { continue }
      editor.reads.watch(entity.name, columns: shape.columns.map(\.name))
    }
  }

  /// Throws if a migration has read an attribute that the rows never had.
  func checkReading(_ migration: Migration) throws {
    for entity in entities {
      guard let name = editor.reads.firstAsked(ofWatched: entity.name) else { continue }
      throw mismatch(
        "the migration \"\(migration.name)\" reads \"\(name)\" of \(entity.name), which had today's "
          + "attributes from the start: the tables were made without that migration in the list. Give all "
          + "programs the same list, and for tables that are there let the migration do nothing unless "
          + "context.attributes(of: \"\(entity.name)\") has \"\(name)\"")
    }
  }

  /// Throws if a migration has read an attribute that no known form of the entity has.
  func checkNames(_ migration: Migration) throws {
    for (table, names) in editor.reads.others {
      for name in names where !record.schemas.hasHad(name, table) {
        let column = FoldedName(name)
        let isKnown = entities.contains { entity in
          ([entity.name] + entity.formerNames).contains { FoldedName($0) == table }
            && (entity.sqlColumns.map(\.name) + entity.columns.flatMap(\.formerNames)
              + entity.droppedNames).contains { FoldedName($0) == column }
        }
        if isKnown { continue }
        throw mismatch(
          "the migration \"\(migration.name)\" reads \"\(name)\" of \(table.text), which has no such attribute, "
            + "and had none in any form that is known; correct the name, or ask "
            + "context.attributes(of: \"\(table.text)\") before")
      }
    }
  }

  /// Throws if a migration has changed a table whose schema isn't known to this store.
  func checkTouched() throws {
    let unknown = editor.touched.union(editor.altered).union(written.loosened)
      .subtracting(entities.map { FoldedName($0.name) })
    for (name, shape) in try ServerShape.all(connection).sorted(by: { $0.key.text < $1.key.text })
    where unknown.contains(name) {
      throw mismatch(
        "a migration has rewritten or renamed \(shape.name), which the store is opened without; open it with "
          + "that entity, too, or drop the entity in a migration")
    }
  }
}
#endif
