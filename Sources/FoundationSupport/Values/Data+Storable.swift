public import EntityStore
public import Foundation

extension Data: Storable {
  /// Bytes.
  public static var storedType: StoredType { .bytes }

  /// The bytes.
  public var storedValue: StoredValue { .bytes(Array(self)) }

  /// The bytes.
  public init(storedValue: StoredValue) throws {
    guard case .bytes(let bytes) = storedValue else {
      throw StoredValueError(storedValue, type: Data.self)
    }
    self.init(bytes)
  }
}
