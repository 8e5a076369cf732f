internal import EntityStore
internal import Locking

/// One connection's statements for one entity, prepared when first used and kept.
final class EntityStatements {
  let entity: EntityDescription
  private unowned let connection: StoreConnection
  private var lookups: [[Int]: Statement] = [:]
  /// How a row's id becomes a value.
  let idShape: SQLRowShape
  /// How the log writes the entity's objects.
  private(set) lazy var logLayout = ChangeLogLayout(entity)
  private let cells: UnsafeRowCells
  /// Whether an object is being made of `cells`.
  private var isMaking = false
  /// How objects become the parameters of the statements.
  private let insertion: UnsafeRowBinding
  private let change: UnsafeRowBinding
  /// How many objects one statement inserts, if there are so many.
  private let batchSize: Int
  /// Which ids no object has, as far as the transaction that is open knows.
  var absentIDs = IDRange()
  /// Whether the entity's objects have been counted one by one.
  var hasCounted = false

  /// Their SQL, put together once.
  private let rowSQL: String
  private let insertSQL: String
  private let updateSQL: String
  private let deleteSQL: String

  init(_ entity: EntityDescription, of connection: StoreConnection) {
    self.entity = entity
    self.connection = connection
    cells = UnsafeRowCells(entity)
    let columns = Array(entity.columns.indices)
    insertion = UnsafeRowBinding(entity, columns)
    change = UnsafeRowBinding(
      entity, columns.filter { $0 != entity.identity } + [entity.identity])
    idShape = SQLRowShape([entity.columns[entity.identity]])
    rowSQL = entity.rowSQL
    insertSQL = entity.insertSQL(1)
    // A thousand parameters are well within what SQLite takes, and as much as pays.
    batchSize = max(1, min(16, 1000 / entity.sqlColumns.count))
    updateSQL = entity.updateSQL
    deleteSQL = entity.deleteSQL
  }

  // MARK: Objects

  /// The object with an id, or nil.
  func object(_ id: StoredValue) throws -> EntityRow? {
    let statement = try row()
    // A number leaves nothing behind.
    let isNumber = if case .integer = id { true } else { false }
    defer { statement.reset(clearing: !isNumber) }
    try statement.bind(id: id)
    return try statement.step() ? object(statement) : nil
  }

  /// How often `row()` had been prepared anew when the file's schema was looked at.
  private var seenPreparations: Int32?

  /// The object with an id, or nil, for a read without a transaction, which has looked at nothing else yet.
  ///
  /// SQLite prepares a statement anew when the file's tables have changed, so most reads need no other.
  func objectAlone(_ id: StoredValue) throws -> EntityRow? {
    let result = Result { try object(id) }
    let count = try? row().timesPreparedAnew
    // What can't be prepared anew isn't counted.
    let isRead = if case .success = result { true } else { false }
    if !isRead || count == nil || count != seenPreparations {
      try connection.schemaWatch?.check()
      seenPreparations = count
    }
    return try result.get()
  }

  /// The object whose columns are the first of the current row of a statement.
  func object(_ statement: Statement) throws -> EntityRow {
    mustHold(
      !isMaking,
      "\(entity.name) is read by code that makes a value of one of its attributes; such code must not "
        + "use the store")
    isMaking = true
    defer { isMaking = false }
    return try entity.row(cells: cells.load(statement))
  }

  /// Inserts an object.
  func insert(_ object: EntityRow) throws { try insertion.run(insert(), object) }

  /// Inserts the objects that changes insert.
  ///
  /// One statement inserts several: half of what it costs to insert one is to begin and to end.
  func insert(_ changes: ContiguousArray<ObjectChange>) throws {
    var places: [Int] = []
    for place in changes.indices where changes[place].old == nil {
      guard changes[place].new != nil else { continue }
      places.append(place)
      guard places.count == batchSize else { continue }
      try insertion.run(insertMany(), changes, at: places)
      places.removeAll(keepingCapacity: true)
    }
    for place in places { try insertion.run(insert(), changes, at: [place]) }
  }

  /// Sets all attributes of the object with an id.
  func update(_ object: EntityRow) throws { try change.run(update(), object) }

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
  private var keptInsertMany: Statement?
  private var keptUpdate: Statement?
  private var keptDelete: Statement?

  /// Finds an object by its id.
  private func row() throws -> Statement {
    if let keptRow { return keptRow }
    let statement = try connection.statement(rowSQL)
    keptRow = statement
    return statement
  }

  /// Inserts an object.
  private func insert() throws -> Statement {
    if let keptInsert { return keptInsert }
    let statement = try connection.statement(insertSQL)
    keptInsert = statement
    return statement
  }

  /// Inserts as many objects as a batch has.
  private func insertMany() throws -> Statement {
    if let keptInsertMany { return keptInsertMany }
    let statement = try connection.statement(entity.insertSQL(batchSize))
    keptInsertMany = statement
    return statement
  }

  /// Sets all attributes of the object with the last parameter as its id.
  private func update() throws -> Statement {
    if let keptUpdate { return keptUpdate }
    let statement = try connection.statement(updateSQL)
    keptUpdate = statement
    return statement
  }

  /// Deletes the object with an id.
  private func delete() throws -> Statement {
    if let keptDelete { return keptDelete }
    let statement = try connection.statement(deleteSQL)
    keptDelete = statement
    return statement
  }

  private var keptNumber: Statement?
  private var keptBounds: Statement?
  private var keptNumbered: Statement?

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

  /// Finds an object by its row number.
  func numberedRow() throws -> Statement {
    if let keptNumbered { return keptNumbered }
    let statement = try connection.statement(entity.numberedRowSQL())
    keptNumbered = statement
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
