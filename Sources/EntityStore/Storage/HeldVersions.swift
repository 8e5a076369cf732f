internal import Locking

/// The versions that snapshots hold.
final class HeldVersions: Sendable {
  private struct Entry {
    weak var held: HeldVersion?
  }

  private struct State {
    var count = 0
    var limit: Int?
    /// The held versions by number.
    ///
    /// A thread may read the storage before another thread and still arrive here after it.
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

  /// Holds a version, together with the snapshots that hold it already.
  func hold(_ storage: any StorageSnapshot) throws -> HeldVersion {
    let version = storage.version
    // The held version is returned from the closure, so that nothing is freed under the lock.
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

  /// Counts one version less; a new snapshot may have taken the same version meanwhile.
  func release(_ version: Int64) {
    _ = state.withLock { state in
      state.count -= 1
      let other = state.entries[version]?.held
      if other == nil { state.entries[version] = nil }
      return other
    }
  }
}
