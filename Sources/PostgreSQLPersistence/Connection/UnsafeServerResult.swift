#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

/// The rows that a statement returned, in binary form.
final class UnsafeServerResult {
  private let result: OpaquePointer?
  let rowCount: Int

  init(_ result: OpaquePointer?) {
    self.result = result
    rowCount = Int(PQntuples(result))
  }

  deinit { PQclear(result) }

  /// Returns a value of a row.
  func value(_ row: Int, _ column: Int) -> StoredValue {
    let (row, column) = (Int32(row), Int32(column))
    if PQgetisnull(result, row, column) == 1 { return .null }
    guard let start = PQgetvalue(result, row, column) else { return .null }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
    return switch PQftype(result, column) {
    case ServerType.bigint.rawValue: .integer(bytes.loadBigEndian(Int64.self))
    case 23: .integer(Int64(bytes.loadBigEndian(Int32.self)))
    case 16: .integer(bytes[0] == 0 ? 0 : 1)
    case ServerType.double.rawValue:
      // A tool may have written -0.0.
      .real(Double(bitPattern: bytes.loadBigEndian(UInt64.self)) + 0)
    case ServerType.bytea.rawValue: .bytes(Array(bytes))
    default: .text(String(decoding: bytes, as: UTF8.self))
    }
  }

  func integer(_ row: Int, _ column: Int) -> Int64 {
    if case .integer(let number) = value(row, column) { return number }
    return 0
  }

  func text(_ row: Int, _ column: Int) -> String {
    if case .text(let text) = value(row, column) { return text }
    return ""
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func loadBigEndian<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    var number: Number = 0
    for byte in prefix(Number.bitWidth / 8) {
      number = number << 8 | Number(truncatingIfNeeded: byte)
    }
    return number
  }
}
#endif
