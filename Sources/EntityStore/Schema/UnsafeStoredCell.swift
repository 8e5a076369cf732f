/// One stored value of a row, as a storage's own memory has it.
///
/// A row is made of such cells without a copy of its text and bytes on the way. Their memory is the
/// storage's, and there for as long as a row is made.
package struct UnsafeStoredCell {
  /// What the value is.
  package enum Kind: UInt8 {
    case null, integer, real, text, bytes
    /// The parts of a composite id, which are `count` cells at `address`.
    case list
  }

  private let kind: Kind
  /// How many bytes or parts there are.
  private let count: Int
  /// The whole number, or the bits of one with a fraction.
  private let number: Int64
  private let address: UnsafeRawPointer?

  private init(_ kind: Kind, number: Int64 = 0, count: Int = 0, address: UnsafeRawPointer? = nil) {
    self.kind = kind
    self.number = number
    self.count = count
    self.address = address
  }

  /// No value.
  package static var null: UnsafeStoredCell { UnsafeStoredCell(.null) }

  /// A whole number.
  package static func integer(_ number: Int64) -> UnsafeStoredCell {
    UnsafeStoredCell(.integer, number: number)
  }

  /// A number with a fraction.
  package static func real(_ number: Double) -> UnsafeStoredCell {
    UnsafeStoredCell(.real, number: Int64(bitPattern: number.bitPattern))
  }

  /// Text, in UTF-8.
  package static func text(_ address: UnsafeRawPointer?, count: Int) -> UnsafeStoredCell {
    UnsafeStoredCell(.text, count: count, address: address)
  }

  /// Bytes.
  package static func bytes(_ address: UnsafeRawPointer?, count: Int) -> UnsafeStoredCell {
    UnsafeStoredCell(.bytes, count: count, address: address)
  }

  /// The parts of a composite id.
  package static func list(
    _ parts: UnsafePointer<UnsafeStoredCell>, count: Int
  ) -> UnsafeStoredCell {
    UnsafeStoredCell(.list, count: count, address: UnsafeRawPointer(parts))
  }

  /// Whether there is no value.
  package var isNull: Bool { kind == .null }

  /// The value, with a copy of its memory.
  ///
  /// Text that isn't UTF-8 is bytes.
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

  /// The whole number, or nil if it is none that fits.
  @inline(__always) var int: Int? { kind == .integer ? Int(exactly: number) : nil }

  /// The number with a fraction, or nil if it is none.
  @inline(__always) var double: Double? {
    kind == .real ? Double(bitPattern: UInt64(bitPattern: number)) : nil
  }

  /// The text, or nil if it is none.
  @inline(__always) var string: String? {
    kind == .text ? String(exactly: textBytes) : nil
  }
}
