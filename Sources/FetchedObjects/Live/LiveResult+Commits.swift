@_spi(Storage) internal import EntityStore
internal import Locking

// The effect of a commit on the result. It is computed while the commit is prepared, and installed
// once the commit can be read.
extension LiveResult {
  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    do {
      switch source {
      case .all: return try prepareAll(commit, reading: reader)
      case .near(let near): return try prepareNear(near, commit, reading: reader)
      case .window(let source): return try prepareWindow(of: source, commit, reading: reader)
      }
    } catch {
      let version = commit.version
      return PreparedDelivery { [self] in recordFailure(of: version, error) }
    }
  }

  /// Records that a commit could not be read.
  private func recordFailure(
    of version: Int64, _ error: any Error
  ) -> ContiguousArray<ListenerEntry> {
    var isBegun = false
    let entries = core.update { state in
      staleness.store(1)
      isBegun = state.newest != nil
      if !isBegun { state.failedVersion = version }
    } append: {
      $0.append(error, version: version, from: self)
    }
    // A result that is still starting reads again anyway.
    if isBegun { core.follow(isStale: true) }
    return entries
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in
      core.update { _ in
      } append: {
        $0.append(error, version: nil, from: self)
      }
    }
  }

  private func prepareAll(
    _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    if plan.isTimed { return try prepareTimed(commit, reading: reader) }
    let versions = commit.versions
    // A change of any object may change the relevance of all.
    if isStale || commit.followsUnknown || plan.query.isRanked {
      return replace(by: try plan.fetch(reader, at: 0), versions)
    }
    // Most queries need the rows only after this, and then the lock is taken once.
    let kept = plan.shownReads.isEmpty ? nil : self.newest?.before(versions)
    let delta = try plan.delta(of: commit.changes, to: kept, reading: reader)
    let newest = core.state.withLock { state in
      state.work.add(delta.work)
      return state.newest
    }
    guard let newest else {
      return PreparedDelivery { [self] in install(early: delta, versions) }
    }
    // An external commit may have been read before it is merged.
    if commit.version <= newest.version { return nil }
    let changes = newest.relevant(delta)
    if changes.isEmpty { return nil }
    return PreparedDelivery { [self] in install(changes, after: newest, versions) }
  }

  private func prepareNear(
    _ near: NearRows, _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    while true {
      let (newest, window, reserve, exactPlace) = core.state.withLock {
        ($0.newest, $0.details.window, $0.details.reserve, $0.details.exactPlace)
      }
      if let newest, commit.version <= newest.version { return nil }
      var known: NearRows.Step?
      do {
        guard let newest, !isStale, !commit.followsUnknown,
          commit.versions.lowerBound > newest.version
        else {
          // Of an external commit, the rows may have been read in part before it is merged.
          let whole = try near.fetch(
            around: window?.anchor, near.needs(window), reserve, reading: reader)
          let preparation = Preparation()
          guard note(preparation, for: window) else { continue }
          return replace(by: whole, commit.versions, keeping: preparation)
        }
        let kept = exactPlace.map { NearRows(plan: near.plan, place: $0) } ?? near
        let step = try kept.step(
          from: newest, window, commit.changes, reserve: exactPlace == nil ? reserve : 0,
          reading: reader)
        core.state.withLock { $0.work.add(step.work) }
        if step.isEmpty { return nil }
        let preparation = Preparation()
        var more: PreparedDelivery?
        if !kept.areEnough(step, for: window) {
          known = step
          more = try prepareMore(
            near, step, window, reserve, commit, during: preparation, reading: reader)
        }
        guard note(preparation, for: window) else { continue }
        return more
          ?? PreparedDelivery { [self] in
            withExtendedLifetime(preparation) {
              install(
                step.changes, after: newest, extent: step.extent, isShown: step.isShown,
                commit.versions)
            }
          }
      } catch let error as StoreError where error.isOfOneRow && newest != nil {
        let preparation = Preparation()
        let exact = try prepareExact(
          near, error, known, window, commit, during: preparation, reading: reader)
        guard note(preparation, for: window) else { continue }
        return exact
      }
    }
  }

  /// Reads only the rows up to the end of all windows, because of an error that may be that of
  /// another row.
  ///
  /// `step` is the commit's step if more rows had to be read. Then the others needn't be counted.
  private func prepareExact(
    _ near: NearRows, _ error: StoreError, _ step: NearRows.Step?, _ window: ResultWindow?,
    _ commit: Commit, during preparation: Preparation, reading reader: any StorageReader
  ) throws -> PreparedDelivery {
    let count = shownCount(of: near)
    let shown = near.showing(count)
    let needs = shown.needs(window)
    let rows =
      if let step {
        try shown.fetch(needs, 0, around: step.pivot?.row, step.counts, reading: reader)
      } else {
        try shown.fetch(around: window?.anchor, needs, 0, reading: reader)
      }
    // A commit whose step is known has been counted.
    let work = ResultWork(commits: step == nil ? 1 : 0, fetches: 1)
    core.state.withLock { $0.work.add(work) }
    return PreparedDelivery { [self] in
      // Another window may have come since the rows were read, or may have become larger.
      if shownCount(of: near) > count { return recordFailure(of: commit.version, error) }
      return withExtendedLifetime(preparation) { install(rows, at: shown.place, commit.versions) }
    }
  }

  /// Returns the number of rows, from the first or the last one, that windows show now.
  ///
  /// It is 0 if the rows are those around one, since their only window says which they are.
  private func shownCount(of near: NearRows) -> Int {
    if case .around = near.place { return 0 }
    let members = core.members
    // Releasing the last reference to one runs its deinit.
    ReleasePool.add(members)
    return members.map { $0.shownCount(of: self) }.max() ?? 0
  }

  /// Notes that a commit is prepared for a window, unless the window has moved meanwhile.
  ///
  /// Only a window around a row moves among the rows of one result.
  private func note(_ preparation: Preparation, for window: ResultWindow?) -> Bool {
    if window == nil { return true }
    return core.state.withLock { state in
      guard state.details.window == window else { return false }
      state.details.preparing = preparation
      return true
    }
  }

  /// Reads near rows again because too few are left.
  ///
  /// The reserve is doubled only if it was used up. It stays if the middle row or the window has
  /// moved, or if there was no reserve.
  private func prepareMore(
    _ near: NearRows, _ step: NearRows.Step, _ window: ResultWindow?, _ reserve: Int,
    _ commit: Commit, during preparation: Preparation, reading reader: any StorageReader
  ) throws -> PreparedDelivery {
    let anchorChanged =
      window?.anchor.map { commit.changes[plan.query.entity]?[$0.id] != nil } ?? false
    let stays = core.state.withLock { $0.details.hasMoved || $0.details.exactPlace != nil }
    let reserve = stays || anchorChanged ? reserve : min(2 * reserve, NearRows.mostReserve)
    let rows = try near.fetch(
      near.needs(window), reserve, around: step.pivot?.row, step.counts, reading: reader)
    core.state.withLock { $0.work.fetches += 1 }
    return PreparedDelivery { [self] in
      core.state.withLock { $0.details.reserve = reserve }
      // Rows that are read may have changed while they weren't kept.
      return withExtendedLifetime(preparation) { install(rows, commit.versions) }
    }
  }

  private func prepareWindow(
    of source: WindowSource, _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    let outcome = source.index.outcome(of: commit, reading: reader)
    let advance = try outcome?.result.get()
    let newest = core.state.withLock { $0.newest }
    do {
      if let newest, commit.version <= newest.version { return nil }
      guard let newest, !isStale, !commit.followsUnknown,
        advance.map({ $0.step?.candidates != nil }) ?? true
      else {
        let index = advance?.after ?? source.index.newest
        // The other windows of the index share the order, also if the store doesn't ask the index.
        return replace(
          by: try source.snapshot(of: index, reading: reader), commit.versions, keeping: outcome)
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

  /// Replaces the result by one that has been read.
  ///
  /// The prepared work keeps `work` alive.
  func replace(
    by whole: ResultSnapshot, _ versions: ClosedRange<Int64>,
    keeping work: (any AnyObject & Sendable)? = nil
  ) -> PreparedDelivery {
    core.state.withLock { $0.work.add(ResultWork(commits: 1, fetches: 1)) }
    return PreparedDelivery { [self] in
      withExtendedLifetime(work) { install(whole, versions) }
    }
  }

  func install(
    _ changes: ContiguousArray<ResultChange>, after newest: ResultSnapshot,
    extent: WindowExtent? = nil, at time: PinnedTime? = nil, isShown: Bool = true,
    _ versions: ClosedRange<Int64>
  ) -> ContiguousArray<ListenerEntry> {
    let version = versions.upperBound
    // This runs outside the lock, so that joining doesn't wait for it. Commits are processed one at
    // a time, so the newest result is still the newest.
    var work = ResultWork()
    var (after, touched) = (newest, TouchedObjects.none)
    if !changes.isEmpty {
      (after, touched) = newest.applying(
        changes, version: version, at: time, &free, &work)
    }
    if let extent { after = after.placed(at: extent, version: version) }
    return installNewest(after, touched: touched, isShown: isShown, versions, work)
  }

  private func install(
    early delta: ResultDelta, _ versions: ClosedRange<Int64>
  ) -> ContiguousArray<ListenerEntry> {
    let version = versions.upperBound
    let newest = core.state.withLock { state in
      if state.newest == nil { state.details.early.append((version, delta)) }
      return state.newest
    }
    // The first result may have been read in the meantime.
    guard let newest, version > newest.version else { return [] }
    let changes = newest.relevant(delta)
    return changes.isEmpty ? [] : install(changes, after: newest, versions)
  }

  /// Installs a whole result, after one that could not be kept up to date.
  ///
  /// `exactPlace` is the place of its rows, if only those that windows show have been read.
  private func install(
    _ whole: ResultSnapshot, at exactPlace: NearRows.Place? = nil, _ versions: ClosedRange<Int64>
  ) -> ContiguousArray<ListenerEntry> {
    let wasStale = isStale
    if wasStale { core.follow(isStale: false) }
    staleness.store(0)
    let newest = core.state.withLock { state in
      state.details.hasMoved = false
      state.details.exactPlace = exactPlace
      if state.newest == nil { state.details.earlyWholes.append(whole) }
      return state.newest
    }
    // A clock that is set back may give the same result again, and that ends the error.
    guard let newest,
      whole.isLater(than: newest) || wasStale && whole.version == newest.version
    else { return [] }
    free = FreeSlots(of: whole.table.rows)
    return installNewest(whole, touched: .all, versions)
  }

  /// Makes a result the newest one, and adds it to what the followers show next.
  private func installNewest(
    _ after: ResultSnapshot, touched: TouchedObjects, isShown: Bool = true,
    _ versions: ClosedRange<Int64>, _ work: ResultWork = ResultWork()
  ) -> ContiguousArray<ListenerEntry> {
    // Time may pass without a commit. Then an error ends at the version at which it came.
    let isReread = if case .all = touched { plan.isTimed } else { false }
    let step = ResultStep(
      versions: versions, after: after, touched: touched, isReread: isReread)
    return core.update { state in
      // Released when no lock is held.
      if let old = state.newest { ReleasePool.add(old) }
      state.newest = after
      if let window = state.details.window {
        state.details.window = window.moved(to: after)
        state.details.preparing = nil
      }
      wake(at: after.time?.next)
      state.work.add(work)
    } append: {
      $0.append(step, isShown: isShown, from: self)
    }
  }
}
