internal import CSQLite
internal import EntityStore

/// Binds the values of an object to the parameters of a statement that runs at once.
///
/// Text is copied to memory that stays, and only long text by SQLite: an allocation for each would be
/// a good part of what a write costs.
final class UnsafeRowBinding: ColumnSink {
  /// What text of one row is copied to.
  private let scratch: UnsafeMutableRawBufferPointer
  private var used = 0
  private var statement: Statement?
  private var handle: OpaquePointer?
  private var parameter: Int32 = 1
  /// Whether SQLite has copies of its own, which go when the row has been written.
  private var hasCopies = false
  /// For each attribute, how many columns it takes.
  private let widths: [Int]

  init(_ entity: EntityDescription) {
    widths = entity.columns.map { $0.type == .list ? $0.parts.count : 1 }
    scratch = .allocate(byteCount: 2048, alignment: 16)
  }

  deinit { scratch.deallocate() }

  /// Runs a statement with the attributes at `columns` as its parameters.
  func run(_ statement: Statement, _ row: EntityRow, _ columns: [Int]) throws {
    self.statement = statement
    handle = statement.handle
    used = 0
    parameter = 1
    hasCopies = false
    defer { statement.reset(clearing: hasCopies) }
    try row.hand(columns, to: self)
    while try statement.step() {}
  }

  func take(_ number: Int64, at column: Int) throws {
    try check(sqlite3_bind_int64(handle, parameter, number))
  }

  func take(_ number: Double, at column: Int) throws {
    try check(sqlite3_bind_double(handle, parameter, number))
  }

  func take(_ text: String, at column: Int) throws {
    var text = text
    let code: Int32? = text.withUTF8 { bytes in
      guard let free = scratch.baseAddress, bytes.count <= scratch.count - used else { return nil }
      let place = free + used
      if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
      used += bytes.count
      // Without a destructor: SQLite makes no copy.
      return sqlite3_bind_text64(
        handle, parameter, place.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
        UInt8(SQLITE_UTF8))
    }
    if let code { return try check(code) }
    try takeCopying(.text(text))
  }

  func take(_ value: StoredValue, at column: Int) throws {
    switch value {
    case .integer(let number): try take(number, at: column)
    case .real(let number): try take(number, at: column)
    case .text(let text): try take(text, at: column)
    case .bytes: try takeCopying(value)
    case .null:
      // A reference to a composite id is nil in all its columns.
      for _ in 0..<widths[column] { try takeCopying(.null) }
    case .list(let parts):
      for part in parts { try take(part, at: column) }
    }
  }

  private func takeCopying(_ value: StoredValue) throws {
    hasCopies = true
    guard let statement else { return }
    try statement.bind(value, at: parameter)
    parameter += 1
  }

  private func check(_ code: Int32) throws {
    parameter += 1
    if code != SQLITE_OK, let statement { throw statement.fault(code) }
  }
}
