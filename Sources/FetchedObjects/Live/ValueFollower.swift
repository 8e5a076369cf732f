@_spi(Storage) internal import EntityStore
internal import Locking
internal import Relays

/// A value that a closure has read from a store.
struct ReadValue<Value: Equatable & Sendable>: ObservedContent {
  let value: Value

  func differs(from other: ReadValue) -> Bool { value != other.value }
}

/// A follower that keeps the value of a closure up to date, and shows it in one delivery context.
final class ValueFollower<Read: Equatable & Sendable>: ObservingFollower, TimeObserver {
  typealias Value = ReadValue<Read>
  typealias Event = PendingChanges<Value>.Event

  struct Details: FollowerDetails {
    /// True if the last commit couldn't be read, so that the newest value may be older.
    var isStale = false
    /// The queries and objects that the closure has read for the newest value.
    var reading: Reading
    /// The conditions of time among them.
    var times: TimeConditions
    /// The time at which they were evaluated.
    var time: PinnedTime
    let firstVersion: Int64
    var work = ResultWork()
    let registration: ObserverRegistration
  }

  /// The value, or the error, that the closure has made of a version, and what it has read for it.
  private struct Outcome {
    let result: Result<Read, any Error>
    let reading: Reading
    let times: TimeConditions
    let time: PinnedTime
    /// The instant at which the conditions of time couldn't be evaluated, if they couldn't.
    let missed: Double?
    /// The value that the closure has made, if the conditions of time couldn't be evaluated.
    var dropped: Result<Read, any Error>?
    let version: Int64
  }

  let core: FollowerCore<Value, Details>
  private let read: @Sendable (borrowing Reader) throws -> Read
  private let observed = ObservedPlace()
  let sendEvent: @Sendable (Event) -> Void
  let sendError: @Sendable (any Error) -> Void
  /// The entry by which the store calls the follower when time has passed.
  private let timeEntry = OnceReference<TimeEntry>()

