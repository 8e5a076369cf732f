@_spi(Storage) internal import EntityStore

/// A reader of the rows that `ChangeLogWriter` has written.
package struct ChangeLogReader {
  private let row: [UInt8]
  private var place = 1

  package init(_ row: [UInt8]) { self.row = row }

  /// Reads the objects of the known entities, or returns false if the row can't be read.
  package mutating func read(
    _ table: ([UInt8]) -> (place: Int, layout: ChangeLogLayout)?,
    add: (Int, ChangeLogObjects.Object) -> Void
  ) -> Bool {
    while place < row.count {
      guard let count = count(), let name = bytes(count), let signature: UInt64 = number(),
        let length = number().flatMap({ Self.length($0, within: row.count - place) })
      else { return false }
      let end = place + length
      guard let (index, layout) = table(Array(name)) else {
        place = end
        continue
      }
      guard layout.signature == signature else { return false }
      while place < end {
        guard let object = object(layout) else { return false }
        add(index, object)
      }
      if place != end { return false }
    }
    return true
  }

  /// Returns a length that a row states, or nil if fewer bytes are left.
  package static func length<Length: FixedWidthInteger>(_ length: UInt32, within rest: Length)
    -> Length?
  {
    Length(exactly: length).flatMap { $0 <= rest ? $0 : nil }
  }

  private mutating func object(_ layout: ChangeLogLayout) -> ChangeLogObjects.Object? {
    guard place < row.count else { return nil }
    let kind = row[place]
    place += 1
    switch kind {
    case ChangeLogWriter.inserted:
      return values(layout.identity.count).flatMap(layout.absentObject)
    case ChangeLogWriter.deleted: return values(layout.places.count).flatMap(layout.wholeObject)
    case ChangeLogWriter.updated:
      guard let id = values(layout.identity.count), layout.mayHave(id: id),
        let mask = bytes((layout.places.count + 7) / 8).map(Array.init),
        // An object keeps its id, and has no further columns.
        !layout.identity.contains(where: { mask[$0 / 8] & 1 << UInt8($0 % 8) != 0 }),
        layout.places.count % 8 == 0 || mask[mask.count - 1] >> UInt8(layout.places.count % 8) == 0
      else { return nil }
      var values = [StoredValue?](repeating: nil, count: layout.places.count)
      for (index, value) in zip(layout.identity, id) { values[index] = value }
      for index in values.indices where mask[index / 8] & 1 << UInt8(index % 8) != 0 {
        guard let value = value(), layout.places[index].mayHave(value) else { return nil }
        values[index] = value
      }
      // A store writes a row again if its unique key changes.
      return ChangeLogObjects.Object(
        id: layout.id(id), wasAbsent: false, values: values,
        isRewritten: layout.uniquePlaces.contains { mask[$0 / 8] & 1 << UInt8($0 % 8) != 0 })
    default: return nil
    }
  }

  private mutating func values(_ count: Int) -> [StoredValue]? {
    var values: [StoredValue] = []
    for _ in 0..<count {
      guard let value = value() else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func value() -> StoredValue? {
    guard place < row.count else { return nil }
    let kind = row[place]
    place += 1
    switch kind {
    case ChangeLogWriter.null: return .null
    case ChangeLogWriter.integer:
      return groups().map { .integer(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
    case ChangeLogWriter.real:
      guard let bits: UInt64 = number() else { return nil }
      return .real(Double(bitPattern: bits))
    case ChangeLogWriter.text:
      guard let bytes = count().flatMap({ bytes($0) }) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      // A store writes UTF-8. Other bytes would become the text of another object.
      return text.utf8.elementsEqual(bytes) ? .text(text) : nil
    case ChangeLogWriter.bytes: return count().flatMap { bytes($0) }.map { .bytes(Array($0)) }
    default: return nil
    }
  }

  private mutating func groups() -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < row.count, shift < 64 {
      let byte = row[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    return nil
  }

  private mutating func count() -> Int? { groups().flatMap { Int(exactly: $0) } }

  private mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= row.count - place else { return nil }
    defer { place += count }
    return row[place..<place + count]
  }

  private mutating func number<Number: FixedWidthInteger>() -> Number? {
    let size = Number.bitWidth / 8
    return bytes(size).map { bytes in
      bytes.reversed().reduce(into: Number(0)) { $0 = ($0 << 8) | Number(truncatingIfNeeded: $1) }
    }
  }
}
