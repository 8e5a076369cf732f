public import EntityStore

/// A `Codable` value is stored as JSON, with nothing more to write.
///
///     struct Address: Codable, Storable {
///       var street: String
///       var city: String
///     }
///
/// The text has its keys in order, no spaces and no escaped slashes, so equal values have equal
/// texts and conditions can ask for them: `$0.address == home`. Sets, and dictionaries with keys other
/// than text and numbers, are in the order of their elements' JSON. Only an `encode(to:)` of your own
/// may still give one value several texts. NaN and infinity are written as text.
///
/// Each read of the stored form encodes the value, which takes microseconds; what is searched for or
/// sorted by is better an attribute of its own. A type with a raw value is stored as that.
extension Storable where Self: Codable {
  // Disfavoured, so that `Int.storedType` written out isn't ambiguous: numbers are Codable too.

  /// Text.
  @_disfavoredOverload
  public static var storedType: StoredType { .text }

  /// The value as JSON.
  ///
  /// - Precondition: the value can be encoded: an `encode(to:)` of its own doesn't throw.
  @_disfavoredOverload
  public var storedValue: StoredValue { .text(JSONText.text(of: self)) }

  /// The value that the JSON says.
  @_disfavoredOverload
  public init(storedValue: StoredValue) throws {
    guard case .text(let text) = storedValue, let value = JSONText.value(of: text, as: Self.self)
    else { throw StoredValueError(storedValue, type: Self.self) }
    self = value
  }
}

extension Storable where Self: RawRepresentable & Codable, RawValue: Storable {
  /// The raw value's.
  public static var storedType: StoredType { RawValue.storedType }

  /// The raw value's.
  public var storedValue: StoredValue { rawValue.storedValue }

  /// The value with the stored raw value.
  public init(storedValue: StoredValue) throws {
    guard let value = Self(rawValue: try RawValue(storedValue: storedValue)) else {
      throw StoredValueError(storedValue, type: Self.self)
    }
    self = value
  }
}
