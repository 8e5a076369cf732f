/// What a store keeps its objects in.
public struct StorageKind: Sendable {
  let make: @Sendable () throws -> any Storage

  /// A storage of your own, made when the store opens.
  public static func custom(_ make: @escaping @Sendable () throws -> any Storage) -> StorageKind {
    StorageKind(make: make)
  }

  /// Memory: gone with the store.
  public static let inMemory = StorageKind.custom { InMemoryStorage() }
}
