@_spi(Storage) internal import EntityStore
internal import Locking
internal import Relays

/// A value that a closure has read from a store.
struct ReadValue<Value: Sendable>: PendingValue {
  let value: Value
}

/// A follower that keeps the value of a closure up to date, and shows it in one delivery context.
final class ValueFollower<Read: Equatable & Sendable>: CommitObserver, Follower {
  typealias Value = ReadValue<Read>
  typealias Event = PendingChanges<Value>.Event

  struct Details: FollowerDetails {
    /// True if the last commit couldn't be read, so that the newest value may be older.
    var isStale = false
    /// The queries and objects that the closure has read for the newest value.
    var reading: Reading
    /// The version of the first value.
    let firstVersion: Int64
    var work = ResultWork()
    let registration: ObserverRegistration
  }

  /// The value, or the error, that the closure has made of a version, and what it has read for it.
  private struct Outcome {
    let result: Result<Read, any Error>
    let reading: Reading
    let version: Int64
  }

  let core: FollowerCore<Value, Details>
  private let read: @Sendable (borrowing Reader) throws -> Read
  private let observed = ObservedPlace()
  private let sendEvent: @Sendable (Event) -> Void
  private let sendError: @Sendable (any Error) -> Void

  /// Reads the value, and follows what was read.
  ///
  /// - Throws: the error that `read` throws.
  init(
    _ read: @escaping @Sendable (borrowing Reader) throws -> Read, in store: Store,
    delivery: Delivery, policy: DeliveryPolicy?, event: @escaping @Sendable (Event) -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.read = read
    sendEvent = event
    sendError = error
    core = FollowerCore(in: store, delivery: delivery)
    core.register(self, delivery, policy)
    // The closure may take its time, so it runs while others commit. If a commit has come
    // meanwhile, it runs again, the last time between two commits.
    for _ in 0..<3 {
      let first = try store.readFirst { outcome(reading: $0) }
      let value = try first.result.get()
      let isNewest = try store.observe(self) { registration in
        guard try store.readStorage({ $0.version }) == first.version else { return false }
        begin(with: value, first, registration)
        return true
      }
      if isNewest { return }
    }
    try store.observe(self) { registration in
      let first = try store.readFirst { outcome(reading: $0) }
      begin(with: try first.result.get(), first, registration)
    }
  }

  private func begin(with value: Read, _ first: Outcome, _ registration: ObserverRegistration) {
    registration.follow(first.reading, isStale: false)
    core.begin(
      ReadValue(value: value),
      Details(
        reading: first.reading, firstVersion: first.version, registration: registration))
  }

  /// Runs the closure on a reader.
  private func outcome(
    reading reader: any StorageReader, after last: Reading? = nil,
    counts: [ReadQuery.Key: Int] = [:]
  ) -> Outcome {
    let recorder = RecordingReader(reader, after: last, counts: counts)
    let result = Result { try core.store.read(through: recorder, read) }
    return Outcome(result: result, reading: recorder.reading, version: recorder.version)
  }

  /// The shown value.
  var value: Read {
    observed.access()
    return shown.value
  }

  /// The last error, or nil once the value has been read again.
  var error: (any Error)? {
    observed.access()
    return core.change { $0.pending.error } ?? nil
  }

  /// The work that the value has needed: the commits it was asked about, and the readings.
  var work: ResultWork { core.withState { $0.details.work } }

  // MARK: Commits

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    // Commits are processed one at a time, and nothing else changes these values.
    let state = core.change { state in
      state.details.work.commits += 1
      return (state.pending.newest, state.details)
    }
    // An external commit may have been read before it is merged.
    guard let (newest, details) = state, commit.version > details.firstVersion else { return nil }
    var counts: [ReadQuery.Key: Int] = [:]
    if !details.isStale && !commit.followsUnknown {
      do {
        let isConcerned = try details.reading.isConcerned(by: commit.changes, reading: reader)
        if !isConcerned { return nil }
        counts = try details.reading.counts(after: commit.changes, reading: reader)
      } catch {
        return fail(error, in: commit, following: details.reading, details.registration)
      }
    }
    let next = outcome(reading: reader, after: details.reading, counts: counts)
    // Both may be the last references to an object of the app.
    ReleasePool.add((newest, next.result))
    switch next.result {
    case .success(let value):
      let isNews = details.isStale || value != newest.value
      return succeed(isNews ? value : nil, in: commit, next.reading, details)
    case .failure(let error):
      // The last successful reading is followed, and what was read until the closure failed.
      var reading = details.reading
      reading.formUnion(next.reading)
      return fail(error, in: commit, following: reading, details.registration)
    }
  }

  /// Returns the work that installs what the closure has read, and a value if there is a new one.
  private func succeed(
    _ value: Read?, in commit: Commit, _ reading: Reading, _ last: Details
  ) -> PreparedDelivery {
    let versions = commit.versions
    return PreparedDelivery { [self] in
      if last.isStale || !reading.hasRead(asMuchAs: last.reading) {
        last.registration.follow(reading, isStale: false)
      }
      return install { state, turn in
        state.details.isStale = false
        state.details.reading = reading
        state.details.work.fetches += 1
        return value.map {
          PendingChange(turn: turn, versions: versions, after: ReadValue(value: $0), touched: .none)
        }
      }
    }
  }

  /// Returns the work that installs an error, and makes the next commit read again.
  private func fail(
    _ error: any Error, in commit: Commit, following reading: Reading,
    _ registration: ObserverRegistration
  ) -> PreparedDelivery {
    let version = commit.version
    return PreparedDelivery { [self] in
      registration.follow(reading, isStale: true)
      return install { state, turn in
        state.details.isStale = true
        state.details.work.fetches += 1
        return PendingChange(turn: turn, error, version: version)
      }
    }
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    PreparedDelivery { [self] in
      install { _, turn in PendingChange(turn: turn, error, version: nil) }
    }
  }

  // MARK: Delivery

  func deliver(_ event: Event) {
    // Merged commits may have restored the same value.
    let isChange = event.after.value != event.before.value
    if !isChange && !event.endsError { return }
    observed.hasChanged()
    if isChange { sendEvent(event) }
  }

  func deliver(_ error: any Error) {
    observed.hasChanged()
    sendError(error)
  }

  /// Stops reading and calling subscribers.
  ///
  /// A running commit may keep this follower alive for a while.
  func end() { core.release() }
}
