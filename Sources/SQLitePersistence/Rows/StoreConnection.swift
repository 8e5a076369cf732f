internal import EntityStore

/// A connection of an open store: it knows the store's entities, and keeps their statements.
final class StoreConnection: Connection {
  /// The entities that the store was opened with.
  var known: Set<EntityDescription> = []
  /// Notices that others have migrated the file, once it is open.
  var schemaWatch: SchemaWatch?
  /// The tables that the store was opened without, once an object has been deleted.
  private var knownReferrers: UnknownReferrers?
  /// The statements of entities; they stay.
  private var entities: [EntityDescription: EntityStatements] = [:]
  /// The statements of the entity that was asked for last, which is mostly the next one, too.
  private var lastEntity: EntityStatements?
  /// How many transactions there have been that write.
  private var transactions = 0
  /// The statements of transactions.
  private(set) lazy var control = TransactionStatements(self)

  /// The statements of an entity's rows.
  ///
  /// - Throws: ``/EntityStore/StoreError/unknownEntity(_:)``, though the file may have a table of that name.
  func statements(of entity: EntityDescription) throws -> EntityStatements {
    if let lastEntity, lastEntity.entity === entity { return lastEntity }
    if let statements = entities[entity] {
      lastEntity = statements
      return statements
    }
    guard known.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
    let statements = EntityStatements(entity, of: self)
    entities[entity] = statements
    lastEntity = statements
    return statements
  }

  /// The tables that refer to the store's objects and that it was opened without.
  ///
  /// They hold for the transaction that is open.
  func unknownReferrers() throws -> UnknownReferrers {
    if let referrers = knownReferrers, referrers.schema == (try UnknownReferrers.schema(self)) {
      return referrers
    }
    let referrers = try UnknownReferrers(self, besides: known)
    knownReferrers = referrers
    return referrers
  }

  /// Begins a transaction that reads, with its first SELECT.
  func begin() throws { try control.begin() }

  /// Begins a transaction that writes: from here on nobody else does.
  func beginWriting() throws { try control.beginWriting() }

  /// Ends the transaction.
  func commit() throws { try control.commit() }

  /// A number that no transaction of this connection has had.
  func nextTransaction() -> Int {
    transactions += 1
    return transactions
  }
}
