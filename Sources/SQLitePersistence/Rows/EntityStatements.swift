@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// The statements of one connection for one entity, prepared when first used and kept.
final class EntityStatements {
  let entity: EntityDescription
  private unowned let connection: StoreConnection
  private var lookups: [[Int]: Statement] = [:]
  /// The layout of an id in a row.
  let idShape: SQLRowShape
  /// The form in which the change log writes the entity's objects.
  private(set) lazy var logLayout = ChangeLogLayout(entity)
  private let cells: UnsafeRowCells
  /// True while an object is made from `cells`.
  private var isMaking = false
  /// The bindings of objects to the parameters of the statements.
  private let insertion: UnsafeRowBinding
  private let change: UnsafeRowBinding
  /// The number of objects that one statement inserts, if there are so many.
  private let batchSize: Int
  /// The range of the existing ids, as far as the open transaction knows it.
  var absentIDs = IDRange()
  /// True if the entity's objects have been counted, so that their tree isn't endless.
  var hasCounted = false

  /// The SQL of the statements, composed once.
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
    // A thousand parameters are well below SQLite's limit, and more wouldn't pay.
    batchSize = max(1, min(16, 1000 / entity.sqlColumns.count))
    updateSQL = entity.updateSQL
    deleteSQL = entity.deleteSQL
  }

  // MARK: Objects

  /// Returns the object with an id, or nil.
  func object(_ id: StoredValue) throws -> EntityRow? {
    let statement = try row()
    // A number leaves nothing behind.
    let isNumber = if case .integer = id { true } else { false }
    defer { statement.reset(clearing: !isNumber) }
    try statement.bind(id: id)
    return try statement.step() ? object(statement) : nil
  }

  /// The number of times that `row()` had been prepared again when the file's schema was last
  /// checked.
  private var seenPreparations: Int32?

  /// Returns the object with an id, or nil, for a read without a transaction that has checked
  /// nothing yet.
  ///
  /// SQLite prepares a statement again if the file's tables have changed, so most reads need no
  /// other statement.
  func objectAlone(_ id: StoredValue) throws -> EntityRow? {
    let result = Result { try object(id) }
    let count = try? row().timesPreparedAnew
    // A statement that can't be prepared again isn't counted.
    let isRead = if case .success = result { true } else { false }
    if !isRead || count == nil || count != seenPreparations {
      try connection.schemaWatch?.check()
      seenPreparations = count
    }
    return try result.get()
  }

  /// Returns the object whose columns are the first ones of a statement's current row.
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
  /// One statement inserts several objects. Beginning and ending a statement is half the cost of
  /// inserting one object.
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

  /// Returns the statement that finds an object by its id.
  private func row() throws -> Statement {
    if let keptRow { return keptRow }
    let statement = try connection.statement(rowSQL)
    keptRow = statement
    return statement
  }

  /// Returns the statement that inserts an object.
  private func insert() throws -> Statement {
    if let keptInsert { return keptInsert }
    let statement = try connection.statement(insertSQL)
    keptInsert = statement
    return statement
  }

  /// Returns the statement that inserts as many objects as a batch has.
  private func insertMany() throws -> Statement {
    if let keptInsertMany { return keptInsertMany }
    let statement = try connection.statement(entity.insertSQL(batchSize))
    keptInsertMany = statement
    return statement
  }

  /// Returns the statement that sets all attributes of the object whose id is the last parameter.
  private func update() throws -> Statement {
    if let keptUpdate { return keptUpdate }
    let statement = try connection.statement(updateSQL)
    keptUpdate = statement
    return statement
  }

  /// Returns the statement that deletes the object with an id.
  private func delete() throws -> Statement {
    if let keptDelete { return keptDelete }
    let statement = try connection.statement(deleteSQL)
    keptDelete = statement
    return statement
  }

  private var keptNumber: Statement?
  private var keptBounds: Statement?
  private var keptNumbered: Statement?

  /// Returns the statement that finds the row number of an object by its id.
  func rowNumber() throws -> Statement {
    if let keptNumber { return keptNumber }
    let statement = try connection.statement(entity.rowNumberSQL())
    keptNumber = statement
    return statement
  }

  /// Returns the lowest and the highest value of the id's first column, or nil if no object exists.
  func bounds() throws -> (lowest: StoredValue, highest: StoredValue) {
    let statement = try keptBounds ?? connection.statement(entity.boundsSQL)
    keptBounds = statement
    var bounds = (lowest: StoredValue.null, highest: StoredValue.null)
    try statement.run { bounds = ($0.value(0), $0.value(1)) }
    return bounds
  }

  /// Returns the statement that finds an object by its row number.
  func numberedRow() throws -> Statement {
    if let keptNumbered { return keptNumbered }
    let statement = try connection.statement(entity.numberedRowSQL())
    keptNumbered = statement
    return statement
  }

  /// Returns the statement that finds the ids of objects by the values of `columns`.
  func ids(where columns: [Int]) throws -> Statement {
    if let statement = lookups[columns] { return statement }
    let statement = try connection.statement(entity.idsSQL(where: columns))
    lookups[columns] = statement
    return statement
  }
}
