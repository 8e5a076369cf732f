#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A row that a trigger has logged: an object as it was, or the id of an object that wasn't there.
struct ToolRow {
  private let bytes: [UInt8]
  private var place = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the object in a row's content, or nil if it doesn't fit the entity.
  static func object(
    _ content: [UInt8], wasAbsent: Bool, _ layout: ChangeLogLayout
  ) -> ChangeLogObjects.Object? {
    var row = ToolRow(content)
    let columns = wasAbsent ? layout.identity.map { layout.places[$0] } : layout.places
    var values: [StoredValue] = []
    for column in columns {
      guard let value = row.value(ServerType(column.type)) else { return nil }
      values.append(value)
    }
    guard row.place == content.count else { return nil }
    return wasAbsent ? layout.absentObject(values) : layout.wholeObject(values)
  }

  private mutating func value(_ type: ServerType) -> StoredValue? {
    guard let length = number(4).map({ Int(Int32(truncatingIfNeeded: $0)) }) else { return nil }
    if length == -1 { return .null }
    guard length >= 0, length <= bytes.count - place else { return nil }
    switch type {
    case .bigint: return length == 8 ? number(8).map { .integer(Int64(bitPattern: $0)) } : nil
    case .double: return length == 8 ? number(8).map { .real(Double(bitPattern: $0)) } : nil
    case .text, .bytea:
      defer { place += length }
      let part = bytes[place..<place + length]
      return type == .bytea ? .bytes(Array(part)) : .text(String(decoding: part, as: UTF8.self))
    }
  }

  private mutating func number(_ count: Int) -> UInt64? {
    guard count <= bytes.count - place else { return nil }
    defer { place += count }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
#endif
