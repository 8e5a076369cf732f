internal import SQLiteLibrary
@_spi(Storage) internal import EntityStore

/// A binding of objects' values to the parameters of a statement that runs at once.
///
/// Values that SQLite can use as they are in the object are read there, without a stored form in
/// between. Text is copied to permanent memory, and only long text is copied by SQLite. An
/// allocation for each text would be a good part of a write's cost.
final class UnsafeRowBinding {
  /// A single attribute.
  private struct Part {
    let column: Int
    /// The attribute's position in an object, if it is read there.
    let place: UnsafeFieldPlace?
    /// The number of table columns that the attribute uses.
    let width: Int32
  }

  private let parts: [Part]
  /// The memory to which the texts of one run are copied.
  private let scratch: UnsafeMutableRawPointer
  private static let scratchSize = 16 * 1024

  /// Creates a binding of the attributes at `columns`, in that order.
  init(_ entity: EntityDescription, _ columns: [Int]) {
    parts = columns.map { column in
      let parts = entity.columns[column].type == .list ? entity.columns[column].parts.count : 1
      return Part(column: column, place: entity.fieldPlaces[column], width: Int32(parts))
    }
    scratch = .allocate(byteCount: Self.scratchSize, alignment: 16)
  }

  deinit { scratch.deallocate() }

  func run(_ statement: Statement, _ row: EntityRow) throws {
    var target = Target(statement: statement, handle: statement.handle, scratch: scratch)
    defer { statement.reset(clearing: target.hasCopies) }
    try bind(row, to: &target)
    while try statement.step() {}
  }

  /// Runs a statement with the attributes of some new objects as its parameters, one object after
  /// another.
  func run(
    _ statement: Statement, _ changes: ContiguousArray<ObjectChange>, at places: [Int]
  ) throws {
    var target = Target(statement: statement, handle: statement.handle, scratch: scratch)
    defer { statement.reset(clearing: target.hasCopies) }
    for place in places {
      if let row = changes[place].new { try bind(row, to: &target) }
    }
    while try statement.step() {}
  }

  @inline(__always)
  private func bind(_ row: EntityRow, to target: inout Target) throws {
    try withExtendedLifetime(row) {
      let object = row.unsafeObject
      for part in parts {
        if let place = part.place {
          try target.bind(object, place)
        } else {
          try target.bind(row.value(at: part.column), width: part.width)
        }
      }
    }
  }

  /// A statement whose parameters are bound one after another.
  private struct Target {
    let statement: Statement
    let handle: OpaquePointer
    let scratch: UnsafeMutableRawPointer
    var used = 0
    var parameter: Int32 = 1
    /// True if SQLite has its own copies, which are released when the row has been written.
    var hasCopies = false

    @inline(__always)
    mutating func bind(_ object: UnsafeRawPointer, _ place: UnsafeFieldPlace) throws {
      let offset = place.offset
      switch place.kind {
      case .int: try bind(object.load(fromByteOffset: offset, as: Int64.self))
      case .int32: try bind(Int64(object.load(fromByteOffset: offset, as: Int32.self)))
      case .bool: try bind(object.load(fromByteOffset: offset, as: Bool.self) ? 1 : 0 as Int64)
      case .double: try bind(Self.stored(object.load(fromByteOffset: offset, as: Double.self)))
      case .string: try bind(object.load(fromByteOffset: offset, as: String.self))
      case .optionalInt:
        guard let number = object.load(fromByteOffset: offset, as: Int64?.self) else {
          return try bindNull()
        }
        try bind(number)
      case .optionalDouble:
        guard let number = object.load(fromByteOffset: offset, as: Double?.self) else {
          return try bindNull()
        }
        try bind(Self.stored(number))
      case .optionalString:
        guard let text = object.load(fromByteOffset: offset, as: String?.self) else {
          return try bindNull()
        }
        try bind(text)
      }
    }

    mutating func bind(_ value: StoredValue, width: Int32) throws {
      switch value {
      case .integer(let number): try bind(number)
      case .real(let number): try bind(number)
      case .text(let text): try bind(text)
      case .bytes: try bindCopying(value)
      case .null:
        // A reference to a composite id is nil in all its columns.
        for _ in 0..<width { try bindNull() }
      case .list(let parts):
        for part in parts { try bind(part, width: 1) }
      }
    }

    @inline(__always)
    private mutating func bind(_ number: Int64) throws {
      try check(sqlite3_bind_int64(handle, parameter, number))
    }

    private mutating func bind(_ number: Double) throws {
      try check(sqlite3_bind_double(handle, parameter, number))
    }

    /// Returns a number as it is stored: -0.0 is stored as 0.0 (S8).
    private static func stored(_ number: Double) -> Double { number == 0 ? 0 : number }

    private mutating func bindNull() throws { try check(sqlite3_bind_null(handle, parameter)) }

    private mutating func bind(_ text: String) throws {
      var text = text
      let place = scratch + used
      let room = UnsafeRowBinding.scratchSize - used
      let count: Int? = text.withUTF8 { bytes in
        guard bytes.count <= room else { return nil }
        if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
        return bytes.count
      }
      guard let count else { return try bindCopying(.text(text)) }
      used += count
      // There is no destructor, so SQLite makes no copy.
      try check(
        sqlite3_bind_text64(
          handle, parameter, place.assumingMemoryBound(to: CChar.self), UInt64(count), nil,
          UInt8(SQLITE_UTF8)))
    }

    private mutating func bindCopying(_ value: StoredValue) throws {
      hasCopies = true
      try statement.bind(value, at: parameter)
      parameter += 1
    }

    @inline(__always)
    private mutating func check(_ code: Int32) throws {
      parameter += 1
      if code != SQLITE_OK { throw statement.fault(code) }
    }
  }
}
