public import EntityStore
public import Foundation

extension Date: Storable {
  /// The stored type: a number with a fraction.
  public static var storedType: StoredType { .real }

  /// The seconds since 1970, which SQLite's `datetime(…, 'unixepoch')` reads.
  ///
  /// A date keeps seconds since 2001, so after 1970 less than a microsecond is lost. A date that is
  /// read back has the same stored form again.
  public var storedValue: StoredValue { timeIntervalSince1970.storedValue }

  /// Creates the date that many seconds after 1970.
  ///
  /// - Throws: `StoredValue.Mismatch` if the stored form isn't a number.
  public init(storedValue: StoredValue) throws {
    self.init(timeIntervalSince1970: try Double(storedValue: storedValue))
  }
}
