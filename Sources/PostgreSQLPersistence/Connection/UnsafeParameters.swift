#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

/// The parameters of a statement in the server's binary form.
struct UnsafeParameters {
  /// A parameter: one value, or a column of values for `unnest`.
  enum Parameter {
    case value(StoredValue)
    case array(StoredType, [StoredValue])
  }

  private(set) var types: [Oid] = []
  private var bytes: [[UInt8]?] = []

  init(_ parameters: [Parameter]) {
    for parameter in parameters {
      switch parameter {
      case .value(let value):
        types.append(Self.type(of: value))
        bytes.append(Self.bytes(value))
      case .array(let type, let values):
        types.append(ServerType(type).array)
        bytes.append(Self.array(ServerType(type), values))
      }
    }
  }

  /// Runs `body` with what libpq takes: the values, their lengths and their formats.
  func withPointers<Result>(
    _ body: (
      Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    var all: [UInt8] = []
    var places: [Int?] = []
    for one in bytes {
      places.append(one == nil ? nil : all.count)
      // An empty value has an address, too: nil is NULL.
      if let one { all.append(contentsOf: one + [0]) }
    }
    let lengths = bytes.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: bytes.count)
    return all.withUnsafeBytes { all in
      let start = all.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = places.map { place -> UnsafePointer<CChar>? in
        guard let place, let start else { return nil }
        return start + place
      }
      return pointers.withUnsafeBufferPointer { pointers in
        body(Int32(bytes.count), pointers.baseAddress, lengths, formats)
      }
    }
  }

  private static func type(of value: StoredValue) -> Oid {
    switch value {
    // The server infers the type.
    case .null, .list: 0
    case .integer: ServerType.bigint.rawValue
    case .real: ServerType.double.rawValue
    case .text: ServerType.text.rawValue
    case .bytes: ServerType.bytea.rawValue
    }
  }

  private static func bytes(_ value: StoredValue) -> [UInt8]? {
    switch value {
    case .null, .list: nil
    case .integer(let number): bigEndian(number)
    case .real(let number): bigEndian(number.bitPattern)
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Returns an array with one dimension: its header, and each value with its length.
  private static func array(_ type: ServerType, _ values: [StoredValue]) -> [UInt8] {
    var array = bigEndian(Int32(values.isEmpty ? 0 : 1))
    array += bigEndian(Int32(values.contains(where: \.isNull) ? 1 : 0))
    array += bigEndian(type.rawValue)
    if values.isEmpty { return array }
    array += bigEndian(Int32(values.count)) + bigEndian(Int32(1))
    for value in values {
      guard let bytes = bytes(value) else {
        array += bigEndian(Int32(-1))
        continue
      }
      array += bigEndian(Int32(bytes.count))
      array += bytes
    }
    return array
  }
}

/// The types of columns, by the numbers that every server gives them.
enum ServerType: Oid {
  case bigint = 20
  case double = 701
  case text = 25
  case bytea = 17

  init(_ type: StoredType) {
    self =
      switch type {
      case .integer: .bigint
      case .real: .double
      case .text: .text
      case .bytes, .list: .bytea
      }
  }

  /// The number of the type of arrays of it.
  var array: Oid {
    switch self {
    case .bigint: 1016
    case .double: 1022
    case .text: 1009
    case .bytea: 1001
    }
  }

  /// The SQL of a column's type.
  var sql: String {
    switch self {
    case .bigint: "bigint"
    case .double: "double precision"
    case .text: "text COLLATE \"C\""
    case .bytea: "bytea"
    }
  }

  /// The SQL of the type of arrays of it.
  var arraySQL: String {
    switch self {
    case .bigint: "bigint[]"
    case .double: "double precision[]"
    case .text: "text[]"
    case .bytea: "bytea[]"
    }
  }
}
#endif
