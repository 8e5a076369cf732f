#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The layout of attribute values in a row of a result, from its first column on.
struct ServerRowShape {
  private let entity: EntityDescription?
  /// The number of columns of each composite attribute, and 0 for each other attribute.
  private let parts: [Int]

  init(_ entity: EntityDescription) {
    self.entity = entity
    parts = Self.parts(entity.columns)
  }

  init(_ columns: [Column]) {
    entity = nil
    parts = Self.parts(columns)
  }

  private static func parts(_ columns: [Column]) -> [Int] {
    columns.map { $0.type == .list ? $0.parts.count : 0 }
  }

  /// Returns the values of the attributes in a row.
  func values(_ result: UnsafeServerResult, _ row: Int) -> [StoredValue] {
    var column = 0
    return parts.map { count in
      if count == 0 {
        column += 1
        return result.value(row, column - 1)
      }
      let values = (column..<column + count).map { result.value(row, $0) }
      column += count
      // A composite reference is nil as a whole.
      return values.contains(where: \.isNull) ? .null : .list(values)
    }
  }

  /// Returns the object in a row.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)``.
  func row(_ result: UnsafeServerResult, _ row: Int) throws -> EntityRow {
    guard let entity else { preconditionFailure("A row of values is read as an object") }
    return try entity.row(values(result, row))
  }
}
#endif
