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
  ///   ``StoreError/keepsNoVersions`` if the storage is a file, which has only the last one.
  /// - Complexity: O(1)
  public func snapshot() throws -> StoreSnapshot {
    guard let storage = try storage.snapshot() else { throw StoreError.keepsNoVersions }
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

/// A version that snapshots hold; it counts for as long as one does.
final class HeldVersion: Sendable {
  let storage: any StorageSnapshot
  let version: Int64
  private let versions: HeldVersions

  init(_ storage: any StorageSnapshot, _ version: Int64, in versions: HeldVersions) {
    self.storage = storage
    self.version = version
    self.versions = versions
  }

  deinit { versions.release(version) }
}

/// The versions that snapshots hold.
final class HeldVersions: Sendable {
  private struct Entry {
    weak var held: HeldVersion?
  }

  private struct State {
    var count = 0
    var limit: Int?
    /// By number: a thread may have looked at the storage earlier than another and come here later.
    var entries: [Int64: Entry] = [:]
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }

  var limit: Int? {
    get { state.withLock { $0.limit } }
    set {
      mustHold(
        newValue ?? 0 >= 0, "A limit of \(newValue ?? 0) versions; use 0 or more, or nil")
      state.withLock { $0.limit = newValue }
    }
  }

  /// Holds a version, together with who holds it already.
  func hold(_ storage: any StorageSnapshot) throws -> HeldVersion {
    let version = storage.version
    // What is looked at is handed out, so that nothing is freed under the lock.
    let held = state.withLock { state -> Result<HeldVersion, StoreError> in
      if let held = state.entries[version]?.held { return .success(held) }
      if let limit = state.limit, state.count >= limit {
        return .failure(.tooManyVersions(limit: limit))
      }
      let held = HeldVersion(storage, version, in: self)
      state.count += 1
      state.entries[version] = Entry(held: held)
      return .success(held)
    }
    return try held.get()
  }

  /// A version has gone, which may have been taken anew since the last one let go of it.
  fileprivate func release(_ version: Int64) {
    let other = state.withLock { state in
      state.count -= 1
      let other = state.entries[version]?.held
      if other == nil { state.entries[version] = nil }
      return other
    }
    withExtendedLifetime(other) {}
  }
}
