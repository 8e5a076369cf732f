extension Storable where Self: FixedWidthInteger {
  /// The column type of whole numbers.
  public static var storedType: StoredType { .integer }

  /// The number.
  @inlinable public var storedValue: StoredValue { .integer(Int64(self)) }

  /// Creates the number if it fits.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't a whole number that fits.
  @inlinable public init(storedValue: StoredValue) throws {
    guard case .integer(let number) = storedValue, let value = Self(exactly: number) else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    self = value
  }
}

extension Int: Storable, StoredExactly {}
extension Int8: Storable, StoredExactly {}
extension Int16: Storable, StoredExactly {}
extension Int32: Storable, StoredExactly {}
extension Int64: Storable, StoredExactly {}
extension UInt8: Storable, StoredExactly {}
extension UInt16: Storable, StoredExactly {}
extension UInt32: Storable, StoredExactly {}

/// Half of the unsigned numbers of 64 bits are larger than any `integer`.
extension Storable where Self: FixedWidthInteger & UnsignedInteger, Self.Magnitude == Self {
  /// The number's eight bytes, the highest first, so that they have the order of the numbers.
  fileprivate var wideValue: StoredValue {
    .bytes((0..<8).map { UInt8(truncatingIfNeeded: UInt64(self) >> (56 - 8 * UInt64($0))) })
  }

  fileprivate init(wideValue: StoredValue) throws {
    guard case .bytes(let bytes) = wideValue, bytes.count == 8,
      let value = Self(exactly: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    else { throw StoredValue.Mismatch(wideValue, type: Self.self) }
    self = value
  }
}

extension UInt64: Storable, StoredExactly {
  /// The column type of bytes.
  public static var storedType: StoredType { .bytes }

  /// The eight bytes, the highest first.
  public var storedValue: StoredValue { wideValue }

  /// Creates the number from its eight bytes.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't eight bytes.
  public init(storedValue: StoredValue) throws { try self.init(wideValue: storedValue) }
}

extension UInt: Storable, StoredExactly {
  /// The column type of bytes.
  public static var storedType: StoredType { .bytes }

  /// The eight bytes, the highest first.
  public var storedValue: StoredValue { wideValue }

  /// Creates the number from its eight bytes.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't eight bytes, or the number doesn't
  ///   fit.
  public init(storedValue: StoredValue) throws { try self.init(wideValue: storedValue) }
}

extension Bool: Storable, StoredExactly {
  /// The column type of whole numbers.
  public static var storedType: StoredType { .integer }

  /// The number 0 for `false`, or 1 for `true`.
  public var storedValue: StoredValue { StoredValue(self) }

  /// Creates `false` from 0 and `true` from 1.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't 0 or 1.
  public init(storedValue: StoredValue) throws {
    switch storedValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: throw StoredValue.Mismatch(storedValue, type: Bool.self)
    }
  }
}

extension Double: Storable, StoredExactly {
  /// The column type of numbers with a fraction.
  public static var storedType: StoredType { .real }

  /// The number, with 0.0 for -0.0.
  public var storedValue: StoredValue { .real(self == 0 ? 0 : self) }

  /// Creates the number.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't a number.
  public init(storedValue: StoredValue) throws {
    switch storedValue {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: throw StoredValue.Mismatch(storedValue, type: Double.self)
    }
  }
}

extension Float: Storable, StoredExactly {
  /// The column type of numbers with a fraction.
  public static var storedType: StoredType { .real }

  /// The number, with 0.0 for -0.0.
  public var storedValue: StoredValue { Double(self).storedValue }

  /// Creates the number, rounded to this type's precision.
  ///
  /// A `Float` that the app has stored isn't changed by that. A number of another program may be: a
  /// file then compares the number that was written.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't a number.
  public init(storedValue: StoredValue) throws {
    self = Float(try Double(storedValue: storedValue))
  }
}

extension String: Storable, StoredExactly {
  /// The column type of text.
  public static var storedType: StoredType { .text }

  /// The text, unchanged.
  @inlinable public var storedValue: StoredValue { .text(self) }

  /// Creates the text.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't text.
  @inlinable public init(storedValue: StoredValue) throws {
    guard case .text(let text) = storedValue else {
      throw StoredValue.Mismatch(storedValue, type: String.self)
    }
    self = text
  }
}

extension [UInt8]: Storable, StoredExactly {
  /// The column type of bytes.
  public static var storedType: StoredType { .bytes }

  /// The bytes.
  public var storedValue: StoredValue { .bytes(self) }

  /// Creates the bytes.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form isn't bytes.
  public init(storedValue: StoredValue) throws {
    guard case .bytes(let bytes) = storedValue else {
      throw StoredValue.Mismatch(storedValue, type: [UInt8].self)
    }
    self = bytes
  }
}
