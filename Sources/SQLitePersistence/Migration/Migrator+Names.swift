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

  func canFollow(_ entity: EntityDescription, _ shape: TableShape) throws -> Bool {
    let change = TableChange(
      entity, from: shape.renamed(for: entity, try names.claims(of: shape.name)))
    return change.unknown.isEmpty && !change.changesIdentity
      && !change.sources.contains { $0.isOfOtherType || ($0.found == nil && $0.mayLackValue) }
  }
}
