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
  /// Text that isn't UTF-8 is mended as Swift mends it.
  package var value: StoredValue {
    switch kind {
    case .null: return .null
    case .integer: return .integer(number)
    case .real: return .real(Double(bitPattern: UInt64(bitPattern: number)))
    case .text: return .text(text)
    case .bytes: return .bytes(Array(UnsafeRawBufferPointer(start: address, count: count)))
    case .list:
      guard let address else { return .list([]) }
      let parts = address.assumingMemoryBound(to: UnsafeStoredCell.self)
      return .list((0..<count).map { parts[$0].value })
    }
  }

  private var text: String {
    guard let address else { return "" }
    return String(
      decoding: UnsafeBufferPointer(
        start: address.assumingMemoryBound(to: UInt8.self), count: count),
      as: UTF8.self)
  }

  /// The value of a type whose stored form is well known, or nil if it is another type, or the cell
  /// isn't one of it.
  ///
  /// Each case gives what the type's `init(storedValue:)` does.
  @inline(__always)
  func known<Value>(as type: Value.Type) -> Value? {
    if type == Int.self {
      guard kind == .integer, let number = Int(exactly: number) else { return nil }
      return unsafeBitCast(number, to: type)
    }
    if type == Int64.self {
      return kind == .integer ? unsafeBitCast(number, to: type) : nil
    }
    if type == String.self { return kind == .text ? unsafeBitCast(text, to: type) : nil }
    if type == Double.self {
      return kind == .real
        ? unsafeBitCast(Double(bitPattern: UInt64(bitPattern: number)), to: type) : nil
    }
    if type == Int?.self {
      if kind == .null { return unsafeBitCast(Int?.none, to: type) }
      guard kind == .integer, let number = Int(exactly: number) else { return nil }
      return unsafeBitCast(Int?.some(number), to: type)
    }
    if type == String?.self {
      if kind == .null { return unsafeBitCast(String?.none, to: type) }
      return kind == .text ? unsafeBitCast(String?.some(text), to: type) : nil
    }
    if type == Double?.self {
      if kind == .null { return unsafeBitCast(Double?.none, to: type) }
      return kind == .real
        ? unsafeBitCast(Double?.some(Double(bitPattern: UInt64(bitPattern: number))), to: type)
        : nil
    }
    return nil
  }
}
