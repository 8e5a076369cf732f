@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The source of a column's values when its table is changed.
struct ColumnSource {
  let column: SQLColumn
  /// The attribute to which the column belongs.
  let attribute: Column
  /// The column as the file has it, or nil if the file doesn't have it.
  let found: TableShape.Column?
  /// The value for rows that have none, or nil if there is no such value.
  ///
  /// It is the default of an attribute that the file doesn't have, or of one that was optional and
  /// isn't any more.
  let fill: StoredValue?

  init(_ column: SQLColumn, of attribute: Column, fill: StoredValue?, found: TableShape.Column?) {
    self.column = column
    self.attribute = attribute
    self.found = found
    let isNeeded = found == nil || !column.isOptional
    self.fill = isNeeded && !(fill?.isNull ?? true) ? fill : nil
  }

  var type: String { TableSQL.type(of: column) }
  /// True if a migration has left values of any type, which are checked one by one.
  var isOfAnyType: Bool { found?.type == "ANY" || found?.type == "" }
  /// True if the file has values of another type.
  var isOfOtherType: Bool { found.map { $0.type != type && !isOfAnyType } ?? false }
  /// True if rows may lack a value that they need.
  var mayLackValue: Bool {
    !column.isOptional && fill == nil && (found.map(\.isOptional) ?? true)
  }
  /// True if several rows may get the same value, which is the default.
  var isFilled: Bool { fill != nil && (found?.isOptional ?? true) }
  /// True if the file's column fits the schema.
  var isAsWanted: Bool {
    found.map { $0.type == type && $0.isOptional == column.isOptional } ?? false
  }

  /// The value as SQL, with the values that are bound to it.
  var expression: (sql: String, values: [StoredValue]) {
    guard let found else { return ("?", [fill ?? .null]) }
    let name = SQLName.quoted(found.name)
    guard let fill else { return (name, []) }
    return ("COALESCE(\(name), ?)", [fill])
  }
}
