@_spi(Storage) internal import EntityStore

/// A connection of an open store, with the store's entities and their statements.
final class StoreConnection: Connection {
  /// The entities with which the store was opened.
  var known: Set<EntityDescription> = [] {
    didSet { search = SearchIndexes(self, known) }
  }
  private(set) lazy var search = SearchIndexes(self, known)
  /// The watch that notices when others have migrated the file, once the file is open.
  var schemaWatch: SchemaWatch?
  /// The tables that the store was opened without, once an object has been deleted.
  private var knownReferrers: UnknownReferrers?
  private var entities: [EntityDescription: EntityStatements] = [:]
  /// The statements of the last requested entity, which is mostly the next one, too.
  private var lastEntity: EntityStatements?
  /// The number of write transactions that have been begun.
  private var transactions = 0
  private(set) lazy var control = TransactionStatements(self)

  /// Returns the statements of an entity's rows.
  ///
  /// - Throws: ``/EntityStore/StoreError/unknownEntity(_:)``, even if the file has a table of that
  ///   name.
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

  /// Returns the tables that refer to the store's objects and that the store was opened without.
  ///
  /// They hold for the transaction that is open.
  func unknownReferrers() throws -> UnknownReferrers {
    if let referrers = knownReferrers, try referrers.schema == schemaVersion {
      return referrers
    }
    let referrers = try UnknownReferrers(self, besides: known)
    knownReferrers = referrers
    return referrers
  }

  /// Begins a read transaction, which starts with its first SELECT.
  func begin() throws { try control.begin() }

  /// From here on nobody else writes.
  func beginWriting() throws { try control.beginWriting() }

  func commit() throws { try control.commit() }

  /// Returns a number that no transaction of this connection has had.
  func nextTransaction() -> Int {
    transactions += 1
    return transactions
  }
}
