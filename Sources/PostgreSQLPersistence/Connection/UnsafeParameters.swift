#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

/// The parameters of a statement in the server's binary form.
struct UnsafeParameters {
  /// The values, one after another; each ends with a byte that isn't part of it.
  private var bytes = ServerBytes()
  /// The place of each value, or -1 for NULL.
  private var starts: [Int] = []
  private var lengths: [Int32] = []

  init() {}

  init(_ values: [StoredValue]) {
    for value in values { append(value) }
  }

  /// The types that values have without a column; 0 lets the server infer it.
  static func types(of values: [StoredValue]) -> [Oid] {
    values.map { value in
      switch value {
      case .null, .list: 0
      case .integer: ServerType.bigint.rawValue
      case .real: ServerType.double.rawValue
      case .text: ServerType.text.rawValue
      case .bytes: ServerType.bytea.rawValue
      }
    }
  }

  mutating func append(_ value: StoredValue) {
    if value.isNull {
      starts.append(-1)
      lengths.append(0)
      return
    }
    starts.append(bytes.all.count)
    bytes.append(value)
    end()
  }

  /// Appends an array with one dimension: its header, and each value with its length.
  ///
  /// `each` calls its argument with each value.
  mutating func append(_ type: ServerType, count: Int, _ each: ((StoredValue) -> Void) -> Void) {
    starts.append(bytes.all.count)
    bytes.append(Int32(count == 0 ? 0 : 1))
    let flag = bytes.all.count
    bytes.append(Int32(0))
    bytes.append(type.rawValue)
    if count > 0 {
      bytes.append(Int32(count))
      bytes.append(Int32(1))
    }
    each { value in
      if value.isNull { bytes.all[flag + 3] = 1 }
      bytes.appendWithLength(value)
    }
    end()
  }

  private mutating func end() {
    lengths.append(Int32(bytes.all.count - (starts.last ?? 0)))
    bytes.append(UInt8(0))
  }

  /// Runs `body` with what libpq takes: the values, their lengths and their formats.
  func withPointers<Result>(
    _ body: (
      Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    let formats = [Int32](repeating: 1, count: starts.count)
    return bytes.all.withUnsafeBytes { bytes in
      let first = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      // An empty value has an address, too: nil is NULL.
      let pointers = starts.map { start in start < 0 ? nil : first.map { $0 + start } }
      return pointers.withUnsafeBufferPointer { pointers in
        body(Int32(starts.count), pointers.baseAddress, lengths, formats)
      }
    }
  }
}
#endif
