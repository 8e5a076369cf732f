@_spi(Storage) package import EntityStore

/// The values of one row of a result in memory, from which an object's row is made.
///
/// A storage writes the values of the row's columns into `columns`. They are valid for as long as
/// the storage keeps the result's row.
package final class UnsafeRowCells {
  package let columns: UnsafeMutablePointer<UnsafeStoredCell>
  package let columnCount: Int
  /// The number of columns of each composite attribute, and 0 for each other attribute.
  private let parts: [Int]
  /// The values of the attributes, or nil if each attribute uses one column.
  private let attributes: UnsafeMutablePointer<UnsafeStoredCell>?

  package init(_ entity: EntityDescription) {
    parts = entity.columns.map { $0.type == .list ? $0.parts.count : 0 }
    columnCount = parts.reduce(0) { $0 + max($1, 1) }
    columns = .allocate(capacity: max(columnCount, 1))
    columns.initialize(repeating: .null, count: max(columnCount, 1))
    if parts.allSatisfy({ $0 == 0 }) {
      attributes = nil
    } else {
      attributes = .allocate(capacity: parts.count)
      attributes?.initialize(repeating: .null, count: parts.count)
    }
  }

  deinit {
    columns.deallocate()
    attributes?.deallocate()
  }

  /// The values of the attributes, once `columns` has been written.
  package var values: UnsafePointer<UnsafeStoredCell> {
    guard let attributes else { return UnsafePointer(columns) }
    var column = 0
    for (index, width) in parts.enumerated() {
      if width == 0 {
        attributes[index] = columns[column]
        column += 1
        continue
      }
      // A composite reference is nil as a whole.
      let hasNull = (column..<column + width).contains { columns[$0].isNull }
      attributes[index] =
        hasNull ? .null : .list(UnsafePointer(columns + column), count: width)
      column += width
    }
    return UnsafePointer(attributes)
  }
}
