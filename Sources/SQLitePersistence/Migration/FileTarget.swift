@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A table into which a migration inserts rows.
///
/// Missing columns are added, for values of any type. Comparing the tables with the schemas gives
/// them the schema's types.
final class FileTarget: MigrationTarget {
  private let connection: Connection
  let table: String
  private let quotedTable: String
  private let entity: String
  private var columns: Set<FoldedName>
  /// The columns that are set to NULL in a row without a value for them.
  ///
  /// SQLite would take the default of the schema that once added the column. Only some files have
  /// it.
  private let required: [String]
  /// The columns of the last row, which the next one mostly has, too, and the statement for them.
  private var names: [String] = []
  private var insertSQL = ""
  /// The column of an id that SQLite would choose for a row without one.
  ///
  /// It may choose the id of a deleted object.
  private let numberedID: String?
  /// The position of that column in the last row.
  private var idIndex: Int?

  /// Creates a target; a table that doesn't exist yet has no columns.
  ///
  /// `isOwn` is true if the library has made the table.
  init(
    _ connection: Connection, table: String, entity: String, columns: [String],
    numberedID: String? = nil, isOwn: Bool = false
  ) {
    self.connection = connection
    self.table = table
    quotedTable = SQL.quoted(table)
    self.entity = entity
    self.columns = Set(columns.map(FoldedName.init))
    required = isOwn ? columns : []
    self.numberedID = numberedID
  }

  /// True if the table doesn't exist.
  var isEmpty: Bool { columns.isEmpty }
  private(set) var hasNewColumns = false

  func insert(_ row: Migration.Row) throws {
    if !row.hasNames(names) { try prepare(row.names) }
    if let numberedID, idIndex.map({ row.values[$0].isNull }) ?? true {
      throw refusal("a row without a value of \(numberedID); give it one")
    }
    for (name, value) in zip(row.names, row.values) { try check(value, name) }
    do {
      try connection.query(insertSQL).run(row.values)
    } catch StoreError.storage(let fault) where fault.code == 19 {
      // A constraint failed: a type, a unique key, or a required value.
      throw refusal(
        "a row that its table doesn't take (\(fault.detail ?? "")); rewrite the entity first, whose "
          + "table then takes any, or mend the row")
    }
  }

  func finish() {}

  private func prepare(_ names: [String]) throws {
    for name in names where name.isEmpty || name.utf8.contains(0) {
      throw refusal("a column whose name is empty or has a NUL; give it another one")
    }
    for name in names where !columns.contains(FoldedName(name)) {
      if columns.isEmpty {
        try connection.execute("CREATE TABLE \(quotedTable) (\(SQL.quoted(name)) ANY) STRICT")
      } else {
        try connection.execute(
          "ALTER TABLE \(quotedTable) ADD COLUMN \(SQL.quoted(name)) ANY", readsTables: true)
        hasNewColumns = true
      }
      columns.insert(FoldedName(name))
    }
    let given = Set(names.map { FoldedName($0) })
    let others = required.filter { !given.contains(FoldedName($0)) }
    let list = (names + others).map(SQL.quoted).joined(separator: ", ")
    let places = (names.map { _ in "?" } + others.map { _ in "NULL" }).joined(separator: ", ")
    insertSQL = "INSERT INTO \(quotedTable) (\(list)) VALUES (\(places))"
    self.names = names
    let id = numberedID.map { FoldedName($0) }
    idIndex = names.firstIndex { FoldedName($0) == id }
  }

  private func check(_ value: StoredValue, _ name: String) throws {
    if let fault = value.migrationFault(as: name) { throw refusal(fault) }
  }

  private func refusal(_ what: String) -> StoreError {
    .fault(.schemaMismatch, "\(connection.path): a migration gives \(entity) \(what)")
  }
}
