#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// Named migrations, and what they may not do.
extension ServerMigrator {
  func watchTables() throws {
    let shapes = try ServerShape.all(connection)
    for entity in entities
    where schemas.hasAlwaysBeen(ServerTable(entity).description, of: entity.name) {
      guard let shape = shapes[FoldedName(entity.name)] else { continue }
      editor.reads.watch(entity.name, columns: shape.columns.map(\.name))
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
