internal import SQLiteLibrary
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension UnsafeRowCells {
  /// Returns the values of the attributes, which are the first columns of a statement's current
  /// row.
  ///
  /// They are valid until the statement steps again.
  func load(_ statement: Statement) -> UnsafePointer<UnsafeStoredCell> {
    let handle = statement.handle
    let watch = statement.stepWatch
    let cells = columns
    for column in 0..<columnCount { cells[column] = Self.cell(handle, Int32(column), watch) }
    return values
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
