internal import Locking

/// One version of a store that can be kept and read at any time, from any thread.
///
///     let before = try store.snapshot()
///     try store.commit { try $0.delete(Car.self, 7) }
///     try before.find(Car.self, 7)    // still there
///
/// It shares with other versions whatever they have in common, and its rows are freed when nothing
/// holds them.
public struct StoreSnapshot: StoreReading, Sendable {
  private let held: HeldVersion
  let store: Store

  init(_ held: HeldVersion, of store: Store) {
    self.held = held
    self.store = store
  }

  /// The version.
  public var version: Int64 { held.version }

  /// Runs `body` with a reader of the version.
  ///
  /// - Precondition: the reader is used inside `body` only.
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { try held.storage.read(body) }

  /// The entity with a name, or nil if it isn't among those of the store.
  public func entity(named name: String) -> EntityDescription? { store.entity(named: name) }
}

extension Store {
  /// The last version, to keep.
  ///
  /// Snapshots of one version count as one.
  ///
  /// - Throws: ``StoreError/tooManyVersions(limit:)`` if as many versions are held as may be, and
  ///   ``StoreError/snapshotsUnsupported`` if the storage is a file, which has only the last one.
  /// - Complexity: O(1)
  public func snapshot() throws -> StoreSnapshot {
    guard let storage = try storage.snapshot() else { throw StoreError.snapshotsUnsupported }
    return StoreSnapshot(try heldVersions.hold(storage), of: self)
  }

  /// How many versions are held by snapshots.
  public var heldVersionCount: Int { heldVersions.count }

  /// How many versions snapshots may hold at a time, or nil for as many as there is memory for.
  ///
  /// A lower limit takes nothing away from who holds a snapshot already.
  ///
  /// - Precondition: it isn't negative.
  public var heldVersionLimit: Int? {
    get { heldVersions.limit }
    set { heldVersions.limit = newValue }
  }
}
