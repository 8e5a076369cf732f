internal import CSQLite
internal import EntityStore

/// A prepared statement of one connection.
final class Statement {
  private let handle: OpaquePointer
  private unowned let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
  }

  /// Whether somebody is stepping through its rows.
  var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  func finalize() { sqlite3_finalize(handle) }

  /// Binds the values in order, steps through all rows and makes the statement ready for next time.
  func run(_ values: [StoredValue] = [], _ body: (Statement) throws -> Void = { _ in }) throws {
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    while true {
      let code = sqlite3_step(handle)
      switch code {
      case SQLITE_ROW: try body(self)
      case SQLITE_DONE: return
      default: throw StoreError.storage(connection.fault(code))
      }
    }
  }

  private func bind(_ value: StoredValue, at index: Int32) throws {
    // SQLite copies text and bytes: they may be gone before the statement steps.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code: Int32
    switch value {
    case .null, .list: code = sqlite3_bind_null(handle, index)
    case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
    case .real(let number): code = sqlite3_bind_double(handle, index, number)
    case .text(var text):
      code = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text64(
            handle, index, $0.baseAddress, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
        }
      }
    case .bytes(let bytes):
      code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : bytes.withUnsafeBytes {
          sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copied)
        }
    }
    if code != SQLITE_OK { throw StoreError.storage(connection.fault(code)) }
  }

  /// The value of a column of the current row.
  func value(_ column: Int) -> StoredValue {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(handle, column) else { return .text("") }
      let bytes = UnsafeBufferPointer(
        start: text, count: Int(sqlite3_column_bytes(handle, column)))
      return StoredValue(textOf: bytes)
    case SQLITE_BLOB:
      guard let blob = sqlite3_column_blob(handle, column) else { return .bytes([]) }
      return .bytes(
        Array(
          UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, column)))))
    default: return .null
    }
  }

  /// The whole number in a column of the current row.
  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
}
