@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The SQL that creates an entity's table and its indexes.
enum TableSQL {
  static let indexPrefix = "signalbox_index on "

  static func type(of column: SQLColumn) -> String {
    switch column.type {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .bytes, .list: "BLOB"
    }
  }

  /// Returns the statement that creates an entity's table.
  ///
  /// A primary key of several columns has the order of `key`, or that of the id's parts.
  static func create(
    _ entity: EntityDescription, named name: String? = nil, key: [FoldedName]? = nil
  ) -> String {
    let identity = entity.sqlColumns(of: [entity.identity])
    var lines = entity.sqlColumns.map { column in
      var line = "\(column.quotedName) \(type(of: column))"
      if identity.count == 1 && column.name == identity[0].name { line += " PRIMARY KEY" }
      if !column.isOptional { line += " NOT NULL" }
      return line
    }
    if identity.count > 1 {
      let order = (key ?? []).compactMap { name in
        identity.first { FoldedName($0.name) == name }
      }
      let columns = order.count == identity.count ? order : identity
      lines.append("PRIMARY KEY (\(columns.map(\.quotedName).joined(separator: ", ")))")
    }
    for key in entity.uniqueKeys { lines.append("UNIQUE (\(entity.quotedColumns(of: key)))") }
    for index in entity.checkedReferences {
      lines.append(
        "FOREIGN KEY (\(entity.quotedColumns(of: [index]))) " + references(entity.columns[index]))
    }
    return "CREATE TABLE \(SQL.quoted(name ?? entity.name)) "
      + "(\(lines.joined(separator: ", "))) STRICT"
  }

  /// Returns the clause of a foreign key that states what a reference's column refers to.
  private static func references(_ column: Column) -> String {
    guard let target = column.reference?.target else { return "" }
    return "REFERENCES \(target.quotedName) "
      + "(\(target.quotedColumns(of: [target.identity]))) DEFERRABLE INITIALLY DEFERRED"
  }

  static func indexes(of entity: EntityDescription) -> [(
    name: String, columns: [String], sql: String
  )] {
    var names: Set<FoldedName> = []
    return (entity.references.map { [$0] } + entity.indexes).compactMap { key in
      let columns = entity.sqlColumns(of: key)
      // The columns are quoted within the name, so that no two keys have the same name.
      let name =
        indexPrefix + "\(entity.quotedName) " + columns.map(\.quotedName).joined(separator: " ")
      guard names.insert(FoldedName(name)).inserted else { return nil }
      let sql =
        "CREATE INDEX \(SQL.quoted(name)) ON \(entity.quotedName) "
        + "(\(entity.quotedColumns(of: key)))"
      return (name, columns.map(\.name), sql)
    }
  }

  /// Returns SQL that adds a column to a table with rows, or nil if SQL has no statement for it.
  ///
  /// The rows get `value` in the new column.
  static func add(
    _ sqlColumn: SQLColumn, of column: Column, to entity: EntityDescription, value: StoredValue
  ) -> String? {
    var sql =
      "ALTER TABLE \(entity.quotedName) ADD COLUMN \(sqlColumn.quotedName) \(type(of: sqlColumn))"
    if !sqlColumn.isOptional { sql += " NOT NULL" }
    let isChecked = column.reference.map { !$0.isLateBound } ?? false
    if !value.isNull {
      guard let literal = literal(value), !isChecked else { return nil }
      return sql + " DEFAULT \(literal)"
    }
    guard sqlColumn.isOptional else { return nil }
    if isChecked {
      // A foreign key of several columns can't be added to a table.
      guard column.type != .list else { return nil }
      sql += " " + references(column)
    }
    return sql
  }

  /// Returns a value as an SQL literal, or nil if a statement can't contain it.
  private static func literal(_ value: StoredValue) -> String? {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return "\(number)"
    case .real(let number):
      // SQLite has no literal for infinity, and reads a number that is too large as infinity.
      return number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : "\(number)"
    case .text(let text):
      // A NUL ends the text of a statement.
      if text.utf8.contains(0) { return nil }
      // Works on scalars: a quote with a combining mark is a different Character, but still a
      // quote.
      return "'" + text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    case .bytes: return "x'\(value)'"
    case .list: return nil
    }
  }
}
