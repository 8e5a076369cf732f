internal import EntityStore
internal import Locking

// What a commit makes of the list: worked out while it is prepared, taken in once it is durable.
extension CommitFollower {
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let version = commit.version
    do {
      if isStale.load() != 0 || commit.followsUnknown {
        let whole = try plan.fetch(reader)
        return PreparedDelivery { [self] in install(whole) }
      }
      let delta = try plan.delta(of: commit, reading: reader)
      if delta.isEmpty { return nil }
      return PreparedDelivery { [self] in install(delta, version: version) }
    } catch {
      return PreparedDelivery { [self] in install(error, version: version) }
    }
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in install(error, version: nil) }
  }

  private func install(_ delta: Delta, version: Int64) -> [ConcernedListener] {
    let taken = state.withLock { state -> Newest? in
      guard state.hasStarted else {
        state.early.append((version, delta))
        return nil
      }
      // Taken out, so that it isn't copied; commits come one by one, so nobody else needs it meanwhile.
      return state.newest.take()
    }
    guard var newest = taken else { return [] }
    let old = newest.list
    // The first list may have been read after the commit.
    let changes =
      version > newest.list.version ? newest.apply(delta, version: version) : []
    if changes.isEmpty {
      state.withLock { $0.newest = newest }
      return []
    }
    touched(delta.map(\.id))
    return take(newest, after: old, changes)
  }

  /// Takes in a whole list, after one that could not be kept up to date.
  private func install(_ whole: CommittedList) -> [ConcernedListener] {
    if isStale.load() != 0 { follow(isStale: false) }
    isStale.store(0)
    touched(nil)
    let old = state.withLock { state -> Newest? in
      if !state.hasStarted { state.earlyWholes.append(whole) }
      return state.newest
    }
    guard let old, whole.version > old.list.version else { return [] }
    return take(Newest(whole), after: old, nil)
  }

  /// Takes in what a commit leads to, and has it shown unless the place has gone.
  ///
  /// What there was is freed when no lock is held.
  private func take(
    _ newest: Newest, after old: any Sendable, _ changes: [CommittedChange]?
  ) -> [ConcernedListener] {
    guard let entry = listener.withLock({ $0 }) else { return [] }
    let (turns, isGone) = (entry.place.turns, entry.place.isGone)
    let step = Step(turn: turns.next, after: newest.list, changes: changes)
    let leftOut = state.withLock { state -> [any Sendable] in
      state.newest = newest
      return isGone ? [old, step] + state.takeWaiting() : state.append(step, ended: turns.ended)
    }
    return [ConcernedListener(isGone ? nil : entry, self, freeing: leftOut)]
  }

  /// Takes in that a commit couldn't be read, or that watching has failed, which is about no version.
  private func install(_ error: any Error, version: Int64?) -> [ConcernedListener] {
    // What the commit concerns isn't known.
    touched(nil)
    guard let entry = listener.withLock({ $0 }) else { return [] }
    let isGone = entry.place.isGone
    let leftOut = state.withLock { state -> [any Sendable]? in
      if version != nil { isStale.store(1) }
      guard state.hasStarted else {
        if let version { state.failedVersion = version }
        return nil
      }
      return isGone ? state.takeWaiting() : state.append(error)
    }
    // What begins reads anew by itself.
    guard let leftOut else { return [] }
    if version != nil { follow(isStale: true) }
    return [ConcernedListener(isGone ? nil : entry, self, freeing: leftOut)]
  }

  /// Follows what may lead back from a commit that couldn't be read, or no more than what concerns the query.
  private func follow(isStale: Bool) {
    observation.withLock { $0 }?.follow(plan.plan, isStale: isStale)
  }
}
