public import EntityStore

/// A `Codable` value is stored as JSON, without any further code.
///
///     struct Address: Codable, Storable {
///       var street: String
///       var city: String
///     }
///
/// The text has its keys in order, no spaces and no escaped slashes. So equal values have equal
/// texts, and conditions can compare them: `$0.address == home`. Sets, and dictionaries with keys
/// other than text and numbers, are in the order of their elements' JSON. Texts in it are compared
/// by their bytes (S8), so two spellings of one character make two texts. Apart from that, only a
/// custom `encode(to:)` may give one value several texts. NaN and infinity are written as text, and
/// -0.0 as 0.
///
/// A text of another form can be read, too: that of an older version of the type, or of a tool. A
/// file compares texts, so to a condition, a unique key or an order it is another value. Write such
/// rows again in a migration.
///
/// Each read of the stored form encodes the value, which takes microseconds. If you search for a
/// part of the value or sort by it, make that part a separate attribute. A type with a raw value is
/// stored as its raw value.
extension Storable where Self: Codable {
  // The members are disfavoured, so that `Int.storedType` isn't ambiguous: numbers are Codable,
  // too.

  /// The stored type: text.
  @_disfavoredOverload
  public static var storedType: StoredType { .text }

  /// The value as JSON.
  ///
  /// - Precondition: The value can be encoded: a custom `encode(to:)` doesn't throw, no `Decimal`
  ///   in it is NaN, and it isn't nested in more than 500 levels.
  @_disfavoredOverload
  public var storedValue: StoredValue { .text(StableJSON.text(of: self)) }

  /// Creates the value from its JSON.
  ///
  /// - Throws: `StoredValue.Mismatch` if the stored form isn't the JSON of such a value.
  @_disfavoredOverload
  public init(storedValue: StoredValue) throws {
    guard case .text(let text) = storedValue, let value = StableJSON.value(of: text, as: Self.self)
    else { throw StoredValue.Mismatch(storedValue, type: Self.self) }
    self = value
  }
}

extension Storable where Self: RawRepresentable & Codable, RawValue: Storable {
  /// The stored type of the raw value.
  public static var storedType: StoredType { RawValue.storedType }

  /// The stored form of the raw value.
  public var storedValue: StoredValue { rawValue.storedValue }

  /// Creates the value with the stored raw value.
  ///
  /// - Throws: `StoredValue.Mismatch` if no value has it; the error of the raw value's initialiser.
  public init(storedValue: StoredValue) throws {
    guard let value = Self(rawValue: try RawValue(storedValue: storedValue)) else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    self = value
  }
}
