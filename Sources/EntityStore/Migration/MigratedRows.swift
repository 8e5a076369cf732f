extension MigrationTables {
  /// Throws if a migration has left a row that can't be read, or that breaks a rule about its own
  /// values.
  ///
  /// The columns fit the schema already. References and unique keys are checked by the storage.
  ///
  /// - Parameters:
  ///   - entities: the entities of the store.
  ///   - written: the tables into which migrations have written.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``.
  /// - Complexity: O(*n*) for *n* rows of these tables.
  package func checkRows(of entities: [EntityDescription], in written: Set<FoldedName>) throws {
    for entity in entities
    where ([entity.name] + entity.formerNames).contains(where: { written.contains(FoldedName($0)) })
    {
      try forEachBatch(of: entity.name) { rows in
        try reporter.check()
        for row in rows {
          do { try entity.checkValues(of: entity.row(migrated: row), before: nil) } catch {
            throw StoreError.storage(
              StorageFault(
                .schemaMismatch,
                "\(place): a migration has written a row that doesn't fit, and nothing is changed: "
                  + "\(error)"))
          }
        }
      }
    }
  }
}

extension EntityDescription {
  /// Returns the object of a row of its table.
  fileprivate func row(migrated row: MigrationRow) throws -> EntityRow {
    try self.row(
      columns.map { column in
        if column.type != .list { return row[column.name] }
        // A composite reference is nil as a whole.
        let parts = column.parts.map { row[$0.name] }
        return parts.contains(where: \.isNull) ? .null : .list(parts)
      })
  }
}
