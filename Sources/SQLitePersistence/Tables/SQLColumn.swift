@_spi(Storage) internal import EntityStore

/// A column of a table: an attribute, or one part of a composite id.
struct SQLColumn {
  let name: String
  let type: StoredType
  let isOptional: Bool

  var quotedName: String { SQLName.quoted(name) }
}

extension Column {
  /// The table columns that the attribute uses.
  var sqlColumns: [SQLColumn] {
    type == .list
      ? parts.map { SQLColumn(name: $0.name, type: $0.type, isOptional: isOptional) }
      : [SQLColumn(name: name, type: type, isOptional: isOptional)]
  }

  /// Returns a value in the form of those columns.
  func sqlValues(_ value: StoredValue) -> [StoredValue] {
    guard type == .list else { return [value] }
    if case .list(let values) = value { return values }
    return Array(repeating: .null, count: parts.count)
  }
}

extension EntityDescription {
  /// The columns of the entity's table.
  var sqlColumns: [SQLColumn] { columns.flatMap(\.sqlColumns) }

  /// Returns the table columns that some attributes use.
  func sqlColumns(of attributes: [Int]) -> [SQLColumn] {
    attributes.flatMap { columns[$0].sqlColumns }
  }

  /// Returns the values of attributes in the form of the table's columns.
  func sqlValues(_ values: [StoredValue], of attributes: [Int]) -> [StoredValue] {
    zip(attributes, values).flatMap { columns[$0].sqlValues($1) }
  }
}
