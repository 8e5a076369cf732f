extension MigrationTables {
  /// Throws if a row can't be read of a table into which migrations have written, or if a row
  /// breaks a rule about its own values in one that they have created or whose rows they have
  /// changed.
  ///
  /// A row that was there and that nobody has changed may break a rule: it was added to the schema
  /// later. The columns fit the schema already. References and unique keys are checked by the
  /// storage.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``.
  /// - Complexity: O(*n*) for *n* rows of these tables.
  package func checkRows(of entities: [EntityDescription], in tables: MigratedTables) throws {
    for entity in entities where tables.hasWritten(to: entity.name) {
      let isChanged = tables.hasChanged(entity.name)
      try forEachBatch(of: entity.name) { rows in
        try reporter.check()
        for row in rows {
          do {
            let object = try entity.row(migrated: row)
            if isChanged { try entity.checkValues(of: object, before: nil) }
          } catch {
            throw StoreError.fault(
              .schemaMismatch,
              "\(place): a row doesn't fit after the migrations, so nothing is changed: \(error)")
          }
        }
      }
    }
  }
}

extension EntityDescription {
  fileprivate func row(migrated row: Migration.Row) throws -> EntityRow {
    try self.row(
      columns.map { column in
        if column.type != .list { return row[column.name] }
        // A composite reference is nil as a whole.
        let parts = column.parts.map { row[$0.name] }
        return parts.contains(where: \.isNull) ? .null : .list(parts)
      })
  }
}
