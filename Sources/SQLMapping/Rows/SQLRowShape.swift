@_spi(Storage) package import EntityStore

/// The layout of attribute values in a row of a table or of a result.
package struct SQLRowShape {
  /// The number of columns of each composite attribute, and 0 for each other attribute.
  private let parts: [Int]
  /// The number of columns.
  package let width: Int

  /// The layout of one value in one column.
  package static let value = SQLRowShape(parts: [0])

  private init(parts: [Int]) {
    self.parts = parts
    width = parts.reduce(0) { $0 + max($1, 1) }
  }

  package init(_ columns: [Column]) {
    self.init(parts: columns.map { $0.type == .list ? $0.parts.count : 0 })
  }

  /// Returns the values of the attributes, from the columns that begin with `start`.
  package func values(from start: Int = 0, _ value: (Int) -> StoredValue) -> [StoredValue] {
    var column = start
    return parts.map { count in
      if count == 0 {
        column += 1
        return value(column - 1)
      }
      let values = (column..<column + count).map(value)
      column += count
      // A composite reference is nil as a whole.
      return values.contains(where: \.isNull) ? .null : .list(values)
    }
  }
}
