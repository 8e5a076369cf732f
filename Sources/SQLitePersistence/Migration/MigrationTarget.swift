internal import EntityStore

/// A table that a migration inserts rows into.
///
/// It gets the columns that it doesn't have, of any type: the schema's types come when the tables are
/// compared with the schemas.
struct MigrationTarget {
  private let quotedTable: String
  private let entity: String
  private var columns: Set<FoldedName>
  /// The columns of the last row, which are mostly those of the next one, and the statement for them.
  private var names: [String] = []
  private var insertSQL = ""

  /// The table with some columns, or one that isn't there yet, which has none.
  init(table: String, entity: String, columns: [String]) {
    quotedTable = SQLName.quoted(table)
    self.entity = entity
    self.columns = Set(columns.map(FoldedName.init))
  }

  /// Whether the table isn't there.
  var isEmpty: Bool { columns.isEmpty }

  mutating func insert(_ row: MigrationRow, _ connection: Connection) throws {
    if row.names != names { try prepare(row.names, connection) }
    for (name, value) in zip(row.names, row.values) { try check(value, name, connection) }
    try connection.query(insertSQL).run(row.values)
  }

  private mutating func prepare(_ names: [String], _ connection: Connection) throws {
    for name in names where columns.insert(FoldedName(name)).inserted {
      try connection.execute(
        columns.count == 1
          ? "CREATE TABLE \(quotedTable) (\(SQLName.quoted(name)) ANY) STRICT"
          : "ALTER TABLE \(quotedTable) ADD COLUMN \(SQLName.quoted(name)) ANY")
    }
    let list = names.map(SQLName.quoted).joined(separator: ", ")
    let places = names.map { _ in "?" }.joined(separator: ", ")
    insertSQL = "INSERT INTO \(quotedTable) (\(list)) VALUES (\(places))"
    self.names = names
  }

  private func check(_ value: StoredValue, _ name: String, _ connection: Connection) throws {
    let fault: String
    switch value {
    case .real(let number) where number.isNaN:
      fault = "a \(name) that is NaN, which can't be stored; use nil"
    case .list: fault = "a \(name) of several parts; give each part to its own column"
    default: return
    }
    throw StoreError.storage(
      StorageFault(.schemaMismatch, "\(connection.path): a migration gives \(entity) \(fault)"))
  }
}
