public import EntityStore
public import Foundation

extension UUID: Storable {
  /// The stored type: bytes.
  public static var storedType: StoredType { .bytes }

  /// The 16 bytes.
  public var storedValue: StoredValue {
    withUnsafeBytes(of: uuid) { .bytes(Array($0)) }
  }

  /// Creates the UUID of 16 bytes.
  ///
  /// - Throws: `StoredValue.Mismatch` if the stored form isn't 16 bytes.
  public init(storedValue: StoredValue) throws {
    guard case .bytes(let bytes) = storedValue, bytes.count == 16 else {
      throw StoredValue.Mismatch(storedValue, type: UUID.self)
    }
    self.init(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}

extension UUID: StoredExactly {}
