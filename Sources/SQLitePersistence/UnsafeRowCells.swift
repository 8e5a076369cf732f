internal import CSQLite
internal import EntityStore

/// Where the values of a statement's current row stand, for a row to be made of them.
///
/// They are valid until the statement steps again.
final class UnsafeRowCells {
  /// For each attribute, how many columns it takes if it is a composite one, and otherwise 0.
  private let parts: [Int]
  private let cells: UnsafeMutablePointer<UnsafeStoredCell>
  private let count: Int
  /// Whether each attribute takes one column.
  private let isPlain: Bool

  init(_ entity: EntityDescription) {
    parts = entity.columns.map { $0.type == .list ? $0.parts.count : 0 }
    count = parts.count + parts.reduce(0, +)
    isPlain = count == parts.count
    cells = .allocate(capacity: max(count, 1))
    cells.initialize(repeating: .null, count: max(count, 1))
  }

  deinit { cells.deallocate() }

  /// The values of the attributes, which begin at a column of the current row.
  func load(_ handle: OpaquePointer, at start: Int = 0) -> UnsafePointer<UnsafeStoredCell> {
    var column = Int32(start)
    if isPlain {
      for index in 0..<count {
        cells[index] = Self.cell(handle, column)
        column += 1
      }
      return UnsafePointer(cells)
    }
    var nextPart = parts.count
    for (index, width) in parts.enumerated() {
      if width == 0 {
        cells[index] = Self.cell(handle, column)
        column += 1
        continue
      }
      var hasNull = false
      for part in nextPart..<nextPart + width {
        cells[part] = Self.cell(handle, column)
        hasNull = hasNull || cells[part].isNull
        column += 1
      }
      // A reference is nil as a whole.
      cells[index] = hasNull ? .null : .list(UnsafePointer(cells + nextPart), count: width)
      nextPart += width
    }
    return UnsafePointer(cells)
  }

  @inline(__always)
  private static func cell(_ handle: OpaquePointer, _ column: Int32) -> UnsafeStoredCell {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_TEXT:
      // The text before its length, as SQLite asks.
      let text = sqlite3_column_text(handle, column)
      return .text(text, count: Int(sqlite3_column_bytes(handle, column)))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(handle, column)
      return .bytes(bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    default: return .null
    }
  }
}
