extension Storable where Self: FixedWidthInteger {
  /// A whole number.
  public static var storedType: StoredType { .integer }

  /// The number.
  @inlinable public var storedValue: StoredValue { .integer(Int64(self)) }

  /// The number, if it fits.
  @inlinable public init(storedValue: StoredValue) throws {
    guard case .integer(let number) = storedValue, let value = Self(exactly: number) else {
      throw StoredValueError(storedValue, type: Self.self)
    }
    self = value
  }
}

extension Int: Storable {}
extension Int8: Storable {}
extension Int16: Storable {}
extension Int32: Storable {}
extension Int64: Storable {}
extension UInt8: Storable {}
extension UInt16: Storable {}
extension UInt32: Storable {}

/// Half of the numbers of 64 bits without a sign are larger than any `integer`.
extension Storable where Self: FixedWidthInteger & UnsignedInteger, Self.Magnitude == Self {
  /// The number's eight bytes, the highest first, so that their order is the numbers'.
  fileprivate var wideValue: StoredValue {
    .bytes((0..<8).map { UInt8(truncatingIfNeeded: UInt64(self) >> (56 - 8 * UInt64($0))) })
  }

  fileprivate init(wideValue: StoredValue) throws {
    guard case .bytes(let bytes) = wideValue, bytes.count == 8,
      let value = Self(exactly: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    else { throw StoredValueError(wideValue, type: Self.self) }
    self = value
  }
}

extension UInt64: Storable {
  /// Bytes.
  public static var storedType: StoredType { .bytes }

  /// The eight bytes, the highest first.
  public var storedValue: StoredValue { wideValue }

  /// The number of eight bytes.
  public init(storedValue: StoredValue) throws { try self.init(wideValue: storedValue) }
}

extension UInt: Storable {
  /// Bytes.
  public static var storedType: StoredType { .bytes }

  /// The eight bytes, the highest first.
  public var storedValue: StoredValue { wideValue }

  /// The number of eight bytes.
  public init(storedValue: StoredValue) throws { try self.init(wideValue: storedValue) }
}

extension Bool: Storable {
  /// 0 or 1.
  public static var storedType: StoredType { .integer }

  /// 0 or 1.
  public var storedValue: StoredValue { StoredValue(self) }

  /// `false` for 0, `true` for 1.
  public init(storedValue: StoredValue) throws {
    switch storedValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: throw StoredValueError(storedValue, type: Bool.self)
    }
  }
}

extension Double: Storable {
  /// A number with a fraction.
  public static var storedType: StoredType { .real }

  /// The number, with 0.0 for -0.0.
  public var storedValue: StoredValue { .real(self == 0 ? 0 : self) }

  /// The number.
  public init(storedValue: StoredValue) throws {
    switch storedValue {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: throw StoredValueError(storedValue, type: Double.self)
    }
  }
}

extension Float: Storable {
  /// A number with a fraction.
  public static var storedType: StoredType { .real }

  /// The number, with 0.0 for -0.0.
  public var storedValue: StoredValue { Double(self).storedValue }

  /// The number, rounded to this type's precision.
  public init(storedValue: StoredValue) throws {
    self = Float(try Double(storedValue: storedValue))
  }
}

extension String: Storable {
  /// Text.
  public static var storedType: StoredType { .text }

  /// The text as it is.
  @inlinable public var storedValue: StoredValue { .text(self) }

  /// The text.
  @inlinable public init(storedValue: StoredValue) throws {
    guard case .text(let text) = storedValue else {
      throw StoredValueError(storedValue, type: String.self)
    }
    self = text
  }
}

extension [UInt8]: Storable {
  /// Bytes.
  public static var storedType: StoredType { .bytes }

  /// The bytes.
  public var storedValue: StoredValue { .bytes(self) }

  /// The bytes.
  public init(storedValue: StoredValue) throws {
    guard case .bytes(let bytes) = storedValue else {
      throw StoredValueError(storedValue, type: [UInt8].self)
    }
    self = bytes
  }
}
