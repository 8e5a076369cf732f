/// A type whose values a store can keep.
///
///     enum Fuel: String, Storable { case petrol, diesel }
///
/// Numbers, `Bool`, `String`, `[UInt8]` and optionals of storable types are storable. An enum with
/// a storable raw value needs no more code than this. `FoundationSupport` adds `UUID`, `Date`,
/// `URL`, `Data`, `Decimal` and any `Codable` type.
///
/// A value that `init(storedValue:)` makes has to have the stored form that it was made from. So an
/// `init(rawValue:)` either keeps its argument or returns nil, and doesn't round it. Otherwise
/// memory would have one value and a file another. A violation traps where it is found (S6): among
/// the first hundred objects, and in a debug build at each update.
///
/// A stored value needs value semantics. A class compiles if it is `Sendable`. But memory has the
/// instance itself, which may be changed without a commit, and a file makes a new one each time.
public protocol Storable: Sendable {
  /// The column's type.
  static var storedType: StoredType { get }
  /// True if the column may hold nil.
  static var storesNil: Bool { get }
  /// The stored form.
  var storedValue: StoredValue { get }
  /// Creates the value of a stored form.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if the stored form is not one of this type.
  init(storedValue: StoredValue) throws
}

extension Storable {
  /// False, since only optionals store nil.
  public static var storesNil: Bool { false }
}

extension Storable where Self: RawRepresentable, RawValue: Storable {
  /// The column type of the raw value.
  public static var storedType: StoredType { RawValue.storedType }

  /// The stored form of the raw value.
  public var storedValue: StoredValue { rawValue.storedValue }

  /// Creates the value with the stored raw value.
  ///
  /// - Throws: ``StoredValue/Mismatch`` if no value has this raw value; the error of the raw
  ///   value's initialiser.
  public init(storedValue: StoredValue) throws {
    guard let value = Self(rawValue: try RawValue(storedValue: storedValue)) else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    self = value
  }
}

extension Optional: Storable where Wrapped: Storable {
  /// The column type of the wrapped type.
  public static var storedType: StoredType { Wrapped.storedType }

  /// True, since an optional may be nil.
  public static var storesNil: Bool { true }

  /// The stored form of the wrapped value, or of nil.
  public var storedValue: StoredValue { self?.storedValue ?? .null }

  /// Creates the value, or nil.
  ///
  /// - Throws: The error of the wrapped type's initialiser.
  public init(storedValue: StoredValue) throws {
    self = storedValue.isNull ? .none : .some(try Wrapped(storedValue: storedValue))
  }
}
