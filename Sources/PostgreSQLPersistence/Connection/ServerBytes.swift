#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// Values in the server's binary form, one after another.
struct ServerBytes {
  var all: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { all.append(contentsOf: $0) }
  }

  /// Appends a value, of which nothing is left if it is nil.
  mutating func append(_ value: StoredValue) {
    switch value {
    case .null, .list: break
    case .integer(let number): append(number)
    case .real(let number): append(number.bitPattern)
    case .text(var text): text.withUTF8 { all.append(contentsOf: $0) }
    case .bytes(let bytes): all.append(contentsOf: bytes)
    }
  }

  /// Appends a value after the number of its bytes, which is -1 for nil.
  mutating func appendWithLength(_ value: StoredValue) {
    if value.isNull { return append(Int32(-1)) }
    let place = all.count
    append(Int32(0))
    append(value)
    let length = UInt32(all.count - place - 4)
    for byte in 0..<4 {
      all[place + byte] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * byte))
    }
  }
}
#endif