  /// Reads the value, and follows what was read.
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
      let first = try store.readFirst { outcome(reading: $0, at: store.time.now) }
      let value = try first.result.get()
      let isNewest = try store.observeReading(self) { registration in
        guard try store.readStorage({ $0.version }) == first.version else { return false }
        begin(with: value, first, registration)
        return true
      }
      if isNewest { return }
    }
    // It is released when no lock is held, also if there is an error.
    var last: Outcome?
    try store.observeReading(self) { registration in
      let first = try store.readFirst { outcome(reading: $0, at: store.time.now) }
      last = first
      begin(with: try first.result.get(), first, registration)
    }
    withExtendedLifetime(last) {}
  }

  private func begin(with value: Read, _ first: Outcome, _ registration: ObserverRegistration) {
    registration.follow(first.reading, isStale: false)
    core.begin(
      ReadValue(value: value),
      Details(
        reading: first.reading, times: first.times, time: first.time,
        firstVersion: first.version, registration: registration))
    wake(at: first.time.next, first.times)
  }

  /// Runs the closure on a reader.
  private func outcome(
    reading reader: any StorageReader, at instant: Double, after last: Details? = nil,
    counts: [ReadQuery.Key: Int] = [:]
  ) -> Outcome {
    let recorder = RecordingReader(reader, at: instant, after: last?.reading, counts: counts)
    var result = Result { try core.store.read(through: recorder, read) }
    var reading = recorder.reading
    // After an error, what was read the last time is followed, too.
    if case .failure = result, let last { reading.formUnion(last.reading) }
    let times = reading.times
    var time = PinnedTime(instant: instant, next: .infinity)
    var missed: Double?
    // It may hold the last reference to an object of the app, which isn't released here.
    var dropped: Result<Read, any Error>?
    do {
      if !times.isEmpty { time = try times.pinned(at: instant, reading: reader) }
    } catch {
      time = last?.time ?? time
      (missed, dropped) = (instant, result)
      result = .failure(error)
    }
    return Outcome(
      result: result, reading: reading, times: times, time: time, missed: missed,
      dropped: dropped, version: recorder.version)
  }

  /// The shown value.
  var value: Read {
    noteRead()
    return shown.value
  }

  func noteRead() { observed.access() }

  func noteChange() { observed.hasChanged() }

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
    return prepare(
      commit.changes, isUnknown: details.isStale || commit.followsUnknown, commit.versions,
      at: core.store.schedule.instant(of: commit), newest, details, reading: reader)
  }

  func prepare(at instant: Double, reading reader: any StorageReader) -> PreparedDelivery? {
    guard let (newest, details) = core.change({ ($0.pending.newest, $0.details) }) else {
      return nil
    }
    let version = reader.version
    return prepare(
      NetChanges(), isUnknown: details.isStale, version...version, at: instant, newest, details,
      reading: reader)
  }

  /// Prepares changes of objects and of time.
  private func prepare(
    _ changes: NetChanges, isUnknown: Bool, _ versions: ClosedRange<Int64>,
    at now: @autoclosure () -> Double, _ newest: Value, _ details: Details,
    reading reader: any StorageReader
  ) -> PreparedDelivery? {
    var counts: [ReadQuery.Key: Int] = [:]
    var time = details.time
    let isTimed = !details.times.isEmpty
    if !isUnknown {
      do {
        if isTimed {
          time = try details.times.advanced(time, to: now(), by: changes, reading: reader)
        }
        // Between two boundaries, the answers are those of the last instant.
        if time.instant == details.time.instant {
          if try !details.reading.isConcerned(by: changes, reading: reader) {
            return time == details.time ? nil : move(to: time)
          }
          counts = try details.reading.counts(after: changes, reading: reader)
        }
      } catch {
        return fail(
          error, versions, details.reading, details.times, details.time,
          missed: isTimed ? now() : nil, details)
      }
    }
    // Counts of an earlier instant still hold if no boundary lies between.
    let next = outcome(reading: reader, at: now(), after: details, counts: counts)
    // Both may be the last references to an object of the app.
    ReleasePool.add((newest, next.result, next.dropped))
    switch next.result {
    case .success(let value):
      let isNews = details.isStale || value != newest.value
      return succeed(isNews ? value : nil, versions, next, details)
    case .failure(let error):
      return fail(
        error, versions, next.reading, next.times, next.time, missed: next.missed, details)
    }
  }

  /// Returns the work that notes a later boundary, or an earlier one.
  private func move(to time: PinnedTime) -> PreparedDelivery {
    PreparedDelivery { [self] in
      install { state, _ in
        state.details.time = time
        wake(at: time.next, state.details.times)
        return nil
      }
    }
  }

  /// Returns the work that installs what the closure has read, and a value if there is a new one.
  private func succeed(
    _ value: Read?, _ versions: ClosedRange<Int64>, _ next: Outcome, _ last: Details
  ) -> PreparedDelivery {
    PreparedDelivery { [self] in
      if last.isStale || !next.reading.hasRead(asMuchAs: last.reading) {
        last.registration.follow(next.reading, isStale: false)
      }
      return install { state, turn in
        state.details.isStale = false
        state.details.reading = next.reading
        set(next.times, next.time, in: &state)
        return value.map {
          // Time may pass without a commit, so an error ends whatever its version is.
          PendingChange(
            turn: turn, versions: versions, after: ReadValue(value: $0), touched: .none,
            isReread: last.isStale)
        }
      }
    }
  }

  /// Returns the work that installs an error, and makes the next commit read again.
  private func fail(
    _ error: any Error, _ versions: ClosedRange<Int64>, _ reading: Reading,
    _ times: TimeConditions, _ time: PinnedTime, missed: Double?, _ last: Details
  ) -> PreparedDelivery {
    PreparedDelivery { [self] in
      last.registration.follow(reading, isStale: true)
      return install { state, turn in
        state.details.isStale = true
        set(times, time, missed: missed, in: &state)
        return PendingChange(turn: turn, error, version: versions.upperBound)
      }
    }
  }

  private func set(
    _ times: TimeConditions, _ time: PinnedTime, missed: Double? = nil,
    in state: inout FollowerCore<Value, Details>.State
  ) {
    state.details.times = times
    state.details.time = time
    state.details.work.fetches += 1
    // A storage that fails is asked again later: after a second, then more and more rarely.
    if let missed { entry(times)?.retry(at: missed) } else { wake(at: time.next, times) }
  }

  /// Makes the store call the follower at an instant, if it has read conditions of time.
  ///
  /// It is called under the lock of the state, so that the newest reading decides.
  private func wake(at instant: Double, _ times: TimeConditions) {
    entry(times)?.wake(at: instant)
  }

  private func entry(_ times: TimeConditions) -> TimeEntry? {
    if timeEntry.object == nil, !times.isEmpty {
      _ = timeEntry.set(TimeEntry(self, in: core.store))
    }
    return timeEntry.object
  }
}
