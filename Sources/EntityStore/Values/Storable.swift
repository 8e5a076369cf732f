/// A type whose values a store can keep.
///
///     enum Fuel: String, Storable { case petrol, diesel }
///
/// Numbers, `Bool`, `String`, `[UInt8]`, optionals of storable types and, with nothing more to
/// write, enums with a storable raw value are. `FoundationSupport` adds `UUID`, `Date`, `URL`, `Data`,
/// `Decimal` and any `Codable` type.
///
/// `init(storedValue:)` of `storedValue` gives a value with the same stored form. So an `init(rawValue:)` keeps what
/// it is given or refuses it, and doesn't round it: memory would have one value, and a file another. That stops the
/// program where it is found (S6): among the first hundred objects, and in a debug build with each update.
///
/// A stored value is a value. A class compiles where it is `Sendable`, but memory has the instance itself, which may be
/// changed without a commit, and a file gives a new one each time.
public protocol Storable: Sendable {
  /// The column's type.
  static var storedType: StoredType { get }
  /// Whether the column may hold nil.
  static var storesNil: Bool { get }
  /// The stored form.
  var storedValue: StoredValue { get }
  /// The value of a stored form.
  ///
  /// - Throws: ``StoredValueError`` if the stored form is not one of this type.
  init(storedValue: StoredValue) throws
}

extension Storable {
  /// No: only optionals do.
  public static var storesNil: Bool { false }
}

extension Storable where Self: RawRepresentable, RawValue: Storable {
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

extension Optional: Storable where Wrapped: Storable {
  /// The wrapped type's.
  public static var storedType: StoredType { Wrapped.storedType }

  /// Yes.
  public static var storesNil: Bool { true }

  /// The wrapped value's, or nil's.
  public var storedValue: StoredValue { self?.storedValue ?? .null }

  /// The value, or nil.
  public init(storedValue: StoredValue) throws {
    self = storedValue.isNull ? .none : .some(try Wrapped(storedValue: storedValue))
  }
}
