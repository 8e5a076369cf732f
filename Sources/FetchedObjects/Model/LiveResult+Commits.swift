internal import EntityStore
internal import Locking
internal import Relays

// What a commit makes of the result: worked out while it is prepared, taken in once it is durable.
extension LiveResult {
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    do {
      return try source.map { try prepareWindow(of: $0, commit, reading: reader) }
        ?? prepareAll(commit, reading: reader)
    } catch {
      let version = commit.version
      return PreparedDelivery { [self] in
        var isBegun = false
        let listeners = tellMembers(settingUp: { state in
          staleness.store(1)
          isBegun = state.newest != nil
          if !isBegun { state.failedVersion = version }
        }) { $0.append(error, version: version, from: self, in: $1.place) }
        // What begins reads anew by itself.
        if isBegun { follow(isStale: true) }
        return listeners
      }
    }
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in
      tellMembers(settingUp: { _ in }) {
        $0.append(error, version: nil, from: self, in: $1.place)
      }
    }
  }

  private func prepareAll(
    _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    let versions = commit.versions
    if isStale || commit.followsUnknown {
      return replace(by: try plan.fetch(reader), versions)
    }
    let delta = try plan.delta(of: commit.changes, reading: reader)
    let newest = state.withLock { state in
      state.work.commits += 1
      state.work.candidates += delta.rows.count
      state.work.conditions += delta.conditions
      return state.newest
    }
    guard let newest else {
      return PreparedDelivery { [self] in install(early: delta, versions) }
    }
    // What others commit may have been read before it is taken in.
    if commit.version <= newest.version { return nil }
    let changes = newest.relevant(delta)
    if changes.isEmpty { return nil }
    return PreparedDelivery { [self] in install(changes, after: newest, versions) }
  }

  private func prepareWindow(
    of source: WindowSource, _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    let advance = try source.index.advance(commit, reading: reader)
    let newest = state.withLock { $0.newest }
    do {
      if let newest, commit.version <= newest.version { return nil }
      guard let newest, !isStale, !commit.followsUnknown,
        advance.map({ $0.step?.candidates != nil }) ?? true
      else {
        let index = advance?.after ?? source.index.newest
        return replace(by: try source.snapshot(of: index, reading: reader), commit.versions)
      }
      let step = try source.step(from: newest, advance?.step, commit.changes, reading: reader)
      guard let step else { return nil }
      return PreparedDelivery { [self] in
        install(step.changes, after: newest, extent: step.extent, commit.versions)
      }
    } catch is IndexOutOfStep {
      source.index.markBroken()
      return replace(by: try source.fetch(reading: reader), commit.versions)
    }
  }

  private func replace(
    by whole: ResultSnapshot, _ versions: ClosedRange<Int64>
  ) -> PreparedDelivery {
    // The old one is held, so that it is freed when no lock is.
    let old = state.withLock { state in
      state.work.commits += 1
      state.work.fetches += 1
      return state.newest
    }
    return PreparedDelivery { [self] in withExtendedLifetime(old) { install(whole, versions) } }
  }

  private func install(
    _ changes: ContiguousArray<ResultChange>, after newest: ResultSnapshot,
    extent: WindowExtent? = nil, _ versions: ClosedRange<Int64>
  ) -> [ConcernedListener] {
    let version = versions.upperBound
    // Outside the lock, so that joining doesn't wait for it. Commits come one by one, so the newest
    // result is still the newest, and nobody else needs the free slots, which are taken out so that
    // they aren't copied.
    var free = FreeSlots()
    state.withLock { swap(&free, &$0.free) }
    var work = ResultWork()
    var (after, touched) = (newest, TouchedObjects.none)
    if !changes.isEmpty {
      (after, touched) = newest.applying(changes, version: version, &free, &work)
    }
    if let extent { after = after.placed(at: extent, version: version) }
    return take(after, &free, touched: touched, versions, work)
  }

  private func install(
    early delta: ResultDelta, _ versions: ClosedRange<Int64>
  ) -> [ConcernedListener] {
    let version = versions.upperBound
    let newest = state.withLock { state in
      if state.newest == nil { state.early.append((version, delta)) }
      return state.newest
    }
    // The first result may have been read meanwhile.
    guard let newest, version > newest.version else { return [] }
    let changes = newest.relevant(delta)
    return changes.isEmpty ? [] : install(changes, after: newest, versions)
  }

  /// Takes in a whole result, after one that could not be kept up to date.
  private func install(
    _ whole: ResultSnapshot, _ versions: ClosedRange<Int64>
  ) -> [ConcernedListener] {
    if isStale { follow(isStale: false) }
    staleness.store(0)
    let newest = state.withLock { state in
      if state.newest == nil { state.earlyWholes.append(whole) }
      return state.newest
    }
    guard let newest, whole.version > newest.version else { return [] }
    var free = FreeSlots(of: whole.table.rows)
    return take(whole, &free, touched: .all, versions)
  }

  private func take(
    _ after: ResultSnapshot, _ free: inout FreeSlots, touched: TouchedObjects,
    _ versions: ClosedRange<Int64>, _ work: ResultWork = ResultWork()
  ) -> [ConcernedListener] {
    let step = ResultStep(versions: versions, after: after, touched: touched)
    return tellMembers(settingUp: { state in
      state.newest = after
      state.work.changes += work.changes
      state.work.comparisons += work.comparisons
      swap(&state.free, &free)
    }) { $0.append(step, from: self, in: $1.place) }
  }

  private func tellMembers(
    settingUp setUp: (inout State) -> Void,
    _ body: (ResultFollower, ListenerEntry) -> ResultFollower.Taken
  ) -> [ConcernedListener] {
    // Given to the committing thread, which holds them until no lock is: the last holder of a
    // follower runs its deinit.
    var only: HeldMember?
    let members = state.withLock { state -> ContiguousArray<HeldMember> in
      setUp(&state)
      if state.members.count == 1 {
        only = state.members[0].held
        return []
      }
      var held: ContiguousArray<HeldMember> = []
      held.reserveCapacity(state.members.count)
      for member in state.members { if let member = member.held { held.append(member) } }
      return held
    }
    func tell(_ member: HeldMember) -> ConcernedListener {
      let taken = body(member.follower, member.entry)
      return ConcernedListener(
        taken.hasNews ? member.entry : nil, member.follower, freeing: taken.leftOut)
    }
    return only.map { [tell($0)] } ?? members.map(tell)
  }
}
