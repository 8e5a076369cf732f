public import EntityStore
public import Foundation

extension Date: Storable {
  /// A number with a fraction.
  public static var storedType: StoredType { .real }

  /// Seconds since 1970, which SQLite's `datetime(…, 'unixepoch')` reads.
  ///
  /// A date keeps seconds since 2001, so after 1970 less than a microsecond is lost. What is read
  /// back has the same stored form again.
  public var storedValue: StoredValue { timeIntervalSince1970.storedValue }

  /// The date so many seconds after 1970.
  public init(storedValue: StoredValue) throws {
    self.init(timeIntervalSince1970: try Double(storedValue: storedValue))
  }
}
