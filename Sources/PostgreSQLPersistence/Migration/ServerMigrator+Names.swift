#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension ServerMigrator {
  mutating func note(_ description: String, of entity: String) throws {
    try record.record(description, of: entity)
  }

  func shape(of table: String) throws -> ServerShape? { try editor.shape(of: table) }

  func hasRows(_ table: String) throws -> Bool { try ServerShape(name: table).hasRows(connection) }

  mutating func renameTables() throws {
    let wanted = namedEntities
    let all = try ServerShape.all(connection)
    for named in wanted {
      // A server's names differ in case.
      guard let shape = all[FoldedName(named.name)], shape.isOwn,
        !TextBytes.equal(shape.name, named.name)
      else { continue }
      try editor.renameTable(shape.name, to: named.name)
      try note("renamed to \(named.name)", of: shape.name)
      renamed.insert(FoldedName(named.name))
    }
    if wanted.allSatisfy(\.formerNames.isEmpty) { return }
    let settled = try record.claims(of: nil)
    let shapes = try ServerShape.all(connection)
    // Another program's table may have the name or a former name of an entity.
    let present = shapes.filter { name, shape in shape.isOwn || isKnown(name) }
    for named in wanted where present[FoldedName(named.name)] == nil {
      let other = shapes[FoldedName(named.name)]
      if let other, TextBytes.equal(other.name, named.name) { throw foreign(other.name) }
    }
    try renameTables(present.values.map(\.name), settled)
    try checkLeftNames(settled, present.mapValues(\.name))
  }

  func canFollow(_ entity: EntityDescription, _ shape: ServerShape) throws -> Bool {
    let found = shape.renamed(for: entity, try record.claims(of: shape.name))
    let change = ServerTableChange(entity, from: found) { _ in true }
    return change.unknown.isEmpty && !change.changesIdentity
      && !change.sources.contains { $0.isOfOtherType || ($0.found == nil && $0.mayLackValue) }
  }
}
#endif
