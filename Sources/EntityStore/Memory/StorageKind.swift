/// The kind of storage in which a store keeps its objects.
///
///     let store = try Store(.inMemory, entities: [Car.self])
public struct StorageKind: Sendable {
  let make: @Sendable () throws -> any Storage

  /// Returns the kind of a custom storage, which `make` creates when the store opens.
  @_spi(Storage)
  public static func custom(_ make: @escaping @Sendable () throws -> any Storage) -> StorageKind {
    StorageKind(make: make)
  }

  /// Memory; the objects are lost when the store is deallocated.
  public static let inMemory = StorageKind.custom { InMemoryStorage() }
}
