internal import Locking

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
  func release(_ version: Int64) {
    let other = state.withLock { state in
      state.count -= 1
      let other = state.entries[version]?.held
      if other == nil { state.entries[version] = nil }
      return other
    }
    withExtendedLifetime(other) {}
  }
}
