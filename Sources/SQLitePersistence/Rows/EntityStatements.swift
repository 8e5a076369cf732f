@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// The statements of one connection for one entity, prepared when first used and kept.
final class EntityStatements {
  let entity: EntityDescription
  private unowned let connection: StoreConnection
  private var lookups: [[Int]: Statement] = [:]
  let idShape: SQLRowShape
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
  /// The number of the entity's objects when they were last counted.
  ///
  /// If it isn't nil, their tree isn't endless.
  var counted: Int?

  init(_ entity: EntityDescription, of connection: StoreConnection) {
    self.entity = entity
    self.connection = connection
    cells = UnsafeRowCells(entity)
    let columns = Array(entity.columns.indices)
    insertion = UnsafeRowBinding(entity, columns)
    change = UnsafeRowBinding(
      entity, columns.filter { $0 != entity.identity } + [entity.identity])
    idShape = SQLRowShape([entity.columns[entity.identity]])
    // A thousand parameters are well below SQLite's limit, and more wouldn't pay.
    batchSize = max(1, min(16, 1000 / entity.sqlColumns.count))
  }

  // MARK: Objects

  func object(_ id: StoredValue) throws -> EntityRow? {
    checkNotMaking()
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

  /// Traps if an object is being made.
  ///
  /// It is called before a statement is used that may have the row of that object. The object is
  /// made of SQLite's memory, which is freed when the statement is reset.
  func checkNotMaking() {
    mustHold(
      !isMaking,
      "\(entity.name) is read by code that makes a value of one of its attributes; such code must not "
        + "use the store")
  }

  /// Returns the object whose columns are the first ones of a statement's current row.
  func object(_ statement: Statement) throws -> EntityRow {
    checkNotMaking()
    isMaking = true
    defer { isMaking = false }
    return try entity.row(cells: cells.load(statement))
  }

  func insert(_ object: EntityRow) throws { try insertion.run(insert(), object) }

  /// One statement inserts several objects.
  ///
  /// Beginning and ending a statement is half the cost of inserting one object.
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

  func delete(_ id: StoredValue) throws {
    let statement = try delete()
    defer { statement.reset(clearing: true) }
    try statement.bind(id: id)
    while try statement.step() {}
  }

  // MARK: Statements

  @exclusivity(unchecked) private var keptRow: Statement?
  @exclusivity(unchecked) private var keptInsert: Statement?
  @exclusivity(unchecked) private var keptInsertMany: Statement?
  @exclusivity(unchecked) private var keptUpdate: Statement?
  @exclusivity(unchecked) private var keptDelete: Statement?

  private func row() throws -> Statement { try keptRow.orKeep(connection.statement(entity.rowSQL)) }

  private func insert() throws -> Statement {
    try keptInsert.orKeep(connection.statement(entity.insertSQL(1)))
  }

  /// Returns the statement that inserts as many objects as a batch has.
  private func insertMany() throws -> Statement {
    try keptInsertMany.orKeep(connection.statement(entity.insertSQL(batchSize)))
  }

  /// Returns the statement that sets all attributes of the object whose id is the last parameter.
  private func update() throws -> Statement {
    try keptUpdate.orKeep(connection.statement(entity.updateSQL))
  }

  private func delete() throws -> Statement {
    try keptDelete.orKeep(connection.statement(entity.deleteSQL))
  }

  @exclusivity(unchecked) private var keptNumber: Statement?
  @exclusivity(unchecked) private var keptBounds: Statement?
  @exclusivity(unchecked) private var keptNumbered: Statement?

  func rowNumber() throws -> Statement {
    try keptNumber.orKeep(connection.statement(entity.rowNumberSQL()))
  }

  /// Returns the lowest and the highest value of the id's first column, or nil if no object exists.
  func bounds() throws -> (lowest: StoredValue, highest: StoredValue) {
    let statement = try keptBounds.orKeep(connection.statement(entity.boundsSQL))
    var bounds = (lowest: StoredValue.null, highest: StoredValue.null)
    try statement.run { bounds = ($0.value(0), $0.value(1)) }
    return bounds
  }

  func numberedRow() throws -> Statement {
    try keptNumbered.orKeep(connection.statement(entity.numberedRowSQL()))
  }

  func ids(where columns: [Int]) throws -> Statement {
    if let statement = lookups[columns] { return statement }
    let statement = try connection.statement(entity.idsSQL(where: columns))
    lookups[columns] = statement
    return statement
  }
}
