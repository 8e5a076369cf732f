internal import SQLiteLibrary
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension UnsafeRowCells {
  /// Returns the values of the attributes, which are the first columns of a statement's current
  /// row.
  ///
  /// They are valid until the statement steps again.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if there is no memory for a value.
  func load(_ statement: Statement) throws -> UnsafePointer<UnsafeStoredCell> {
    let cells = columns
    for column in 0..<columnCount { cells[column] = try Self.cell(statement, Int32(column)) }
    return values
  }

  // The value is requested once, and then its parts. A connection is used by one thread at a time.
  // SQLite then makes no difference between protected and unprotected values.
  @inline(__always)
  private static func cell(_ statement: Statement, _ column: Int32) throws -> UnsafeStoredCell {
    let value = sqlite3_column_value(statement.handle, column)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_TEXT:
      // SQLite requires that the text is requested before its length. An empty text has an address,
      // too.
      guard let text = sqlite3_value_text(value) else { throw statement.fault(SQLITE_NOMEM) }
      let count = Int(sqlite3_value_bytes(value))
      if count >= StepWatch.longValue { statement.stepWatch.note(valueOf: count) }
      return .text(text, count: count)
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_BLOB:
      guard let bytes = sqlite3_value_blob(value) else {
        if sqlite3_errcode(sqlite3_db_handle(statement.handle)) == SQLITE_NOMEM {
          throw statement.fault(SQLITE_NOMEM)
        }
        return .bytes(nil, count: 0)
      }
      let count = Int(sqlite3_value_bytes(value))
      if count >= StepWatch.longValue { statement.stepWatch.note(valueOf: count) }
      return .bytes(bytes, count: count)
    default: return .null
    }
  }
}
