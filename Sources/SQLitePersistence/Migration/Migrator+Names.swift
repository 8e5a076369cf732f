@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension Migrator {
  mutating func note(_ description: String, of entity: String) throws {
    try schemas.record(description, of: entity, connection)
  }

  func shape(of table: String) throws -> TableShape? { try editor.shape(of: table) }

  func hasRows(_ table: String) throws -> Bool { try TableShape(name: table).hasRows(connection) }

  mutating func renameTables() throws {
    let settled = try names.claims(of: nil)
    try renameTables(TableShape.names(connection).values, settled)
    try checkLeftNames(settled, TableShape.names(connection))
  }

  func ambiguity(of table: String, _ able: [Renames.Named]) -> StoreError {
    let first = able[0].name
    let others = able.dropFirst().map {
      FoldedName($0.name) == FoldedName(table)
        ? "of the new entity of that name" : "of \($0.name), which was called so, too"
    }
    return mismatch(
      "the table \(table) can be that of \(first), which was called so, or "
        + "\(others.joined(separator: ", or ")); if it is that of \(first), say so in a migration: "
        + "context.renameEntity(\"\(table)\", to: \"\(first)\"); otherwise take \(table) from its "
        + "renamedFrom")
  }

  func canFollow(_ entity: EntityDescription, _ shape: TableShape) throws -> Bool {
    let change = TableChange(
      entity, from: shape.renamed(for: entity, try names.claims(of: shape.name)))
    return change.unknown.isEmpty && !change.changesIdentity
      && !change.sources.contains { $0.isOfOtherType || ($0.found == nil && $0.mayLackValue) }
  }
}
