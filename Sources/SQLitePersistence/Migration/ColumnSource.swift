internal import EntityStore

/// Where the values of a column come from when its table is changed.
struct ColumnSource {
  let column: SQLColumn
  /// The attribute that it is a column of.
  let attribute: Column
  /// The column as the file has it, or nil if it hasn't.
  let found: TableShape.Column?
  /// What rows have that have no value, or nil if there is none.
  ///
  /// It is the default of an attribute that the file doesn't have, or of one that was optional and isn't
  /// any more.
  let fill: StoredValue?

  init(_ column: SQLColumn, of attribute: Column, fill: StoredValue?, found: TableShape.Column?) {
    self.column = column
    self.attribute = attribute
    self.found = found
    let isNeeded = found == nil || !column.isOptional
    self.fill = isNeeded && !(fill?.isNull ?? true) ? fill : nil
  }

  var type: String { TableSQL.type(of: column) }
  /// Whether a migration has left values of any type, which are looked at one by one.
  var isOfAnyType: Bool { found?.type == "ANY" || found?.type == "" }
  /// Whether the file has values of another type.
  var isOfOtherType: Bool { found.map { $0.type != type && !isOfAnyType } ?? false }
  /// Whether rows may have no value though they need one.
  var mayLackValue: Bool {
    !column.isOptional && fill == nil && (found.map(\.isOptional) ?? true)
  }
  /// Whether rows may get the same value, that of the default.
  var isFilled: Bool { fill != nil && (found?.isOptional ?? true) }
  /// Whether the file's column is as it should be.
  var isAsWanted: Bool {
    found.map { $0.type == type && $0.isOptional == column.isOptional } ?? false
  }

  /// The value in the form of SQL, with what is bound to it.
  var expression: (sql: String, values: [StoredValue]) {
    guard let found else { return ("?", [fill ?? .null]) }
    let name = SQLName.quoted(found.name)
    guard let fill else { return (name, []) }
    return ("COALESCE(\(name), ?)", [fill])
  }
}
