@_spi(Storage) package import EntityStore

/// A column of a table: an attribute, or one part of a composite id.
package struct SQLColumn {
  package let name: String
  package let type: StoredType
  package let isOptional: Bool

  package var quotedName: String { SQL.quoted(name) }
}

extension Column {
  package var sqlColumns: [SQLColumn] {
    type == .list
      ? parts.map { SQLColumn(name: $0.name, type: $0.type, isOptional: isOptional) }
      : [SQLColumn(name: name, type: type, isOptional: isOptional)]
  }

  package func sqlValues(_ value: StoredValue) -> [StoredValue] {
    guard type == .list else { return [value] }
    if case .list(let values) = value { return values }
    return Array(repeating: .null, count: parts.count)
  }
}

extension EntityDescription {
  package var sqlColumns: [SQLColumn] { columns.flatMap(\.sqlColumns) }

  package func sqlColumns(of attributes: [Int]) -> [SQLColumn] {
    attributes.flatMap { columns[$0].sqlColumns }
  }

  package func sqlValues(_ values: [StoredValue], of attributes: [Int]) -> [StoredValue] {
    zip(attributes, values).flatMap { columns[$0].sqlValues($1) }
  }
}
