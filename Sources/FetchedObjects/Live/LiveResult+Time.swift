@_spi(Storage) internal import EntityStore
internal import Locking

// Results that change as time passes (F17).
//
// A result is that of an instant. A commit, or the first boundary after that instant, moves it on:
// the objects whose boundaries lie between are evaluated again, together with those of the commit.
extension LiveResult: TimeObserver {
  /// Prepares a commit, at its instant.
  func prepareTimed(
    _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    let now = core.store.schedule.instant(of: commit)
    guard let newest, let time = newest.time, !isStale, !commit.followsUnknown,
      !plan.query.isRanked
    else {
      return replace(by: try plan.fetch(reader, at: now), commit.versions)
    }
    // An external commit may have been read before it is merged.
    if commit.version <= newest.version { return nil }
    let next = try plan.times.advanced(time, to: now, by: commit.changes, reading: reader)
    return try prepare(
      newest, from: time, to: next, commit.changes, commit.versions, reading: reader)
  }

  func prepare(at instant: Double, reading reader: any StorageReader) -> PreparedDelivery? {
    guard let newest, let time = newest.time else { return nil }
    let versions = reader.version...reader.version
    do {
      if isStale || plan.query.isRanked {
        return replace(by: try plan.fetch(reader, at: instant), versions)
      }
      let changes = NetChanges()
      let next = try plan.times.advanced(time, to: instant, by: changes, reading: reader)
      return try prepare(newest, from: time, to: next, changes, versions, reading: reader)
    } catch {
      return PreparedDelivery { [self] in
        let entries = core.update { _ in
          staleness.store(1)
          retry(at: instant)
        } append: {
          // The result may be older, if commits since don't concern it. A follower of other commits
          // has shown them.
          $0.append(error, version: versions.upperBound, from: self)
        }
        core.follow(isStale: true)
        return entries
      }
    }
  }

  /// Prepares the changes of objects and of time together.
  private func prepare(
    _ newest: ResultSnapshot, from time: PinnedTime, to next: PinnedTime, _ changes: NetChanges,
    _ versions: ClosedRange<Int64>, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    var delta = try plan.delta(
      of: changes, to: newest.before(versions), at: next, reading: reader)
    try plan.addPassed(from: time, to: next, to: &delta, reading: reader)
    core.state.withLock { $0.work.add(delta.work) }
    let relevant = newest.relevant(delta)
    if relevant.isEmpty && next == time { return nil }
    return PreparedDelivery { [self] in
      if !relevant.isEmpty { return install(relevant, after: newest, at: next, versions) }
      return core.update { state in
        state.newest = newest.at(next)
        ReleasePool.add(newest)
        wake(at: next.next)
      } append: { _ in
        false
      }
    }
  }
}

extension ResultSnapshot {
  /// Returns true if it is a later result than another one of the same query.
  func isLater(than other: ResultSnapshot) -> Bool {
    if version != other.version { return version > other.version }
    // Time passes without a commit, in either direction.
    return time?.instant != other.time?.instant
  }
}
