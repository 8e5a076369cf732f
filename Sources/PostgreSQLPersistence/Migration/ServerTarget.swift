#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A table into which a migration inserts rows.
///
/// A column gets the type of its first value that isn't nil. Comparing the tables with the schemas
/// checks it.
final class ServerTarget: MigrationTarget {
  private let connection: ServerConnection
  let table: String
  private let entity: String
  /// The names and the types of the columns that the table has, by their folded names.
  private(set) var columns: [FoldedName: (name: String, type: ServerType)]
  /// The columns of which no row has had a value yet, in the order of the first rows.
  private(set) var empty: [String] = []
  private var known: Set<FoldedName> = []
  private var exists: Bool
  private let hasRules: Bool
  private var waiting = 0

  /// A table that doesn't exist yet is nil.
  init(
    _ connection: ServerConnection, table: String, entity: String, _ shape: ServerShape?
  ) {
    self.connection = connection
    self.table = table
    self.entity = entity
    exists = shape != nil
    hasRules = shape != nil
    columns = [:]
    for column in shape?.columns ?? [] {
      guard let type = column.type else { continue }
      columns[FoldedName(column.name)] = (column.name, type)
    }
    known = Set(columns.keys)
  }

  var isEmpty: Bool { !exists }
  /// The editor has noted the table already, as one that it touches.
  var hasNewColumns: Bool { false }

  func insert(_ row: Migration.Row) throws {
    if !exists {
      try connection.execute("CREATE TABLE \(SQL.quoted(table)) ()")
      exists = true
    }
    var names: [String] = []
    var values: [StoredValue] = []
    for (name, value) in zip(row.names, row.values) {
      if !known.contains(FoldedName(name)) {
        try check(name)
        known.insert(FoldedName(name))
        empty.append(name)
      }
      if value.isNull { continue }
      names.append(SQL.quoted(try column(name, value)))
      values.append(try converted(value, name))
    }
    let places = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let sql =
      values.isEmpty
      ? "INSERT INTO \(SQL.quoted(table)) DEFAULT VALUES"
      : "INSERT INTO \(SQL.quoted(table)) (\(names.joined(separator: ", "))) VALUES (\(places))"
    connection.enqueue(try connection.query(sql, values), UnsafeParameters(values))
    waiting += 1
    // A table with rules says at once that it doesn't take a row.
    if waiting >= (hasRules ? 1 : 500) { try finish() }
  }

  func finish() throws {
    waiting = 0
    do { _ = try connection.flush() } catch StoreError.storage(let fault)
      where fault.detail?.hasPrefix("23") ?? false
    {
      throw refusal(
        "a row that its table doesn't take (\(fault.detail ?? "")); rewrite the entity first, whose "
          + "table then takes any, or mend the row")
    }
  }

  /// Returns the name of a value's column, which is added if it lacks.
  private func column(_ name: String, _ value: StoredValue) throws -> String {
    let folded = FoldedName(name)
    if let known = columns[folded] { return known.name }
    let type: ServerType =
      switch value {
      case .integer: .bigint
      case .real: .double
      case .text: .text
      default: .bytea
      }
    try connection.execute(
      "ALTER TABLE \(SQL.quoted(table)) ADD COLUMN \(SQL.quoted(name)) \(type.sql)")
    empty.removeAll { FoldedName($0) == folded }
    columns[folded] = (name, type)
    return name
  }

  private func converted(_ value: StoredValue, _ name: String) throws -> StoredValue {
    if let fault = value.migrationFault(as: name) { throw refusal(fault) }
    if ServerText.hasNUL(value) {
      throw refusal("a \(name) with the character U+0000, which a server's texts can't have")
    }
    if ServerText.isTooLong(value) {
      throw refusal("a \(name) of a gigabyte or more, which a server can't have; store it in parts")
    }
    guard let type = columns[FoldedName(name)]?.type, !type.isType(of: value) else { return value }
    if type == .double, case .integer(let number) = value, let exact = Double(exactly: number) {
      return .real(exact)
    }
    throw refusal(
      "values of different types as \(name); give all of them one type, and rewrite the entity if they "
        + "had another one")
  }

  private func check(_ name: String) throws {
    if name.isEmpty || name.utf8.contains(0) || name.utf8.count > 63 {
      throw refusal("a column whose name has not 1 to 63 bytes, or a NUL; give it another one")
    }
    if ServerLayout.isReserved(column: name) {
      throw refusal("a column with the reserved name \(name); give it another one")
    }
  }

  private func refusal(_ what: String) -> StoreError {
    .fault(.schemaMismatch, "\(connection.place): a migration gives \(entity) \(what)")
  }
}
#endif
