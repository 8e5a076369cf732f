internal import EntityStore

/// One connection's statements for one entity, prepared when first used and kept.
final class EntityStatements {
  private let entity: EntityDescription
  private unowned let connection: Connection
  private var lookups: [[Int]: Statement] = [:]
  /// How a row becomes an object's values, and how its id alone does.
  let shape: SQLRowShape
  let idShape: SQLRowShape
  /// How the log writes the entity's objects.
  private(set) lazy var logLayout = LogLayout(entity)

  /// Their SQL, put together once.
  private let rowSQL: String
  private let insertSQL: String
  private let updateSQL: String
  private let deleteSQL: String

  init(_ entity: EntityDescription, of connection: Connection) {
    self.entity = entity
    self.connection = connection
    shape = SQLRowShape(entity.columns)
    idShape = SQLRowShape([entity.columns[entity.identity]])
    rowSQL = entity.rowSQL
    insertSQL = entity.insertSQL
    updateSQL = entity.updateSQL
    deleteSQL = entity.deleteSQL
  }

  /// An id in the form of its columns.
  func sqlID(_ id: StoredValue) -> [StoredValue] { entity.columns[entity.identity].sqlValues(id) }

  private var keptRow: Statement?
  private var keptInsert: Statement?
  private var keptUpdate: Statement?
  private var keptDelete: Statement?

  /// Finds an object by its id.
  func row() throws -> Statement { try kept(&keptRow, rowSQL) }

  /// Inserts an object.
  func insert() throws -> Statement { try kept(&keptInsert, insertSQL) }

  /// Sets all attributes of the object with the last parameter as its id.
  func update() throws -> Statement { try kept(&keptUpdate, updateSQL) }

  /// Deletes the object with an id.
  func delete() throws -> Statement { try kept(&keptDelete, deleteSQL) }

  private func kept(_ statement: inout Statement?, _ sql: String) throws -> Statement {
    if let statement { return statement }
    let prepared = try connection.statement(sql)
    statement = prepared
    return prepared
  }

  private var keptNumber: Statement?
  private var numberedRows: [Int: Statement] = [:]

  /// Finds the row number of an object by its id.
  func rowNumber() throws -> Statement {
    if let keptNumber { return keptNumber }
    let statement = try connection.statement(entity.rowNumberSQL())
    keptNumber = statement
    return statement
  }

  /// Finds rows by so many numbers.
  func rows(numbered count: Int) throws -> Statement {
    if let statement = numberedRows[count] { return statement }
    let statement = try connection.statement(entity.numberedRowsSQL(count))
    numberedRows[count] = statement
    return statement
  }

  /// The statement that finds the ids of objects by the values of `columns`.
  func ids(where columns: [Int]) throws -> Statement {
    if let statement = lookups[columns] { return statement }
    let statement = try connection.statement(entity.idsSQL(where: columns))
    lookups[columns] = statement
    return statement
  }
}
