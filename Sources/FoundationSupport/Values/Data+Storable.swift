public import EntityStore
public import Foundation

extension Data: Storable {
  /// The stored type: bytes.
  public static var storedType: StoredType { .bytes }

  /// The bytes.
  public var storedValue: StoredValue { .bytes(Array(self)) }

  /// Creates data from stored bytes.
  ///
  /// - Throws: `StoredValue.Mismatch` if the stored form isn't bytes.
  public init(storedValue: StoredValue) throws {
    guard case .bytes(let bytes) = storedValue else {
      throw StoredValue.Mismatch(storedValue, type: Data.self)
    }
    self.init(bytes)
  }
}
