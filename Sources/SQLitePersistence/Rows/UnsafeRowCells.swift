internal import CSQLite
@_spi(Storage) internal import EntityStore

/// The values of a statement's current row in memory, from which an object's row is made.
///
/// They are valid until the statement steps again.
final class UnsafeRowCells {
  /// The number of columns of each composite attribute, and 0 for each other attribute.
  private let parts: [Int]
  private let cells: UnsafeMutablePointer<UnsafeStoredCell>
  private let count: Int
  /// True if each attribute uses one column.
  private let isPlain: Bool

  init(_ entity: EntityDescription) {
    parts = entity.columns.map { $0.type == .list ? $0.parts.count : 0 }
    count = parts.count + parts.reduce(0, +)
    isPlain = count == parts.count
    cells = .allocate(capacity: max(count, 1))
    cells.initialize(repeating: .null, count: max(count, 1))
  }

  deinit { cells.deallocate() }

  /// Returns the values of the attributes, which are the first columns of the current row.
  func load(_ statement: Statement) -> UnsafePointer<UnsafeStoredCell> {
    let handle = statement.handle
    let watch = statement.stepWatch
    var column: Int32 = 0
    if isPlain {
      for index in 0..<count {
        cells[index] = Self.cell(handle, column, watch)
        column += 1
      }
      return UnsafePointer(cells)
    }
    var nextPart = parts.count
    for (index, width) in parts.enumerated() {
      if width == 0 {
        cells[index] = Self.cell(handle, column, watch)
        column += 1
        continue
      }
      var hasNull = false
      for part in nextPart..<nextPart + width {
        cells[part] = Self.cell(handle, column, watch)
        hasNull = hasNull || cells[part].isNull
        column += 1
      }
      // A composite reference is nil as a whole.
      cells[index] = hasNull ? .null : .list(UnsafePointer(cells + nextPart), count: width)
      nextPart += width
    }
    return UnsafePointer(cells)
  }

  // The value is requested once, and then its parts. A connection is used by one thread at a time.
  // SQLite then makes no difference between protected and unprotected values.
  @inline(__always)
  private static func cell(
    _ handle: OpaquePointer, _ column: Int32, _ watch: StepWatch
  ) -> UnsafeStoredCell {
    let value = sqlite3_column_value(handle, column)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_TEXT:
      // SQLite requires that the text is requested before its length.
      let text = sqlite3_value_text(value)
      let count = text == nil ? 0 : Int(sqlite3_value_bytes(value))
      if count >= StepWatch.longValue { watch.note(valueOf: count) }
      return .text(text, count: count)
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_BLOB:
      let bytes = sqlite3_value_blob(value)
      let count = bytes == nil ? 0 : Int(sqlite3_value_bytes(value))
      if count >= StepWatch.longValue { watch.note(valueOf: count) }
      return .bytes(bytes, count: count)
    default: return .null
    }
  }
}
