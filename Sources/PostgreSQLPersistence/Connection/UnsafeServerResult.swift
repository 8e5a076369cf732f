#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The rows that a statement returned, in binary form.
final class UnsafeServerResult {
  private let result: OpaquePointer?
  private let types: [Oid]
  let rowCount: Int

  /// - Parameter result: the result of libpq, which this object releases.
  init(_ result: OpaquePointer?) {
    self.result = result
    rowCount = Int(PQntuples(result))
    types = (0..<PQnfields(result)).map { PQftype(result, $0) }
  }

  deinit { PQclear(result) }

  /// The command that the server has carried out.
  var command: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

  /// The number of rows that the server has inserted, changed or deleted.
  var changeCount: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// A text in the place of NaN, which a tool may have written and no store can have.
  ///
  /// No decoder of a number takes a text, so the value is as unreadable as one of another type.
  private static let nan: StaticString = "NaN"

  /// Returns a value of a row in the result's memory.
  ///
  /// With `keepsNaN`, NaN is returned as a number, for a migration, which may correct it.
  func cell(_ row: Int, _ column: Int, keepsNaN: Bool = false) -> UnsafeStoredCell {
    let length = Int(PQgetlength(result, Int32(row), Int32(column)))
    if length == 0 && PQgetisnull(result, Int32(row), Int32(column)) == 1 { return .null }
    guard let start = PQgetvalue(result, Int32(row), Int32(column)) else { return .null }
    let bytes = UnsafeRawPointer(start)
    switch types[column] {
    case ServerType.bigint.rawValue:
      return .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    case ServerType.text.rawValue: return .text(bytes, count: length)
    case ServerType.double.rawValue:
      // A tool may have written -0.0.
      let pattern = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      let number = Double(bitPattern: pattern) + 0
      if number.isNaN && !keepsNaN {
        return .text(Self.nan.utf8Start, count: Self.nan.utf8CodeUnitCount)
      }
      return .real(number)
    case ServerType.bytea.rawValue: return .bytes(bytes, count: length)
    // Types that only the library's own statements return.
    case 23: return .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))))
    case 16: return .integer(bytes.load(as: UInt8.self) == 0 ? 0 : 1)
    default: return .text(bytes, count: length)
    }
  }

  /// Returns the number of bytes of a row's values.
  func size(of row: Int) -> Int {
    types.indices.reduce(0) { $0 + Int(PQgetlength(result, Int32(row), Int32($1))) }
  }

  func value(_ row: Int, _ column: Int, keepsNaN: Bool = false) -> StoredValue {
    cell(row, column, keepsNaN: keepsNaN).value
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

extension UnsafeRowCells {
  /// Returns the values of the attributes, which are the columns of a result's row from one on.
  ///
  /// They are valid for as long as the result exists.
  func load(
    _ result: UnsafeServerResult, _ row: Int, from first: Int
  ) -> UnsafePointer<UnsafeStoredCell> {
    for column in 0..<columnCount { columns[column] = result.cell(row, first + column) }
    return values
  }
}
#endif
