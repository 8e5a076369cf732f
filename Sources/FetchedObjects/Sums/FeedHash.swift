internal import EntityStore

/// A hash of 64 bits that is the same in every process and on every system.
///
/// It is FNV-1a over stored values. The algorithm is by Fowler, Noll and Vo:
/// https://datatracker.ietf.org/doc/draft-eastlake-fnv
///
/// A value is hashed as a byte for its kind, followed by its content. A number is eight bytes, the
/// lowest first. Other content is eight bytes of a length, and then the UTF-8, the bytes or the
/// parts.
struct FeedHash: Sendable, Hashable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The kind that a hash begins with, so that a section is never mistaken for a row.
  private enum Start: UInt8 {
    case row = 1
    case section = 2
  }

  init() {}

  /// Creates the beginning of a row's hash, from the names of the values of other objects.
  ///
  /// These values come after the row's own.
  init(ofRowsWith names: [String]) {
    combine(Start.row.rawValue)
    combine(UInt64(names.count))
    for name in names { combine(.text(name)) }
  }

  init(ofSection identity: StoredValue, title: String) {
    combine(Start.section.rawValue)
    combine(identity)
    combine(.text(title))
  }

  mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  private mutating func combine(_ number: UInt64) {
    for shift in stride(from: 0, to: UInt64(64), by: 8) {
      combine(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func combine(_ stored: StoredValue) {
    switch stored {
    case .null: combine(0 as UInt8)
    case .integer(let number):
      combine(1 as UInt8)
      combine(UInt64(bitPattern: number))
    case .real(let number):
      combine(2 as UInt8)
      combine(number == 0 ? 0 : number.bitPattern)
    case .text(var text):
      combine(3 as UInt8)
      text.withUTF8 { combine($0) }
    case .bytes(let bytes):
      combine(4 as UInt8)
      bytes.withUnsafeBufferPointer { combine($0) }
    case .list(let parts):
      combine(5 as UInt8)
      combine(UInt64(parts.count))
      for part in parts { combine(part) }
    }
  }

  private mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
    combine(UInt64(bytes.count))
    for byte in bytes { combine(byte) }
  }
}
