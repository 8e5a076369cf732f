internal import EntityStore

/// A column of a table: an attribute, or one part of a composite id.
struct SQLColumn {
  let name: String
  let type: StoredType
  let isOptional: Bool

  var quotedName: String { SQLName.quoted(name) }
}

extension Column {
  /// The columns of a table that the attribute takes.
  var sqlColumns: [SQLColumn] {
    type == .list
      ? parts.map { SQLColumn(name: $0.name, type: $0.type, isOptional: isOptional) }
      : [SQLColumn(name: name, type: type, isOptional: isOptional)]
  }

  /// A value in the form of those columns.
  func sqlValues(_ value: StoredValue) -> [StoredValue] {
    guard type == .list else { return [value] }
    if case .list(let values) = value { return values }
    return Array(repeating: .null, count: parts.count)
  }
}

extension EntityDescription {
  /// The columns of the entity's table.
  var sqlColumns: [SQLColumn] { columns.flatMap(\.sqlColumns) }

  /// The columns of the table that some attributes take.
  func sqlColumns(of attributes: [Int]) -> [SQLColumn] {
    attributes.flatMap { columns[$0].sqlColumns }
  }

  /// The values of attributes in the form of the table's columns.
  func sqlValues(_ values: [StoredValue], of attributes: [Int]) -> [StoredValue] {
    zip(attributes, values).flatMap { columns[$0].sqlValues($1) }
  }
}

/// How a row of a table becomes the values of attributes.
struct SQLRowShape {
  /// For each attribute, how many columns it takes if it is a composite one, and otherwise 0.
  private let parts: [Int]
  /// How many columns there are.
  let width: Int

  /// One value that takes one column.
  static let value = SQLRowShape(parts: [0])

  private init(parts: [Int]) {
    self.parts = parts
    width = parts.reduce(0) { $0 + max($1, 1) }
  }

  init(_ columns: [Column]) {
    self.init(parts: columns.map { $0.type == .list ? $0.parts.count : 0 })
  }

  /// The values of the attributes, which begin at a column of the current row.
  func values(_ statement: Statement, at start: Int = 0) -> [StoredValue] {
    var column = start
    return parts.map { count in
      if count == 0 {
        column += 1
        return statement.value(column - 1)
      }
      let values = (column..<column + count).map(statement.value)
      column += count
      // A reference is nil as a whole.
      return values.contains(where: \.isNull) ? .null : .list(values)
    }
  }
}
