@_spi(Storage) package import EntityStore

/// A writer of change log rows for commits of a store.
///
/// The first byte is `form`. For each entity, these follow: its name, the signature of its columns,
/// the number of its bytes, and its objects. An inserted object is written as its id, and a deleted
/// one as all its old values. An updated object is written as its id, the columns that changed, and
/// their old values. New values are in the file. A number of bytes or of columns is written in
/// groups of seven bits.
package struct ChangeLogWriter {
  /// The first byte of a row that a store wrote.
  package static let form: UInt8 = 1
  /// The first byte of a row without content, which would be too long with it.
  package static let unlogged: UInt8 = 0

  package static let null: UInt8 = 0
  package static let integer: UInt8 = 1
  package static let real: UInt8 = 2
  package static let text: UInt8 = 3
  package static let bytes: UInt8 = 4

  package static let inserted: UInt8 = 0
  package static let deleted: UInt8 = 1
  package static let updated: UInt8 = 2

  /// The number of bytes that a row may have.
  private let limit: Int
  package private(set) var row: [UInt8] = []

  package init(limit: Int) { self.limit = limit }

  /// Begins the next row.
  package mutating func reset() {
    row.removeAll(keepingCapacity: row.capacity < 65_536)
    row.append(Self.form)
  }

  /// Makes the row one without content.
  package mutating func giveUp() { row = [Self.unlogged] }

  /// Writes an entity's changes.
  ///
  /// - Returns: false if the row is too long. The row then has no content.
  package mutating func append(_ table: TableChanges, _ layout: ChangeLogLayout) -> Bool {
    append(count: layout.name.count)
    row.append(contentsOf: layout.name)
    append(layout.signature)
    let start = row.count
    append(UInt32(0))
    let all = table.all
    // Positions are used, so that no change is copied.
    for place in all.indices {
      if let old = all[place].old {
        append(old, all[place].new, id: all[place].id, layout)
      } else if case .some = all[place].new {
        row.append(Self.inserted)
        append(id: all[place].id)
      }
      if row.count > limit {
        giveUp()
        return false
      }
    }
    let count = UInt32(row.count - start - 4)
    for byte in 0..<4 { row[start + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte)) }
    return true
  }

  private mutating func append(
    _ old: EntityRow, _ new: EntityRow?, id: StoredValue, _ layout: ChangeLogLayout
  ) {
    guard let new else {
      row.append(Self.deleted)
      for place in layout.places { append(layout.value(of: old, in: place)) }
      return
    }
    row.append(Self.updated)
    append(id: id)
    let mask = row.count
    row.append(contentsOf: repeatElement(0, count: (layout.places.count + 7) / 8))
    for index in layout.places.indices
    where !old.isEqual(to: new, at: layout.places[index].attribute) {
      row[mask + index / 8] |= 1 << UInt8(index % 8)
      append(layout.value(of: old, in: layout.places[index]))
    }
  }

  private mutating func append(id: StoredValue) {
    // The parts of a composite id are written in the order of its columns.
    guard case .list(let parts) = id else { return append(id) }
    for part in parts { append(part) }
  }

  private mutating func append(_ value: StoredValue) {
    switch value {
    case .null, .list: row.append(Self.null)
    case .integer(let number):
      row.append(Self.integer)
      // Small numbers are short, including negative ones.
      append(count: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    case .real(let number):
      row.append(Self.real)
      // A stored form that is written by hand may be -0.0, which the file hasn't.
      append((number == 0 ? 0 : number).bitPattern)
    case .text(var text):
      row.append(Self.text)
      text.withUTF8 { bytes in
        append(count: bytes.count)
        row.append(contentsOf: bytes)
      }
    case .bytes(let bytes):
      row.append(Self.bytes)
      append(count: bytes.count)
      row.append(contentsOf: bytes)
    }
  }

  private mutating func append(count: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: count)
    while rest >= 0x80 {
      row.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    row.append(UInt8(rest))
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    for byte in 0..<number.bitWidth / 8 {
      row.append(UInt8(truncatingIfNeeded: number >> (8 * byte)))
    }
  }
}
