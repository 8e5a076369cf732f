@_spi(Storage) internal import EntityStore

/// A reader of the rows that triggers have logged.
package struct TriggerRowReader {
  /// The first byte: `T`.
  package static let form: UInt8 = 0x54

  private let row: [UInt8]
  private var place = 1

  package init(_ row: [UInt8]) { self.row = row }

  /// Reads the objects if their entity is known, or returns false if the row can't be read.
  package mutating func read(
    _ table: ([UInt8]) -> (place: Int, layout: ChangeLogLayout)?,
    add: (Int, Record) -> Void
  ) -> Bool {
    guard let name = field(",").flatMap(TextBytes.bytes), let signature = field(";") else {
      return false
    }
    guard let (index, layout) = table(name) else { return true }
    guard UInt64(String(decoding: signature, as: UTF8.self), radix: 16) == layout.signature else {
      return false
    }
    while place < row.count {
      guard let record = record(layout) else { return false }
      add(index, record)
    }
    return true
  }

  /// A part of a row.
  package enum Record {
    /// An object as it was, written before it changed.
    case before(ChangeLogObjects.Object)
    /// The beginning of an insertion for which SQLite is going to give the id.
    case givingID
    /// An inserted object, perhaps with an id that SQLite gave.
    ///
    /// Earlier rows may already describe it.
    case after(ChangeLogObjects.Object)
  }

  private mutating func record(_ layout: ChangeLogLayout) -> Record? {
    let kind = row[place]
    place += 1
    switch kind {
    case UInt8(ascii: "G"): return field(";").flatMap { $0.isEmpty ? .givingID : nil }
    case UInt8(ascii: "N"):
      return values(layout.identity.count).flatMap(layout.absentObject).map { .after($0) }
    case UInt8(ascii: "I"):
      return values(layout.identity.count).flatMap(layout.absentObject).map { .before($0) }
    case UInt8(ascii: "R"):
      return values(layout.places.count).flatMap(layout.wholeObject).map { .before($0) }
    default: return nil
    }
  }

  private mutating func values(_ count: Int) -> [StoredValue]? {
    var values: [StoredValue] = []
    for index in 0..<count {
      guard let field = field(index == count - 1 ? ";" : ","), let value = Self.value(field) else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  /// Returns the bytes before the next `end`.
  private mutating func field(_ end: Unicode.Scalar) -> ArraySlice<UInt8>? {
    guard let stop = row[place...].firstIndex(of: UInt8(ascii: end)) else { return nil }
    defer { place = stop + 1 }
    return row[place..<stop]
  }

  private static func value(_ field: ArraySlice<UInt8>) -> StoredValue? {
    let rest = field.dropFirst()
    switch field.first {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "i"):
      return Int64(String(decoding: rest, as: UTF8.self)).map { .integer($0) }
    case UInt8(ascii: "r"):
      // Infinity is "Inf", or "9.0e+999" in rows of older triggers.
      return Double(String(decoding: rest, as: UTF8.self)).map { .real($0) }
    case UInt8(ascii: "t"):
      guard let bytes = TextBytes.bytes(rest) else { return nil }
      // A tool may have written text that isn't UTF-8. It would be read as a different text.
      return bytes.withUnsafeBufferPointer { String(exactly: $0) }.map { .text($0) }
    case UInt8(ascii: "b"): return TextBytes.bytes(rest).map { .bytes($0) }
    default: return nil
    }
  }
}
