internal import EntityStore

/// One connection's statements for one entity, prepared when first used and kept.
final class EntityStatements {
  private let entity: EntityDescription
  private unowned let connection: Connection
  private var lookups: [[Int]: Statement] = [:]

  init(_ entity: EntityDescription, of connection: Connection) {
    self.entity = entity
    self.connection = connection
  }

  private(set) lazy var row = Result { try connection.statement(entity.rowSQL) }
  private(set) lazy var insert = Result { try connection.statement(entity.insertSQL) }
  private(set) lazy var update = Result { try connection.statement(entity.updateSQL) }
  private(set) lazy var delete = Result { try connection.statement(entity.deleteSQL) }

  /// The statement that finds the ids of objects by the values of `columns`.
  func ids(where columns: [Int]) throws -> Statement {
    if let statement = lookups[columns] { return statement }
    let statement = try connection.statement(entity.idsSQL(where: columns))
    lookups[columns] = statement
    return statement
  }
}
