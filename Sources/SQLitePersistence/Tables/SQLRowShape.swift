internal import EntityStore

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
