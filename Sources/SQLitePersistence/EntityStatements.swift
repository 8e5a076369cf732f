internal import EntityStore

/// One connection's statements for one entity, prepared when first used and kept.
final class EntityStatements {
  let entity: EntityDescription
  private unowned let connection: Connection
  private var lookups: [[Int]: Statement] = [:]
  /// How a row's id becomes a value.
  let idShape: SQLRowShape
  /// How the log writes the entity's objects.
  private(set) lazy var logLayout = LogLayout(entity)
  private let cells: UnsafeRowCells
  /// Whether an object is being made of `cells`.
  private var isMaking = false
  private lazy var binding = UnsafeRowBinding(entity)
  /// The attributes in the order of the statements' parameters.
  private let insertOrder: [Int]
  private let updateOrder: [Int]
  /// Which ids no object has, as far as the transaction that is open knows.
  var absentIDs = AbsentIDs()

  /// Their SQL, put together once.
  private let rowSQL: String
  private let insertSQL: String
  private let updateSQL: String
  private let deleteSQL: String

  init(_ entity: EntityDescription, of connection: Connection) {
    self.entity = entity
    self.connection = connection
    cells = UnsafeRowCells(entity)
    insertOrder = Array(entity.columns.indices)
    updateOrder = insertOrder.filter { $0 != entity.identity } + [entity.identity]
    idShape = SQLRowShape([entity.columns[entity.identity]])
    rowSQL = entity.rowSQL
    insertSQL = entity.insertSQL
    updateSQL = entity.updateSQL
    deleteSQL = entity.deleteSQL
  }

  // MARK: Objects

  /// The object with an id, or nil.
  func object(_ id: StoredValue) throws -> EntityRow? {
    let statement = try row()
    defer { statement.reset(clearing: true) }
    try statement.bind(id: id)
    return try statement.step() ? object(statement) : nil
  }

  /// The object whose columns begin at one of a statement's current row.
  func object(_ statement: Statement, at column: Int = 0) throws -> EntityRow {
    precondition(
      !isMaking,
      "\(entity.name) is read by code that makes a value of one of its attributes; such code must not "
        + "use the store")
    isMaking = true
    defer { isMaking = false }
    return try entity.row(cells: cells.load(statement.handle, at: column))
  }

  /// Inserts an object.
  func insert(_ object: EntityRow) throws { try binding.run(insert(), object, insertOrder) }

  /// Sets all attributes of the object with an id.
  func update(_ object: EntityRow) throws { try binding.run(update(), object, updateOrder) }

  /// Deletes the object with an id.
  func delete(_ id: StoredValue) throws {
    let statement = try delete()
    defer { statement.reset(clearing: true) }
    try statement.bind(id: id)
    while try statement.step() {}
  }

  // MARK: Statements

  private var keptRow: Statement?
  private var keptInsert: Statement?
  private var keptUpdate: Statement?
  private var keptDelete: Statement?

  /// Finds an object by its id.
  private func row() throws -> Statement { try kept(&keptRow, rowSQL) }

  /// Inserts an object.
  private func insert() throws -> Statement { try kept(&keptInsert, insertSQL) }

  /// Sets all attributes of the object with the last parameter as its id.
  private func update() throws -> Statement { try kept(&keptUpdate, updateSQL) }

  /// Deletes the object with an id.
  private func delete() throws -> Statement { try kept(&keptDelete, deleteSQL) }

  private func kept(_ statement: inout Statement?, _ sql: String) throws -> Statement {
    if let statement { return statement }
    let prepared = try connection.statement(sql)
    statement = prepared
    return prepared
  }

  private var keptNumber: Statement?
  private var keptBounds: Statement?
  private var numberedRows: [Int: Statement] = [:]

  /// Finds the row number of an object by its id.
  func rowNumber() throws -> Statement {
    if let keptNumber { return keptNumber }
    let statement = try connection.statement(entity.rowNumberSQL())
    keptNumber = statement
    return statement
  }

  /// The lowest and the highest id, or NULL where there is no object.
  func bounds() throws -> Statement {
    if let keptBounds { return keptBounds }
    let statement = try connection.statement(entity.boundsSQL)
    keptBounds = statement
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
