@_spi(Storage) internal import EntityStore
internal import Locking

// The effect of a commit on the result. It is computed while the commit is prepared, and installed
// once the commit can be read.
extension LiveIndex {
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    guard let outcome = outcome(of: commit, reading: reader) else { return nil }
    // The commit is recorded before it can be read.
    core.state.withLock { $0.details.pending = Pending(commit.version) }
    return PreparedDelivery { [self] in
      switch outcome.result {
      case .success(let advance): install(advance, commit.versions)
      case .failure(let error): miss(commit, error)
      }
    }
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in
      update { _ in
      } append: {
        $0.append(error, version: nil, from: self)
      }
    }
  }

  /// Returns the effect on the result of a commit that is being prepared, or nil if there is none.
  ///
  /// It is computed once for all callers, as long as the work of one of them keeps it. Other
  /// observers ask after this one has prepared the commit, because they registered later. If the
  /// commit doesn't concern this one, the first of them keeps the outcome for the others.
  func outcome(of commit: Commit, reading reader: any StorageReader) -> Outcome? {
    let (asked, external) = core.state.withLock { state in
      // These external commits are being merged, or are undone by the one that is. The value is
      // released after the lock.
      defer { state.details.external = nil }
      return (state.details.asked, state.details.external)
    }
    withExtendedLifetime(external) {}
    if let asked, asked.attempt == commit.attempt {
      if !asked.hasOutcome { return nil }
      if let outcome = asked.outcome { return outcome }
    }
    let result = Swift.Result { try makeAdvance(commit, reading: reader) }
    var outcome: Outcome?
    switch result {
    case .success(nil): break
    case .success(let advance?): outcome = Outcome(.success(advance))
    case .failure(let error): outcome = Outcome(.failure(error))
    }
    core.state.withLock {
      $0.details.asked = Asked(
        attempt: commit.attempt, hasOutcome: outcome != nil, outcome: outcome)
    }
    return outcome
  }

  private func makeAdvance(
    _ commit: Commit, reading reader: any StorageReader
  ) throws -> Advance? {
    let (newest, missed, isBroken) = core.state.withLock {
      ($0.newest, $0.details.missed, $0.details.isBroken)
    }
    if let newest, missed == nil, !isBroken, keepsOrder(commit) {
      if commit.changes.rewritten[plan.query.entity] == nil { return nil }
      return try makeRenumbered(after: newest, reading: reader)
    }
    // For an external commit, the version before can no longer be read.
    guard let newest, missed == nil, !isBroken, !commit.followsUnknown, !commit.isExternal else {
      return try makeWhole(commit, after: newest, missed, reading: reader)
    }
    do {
      return try makeStep(commit, after: newest, reading: reader)
    } catch is IndexOutOfStep {
      return try makeWhole(commit, after: newest, missed, reading: reader)
    }
  }

  private func makeStep(
    _ commit: Commit, after newest: IndexSnapshot, reading reader: any StorageReader
  ) throws -> Advance? {
    var (free, work) = (core.state.withLock { $0.details.free }, ResultWork(commits: 1))
    // The commit can't be read yet, so another read still sees the version before.
    let step = try store.readStorage { old -> IndexStep? in
      let changes = try plan.changes(in: commit.changes, from: old, to: reader, &work)
      if changes.isEmpty { return nil }
      return try IndexEditor.step(
        from: newest, changes, version: commit.version, old, reader, &free, &work)
    }
    core.state.withLock { $0.work.add(work) }
    return step.map { Advance(after: $0.after, step: $0, free: free) }
  }

  /// Returns true if an external commit changes nothing that is read here.
  ///
  /// Rows of the entity may have been rewritten.
  private func keepsOrder(_ commit: Commit) -> Bool {
    guard commit.isExternal, !commit.followsUnknown else { return false }
    return commit.changes.tables.allSatisfy {
      $0.entity != plan.query.entity && !plan.entities.contains($0.entity)
    }
  }

  /// Reads the numbers again of rows that have kept their positions.
  private func makeRenumbered(
    after newest: IndexSnapshot, reading reader: any StorageReader
  ) throws -> Advance? {
    let (whole, free) = try IndexWalk.fetch(plan, reader)
    core.state.withLock { $0.work.add(ResultWork(commits: 1, fetches: 1)) }
    guard whole.hasRows(like: newest) else {
      let step = IndexStep(
        from: newest, to: whole, candidates: nil, renumbered: Renumbered(mayBeAny: true))
      return Advance(after: whole, step: step, free: free, renumbered: step.renumbered)
    }
    if whole.hasNumbers(of: newest) { return nil }
    return Advance(after: whole, step: IndexStep(renumbering: newest, to: whole), free: free)
  }

  private func makeWhole(
    _ commit: Commit, after newest: IndexSnapshot?, _ missed: Renumbered?,
    reading reader: any StorageReader
  ) throws -> Advance {
    let (whole, free) = try IndexWalk.fetch(plan, reader)
    var renumbered = renumbered(in: commit).union(missed ?? Renumbered())
    if !renumbered.ids.isEmpty {
      let ids = Array(renumbered.ids)
      let numbers = try reader.numbered().rowNumbers(of: plan.query.entity, ids: ids)
      renumbered.numbers.formUnion(numbers.compactMap(\.self))
    }
    // It isn't known which of these objects were deleted. If the number is the id, no other object
    // has it later.
    if let newest, !(commit.isExternal && isIdentifiedByNumber) {
      renumbered.freed = newest.numbers(missingIn: whole)
    }
    core.state.withLock { $0.work.add(ResultWork(commits: 1, fetches: 1)) }
    let step = newest.map {
      IndexStep(from: $0, to: whole, candidates: nil, renumbered: renumbered)
    }
    return Advance(after: whole, step: step, free: free, renumbered: renumbered)
  }

  private func install(
    _ advance: Advance, _ versions: ClosedRange<Int64>
  ) -> ContiguousArray<ListenerEntry> {
    let newest = core.state.withLock { state in
      if state.newest == nil { state.details.early = (advance.after, advance.free) }
      return state.newest
    }
    // The first result may have been read in the meantime.
    guard let newest, advance.after.version > newest.version else { return [] }
    let step =
      advance.step
      ?? IndexStep(
        from: newest, to: advance.after, candidates: nil,
        renumbered: advance.renumbered.union(
          Renumbered(freed: newest.numbers(missingIn: advance.after))))
    var wasMissed = false
    let listeners = update { state in
      state.newest = advance.after
      state.details.free = advance.free
      wasMissed = state.details.missed != nil
      state.details.missed = nil
      if advance.step?.candidates == nil { state.details.isBroken = false }
    } append: {
      $0.append(step, versions, from: self)
    }
    if wasMissed { core.follow(isStale: false) }
    return listeners
  }

  /// Records that a commit could not be read.
  private func miss(_ commit: Commit, _ error: any Error) -> ContiguousArray<ListenerEntry> {
    var isBegun = false
    let listeners = update { state in
      if state.details.missed == nil { state.details.missed = Renumbered() }
      state.details.missed?.collect(renumbered(in: commit))
      isBegun = state.newest != nil
      if !isBegun { state.failedVersion = commit.version }
    } append: {
      $0.append(error, version: commit.version, from: self)
    }
    // A result that is still starting reads again anyway.
    if isBegun { core.follow(isStale: true) }
    return listeners
  }

  private func renumbered(in commit: Commit) -> Renumbered {
    Renumbered(in: commit, of: plan.query.entity)
  }

  /// True if the ids are the row numbers in storages that others write to.
  var isIdentifiedByNumber: Bool { plan.query.entity.isIdentifiedByNumber }

  /// Returns true if the ids are the row numbers, so that no row gets the number of another one.
  func numbersAreIDs(reading reader: any StorageReader) -> Bool {
    isIdentifiedByNumber && reader.externalChangeReader != nil
  }

  /// Changes the state, and adds to the pending changes of each follower.
  private func update(
    _ change: (inout Core.State) -> Void, append: (IndexFollower) -> Bool
  ) -> ContiguousArray<ListenerEntry> {
    let entries = core.update(change, append: append)
    // Only now has every follower that may have read the commit installed it.
    core.state.withLock { $0.details.pending = nil }
    return entries
  }
}
