internal import SQLiteLibrary
internal import EntityStore

/// A prepared statement of one connection.
final class Statement {
  let handle: OpaquePointer
  private unowned let connection: Connection
  let stepWatch: StepWatch

  init(_ handle: OpaquePointer, of connection: Connection) {
    self.handle = handle
    self.connection = connection
    stepWatch = connection.stepWatch
  }

  /// True if the statement's rows are being stepped through.
  var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The number of times that SQLite has prepared the statement again, because the file's tables
  /// had changed.
  var timesPreparedAnew: Int32 {
    sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
  }

  func finalize() { sqlite3_finalize(handle) }

  /// Binds the values in order, steps through all rows, and resets the statement.
  func run(_ values: [StoredValue] = [], _ body: (Statement) throws -> Void = { _ in }) throws {
    defer { reset(clearing: !values.isEmpty) }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    while try step() { try body(self) }
  }

  /// Moves to the next row, and returns true if there is one.
  func step() throws -> Bool {
    stepWatch.stepping = handle
    try stepWatch.checkValues()
    let code = sqlite3_step(handle)
    if stepWatch.isAlone { try connection.checkAlone() }
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw fault(code)
  }

  /// Resets the statement before its end.
  ///
  /// - Throws: `StoreError.storage` if SQLite had no memory for a value of the last row.
  func endEarly() throws {
    let code = sqlite3_reset(handle)
    if code != SQLITE_OK { throw fault(code) }
  }

  /// Resets the statement, so that it can run again.
  ///
  /// - Parameter clearing: true if SQLite holds copies of bound values.
  func reset(clearing: Bool) {
    sqlite3_reset(handle)
    if clearing { sqlite3_clear_bindings(handle) }
  }

  /// Binds an id in the form of its columns.
  func bind(id: StoredValue) throws {
    guard case .list(let parts) = id else { return try bind(id, at: 1) }
    for (index, part) in parts.enumerated() { try bind(part, at: Int32(index + 1)) }
  }

  func bind(_ value: StoredValue, at index: Int32) throws {
    // SQLite copies text and bytes, because they may be released before the statement is stepped.
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
    if code != SQLITE_OK { throw fault(code) }
  }

  func fault(_ code: Int32) -> StoreError { .storage(connection.fault(code)) }

  /// Returns the value in a column of the current row.
  ///
  /// If SQLite has no memory for a text or a blob, the value is empty, and the next step throws. So
  /// a caller that uses the value steps to the end, or calls `endEarly()`.
  func value(_ column: Int) -> StoredValue {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(handle, column) else { return .text("") }
      let bytes = UnsafeBufferPointer(start: text, count: byteCount(column))
      return StoredValue(textOf: bytes)
    case SQLITE_BLOB:
      guard let blob = sqlite3_column_blob(handle, column) else { return .bytes([]) }
      return .bytes(Array(UnsafeRawBufferPointer(start: blob, count: byteCount(column))))
    default: return .null
    }
  }

  private func byteCount(_ column: Int32) -> Int {
    let count = Int(sqlite3_column_bytes(handle, column))
    if count >= StepWatch.longValue { stepWatch.note(valueOf: count) }
    return count
  }

  /// Returns the number of bytes of the text or blob in a column of the current row, and 0 for
  /// other values.
  func length(_ column: Int) -> Int64 {
    let column = Int32(column)
    guard [SQLITE_TEXT, SQLITE_BLOB].contains(sqlite3_column_type(handle, column)) else { return 0 }
    return Int64(sqlite3_column_bytes(handle, column))
  }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
}

extension Optional<Statement> {
  /// Returns the kept statement; if there is none, keeps the one that `prepare` returns.
  @inline(__always)
  mutating func orKeep(_ prepare: @autoclosure () throws -> Statement) rethrows -> Statement {
    if let kept = self { return kept }
    let statement = try prepare()
    self = statement
    return statement
  }
}
