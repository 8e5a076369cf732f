internal import Locking

// An app doesn't see the requirements, so the compiler asks for these. The library's types, which
// are the only ones to conform, implement both.
extension StoreReading where Self: ~Copyable {
  /// Traps: a type that isn't the library's has no storage.
  @_spi(Storage)
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { refuse() }

  /// Traps: a type that isn't the library's has no entities.
  @_spi(Storage) public func entity(named name: String) -> EntityDescription? { refuse() }

  /// Traps: a type that isn't the library's has no clock.
  @_spi(Storage) public var instant: Double { refuse() }

  private func refuse() -> Never {
    mistake("StoreReading is for Store, Reader, Draft and Store.Snapshot; conform no other type")
  }
}
