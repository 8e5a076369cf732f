internal import Locking

/// The versions that snapshots hold.
final class HeldVersions: Sendable {
  private struct State {
    var limit: Int?
    /// The number of snapshots of each version that is held.
    ///
    /// A thread may read the storage before another thread and still arrive here after it.
    var holders: [Int64: Int] = [:]
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.holders.count } }

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
    try state.withLock { state in
      if let limit = state.limit, state.holders[version] == nil, state.holders.count >= limit {
        throw StoreError.tooManyVersions(limit: limit)
      }
      state.holders[version, default: 0] += 1
    }
    return HeldVersion(storage, version, in: self)
  }

  /// Counts one snapshot of the version less.
  func release(_ version: Int64) {
    state.withLock { state in
      let others = (state.holders[version] ?? 1) - 1
      state.holders[version] = others == 0 ? nil : others
    }
  }
}
