/// One stored value of a row, in the storage's own memory.
///
/// A row is made of such cells without copying text and bytes in between. The storage owns their
/// memory, and keeps it while a row is made.
package struct UnsafeStoredCell {
  /// The type of the value.
  package enum Kind: UInt8 {
    case null, integer, real, text, bytes
    /// The parts of a composite id: `count` cells at `address`.
    case list
  }

  private let kind: Kind
  /// The number of bytes or parts.
  private let count: Int
  /// The whole number, or the bits of a number with a fraction.
  private let number: Int64
  private let address: UnsafeRawPointer?

  private init(_ kind: Kind, number: Int64 = 0, count: Int = 0, address: UnsafeRawPointer? = nil) {
    self.kind = kind
    self.number = number
    self.count = count
    self.address = address
  }

  package static var null: UnsafeStoredCell { UnsafeStoredCell(.null) }

  package static func integer(_ number: Int64) -> UnsafeStoredCell {
    UnsafeStoredCell(.integer, number: number)
  }

  package static func real(_ number: Double) -> UnsafeStoredCell {
    UnsafeStoredCell(.real, number: Int64(bitPattern: number.bitPattern))
  }

  /// Returns a cell of text in UTF-8.
  package static func text(_ address: UnsafeRawPointer?, count: Int) -> UnsafeStoredCell {
    UnsafeStoredCell(.text, count: count, address: address)
  }

  package static func bytes(_ address: UnsafeRawPointer?, count: Int) -> UnsafeStoredCell {
    UnsafeStoredCell(.bytes, count: count, address: address)
  }

  /// Returns a cell of the parts of a composite id.
  package static func list(
    _ parts: UnsafePointer<UnsafeStoredCell>, count: Int
  ) -> UnsafeStoredCell {
    UnsafeStoredCell(.list, count: count, address: UnsafeRawPointer(parts))
  }

  package var isNull: Bool { kind == .null }

  /// The value, with a copy of its memory.
  ///
  /// Text that isn't UTF-8 becomes bytes.
  package var value: StoredValue {
    switch kind {
    case .null: return .null
    case .integer: return .integer(number)
    case .real: return .real(Double(bitPattern: UInt64(bitPattern: number)))
    case .text: return StoredValue(textOf: textBytes)
    case .bytes: return .bytes(Array(UnsafeRawBufferPointer(start: address, count: count)))
    case .list:
      guard let address else { return .list([]) }
      let parts = address.assumingMemoryBound(to: UnsafeStoredCell.self)
      return .list((0..<count).map { parts[$0].value })
    }
  }

  private var textBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: address?.assumingMemoryBound(to: UInt8.self), count: count)
  }

  // MARK: Well-known types

  /// The whole number, or nil if the value is none or doesn't fit.
  @inline(__always) var int: Int? { kind == .integer ? Int(exactly: number) : nil }

  /// The number with a fraction, or nil if the value is none.
  @inline(__always) var double: Double? {
    kind == .real ? Double(bitPattern: UInt64(bitPattern: number)) : nil
  }

  /// The text, or nil if the value is none.
  @inline(__always) var string: String? {
    kind == .text ? String(exactly: textBytes) : nil
  }
}
