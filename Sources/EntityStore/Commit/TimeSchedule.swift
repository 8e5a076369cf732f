internal import Locking

/// The instants at which observers of a store have to be called because time has passed.
///
/// One task sleeps until the first of them. There is no task if nothing lies ahead.
///
/// A sleep that is cancelled stays in the system's clock until its end. So a sleep goes on if its
/// instant is put off, and is an hour at most. Otherwise commits that put off an instant of next
/// year would fill the memory.
package final class TimeSchedule: Sendable {
  private struct Wake: Sendable {
    weak var observer: (any TimeObserver)?
    var instant = Double.infinity
    /// The instant since which the observer couldn't be called.
    var failedSince: Double?
  }

  private struct Sleep: Sendable {
    let number: Int
    /// The instant at which it began.
    let start: Double
    /// The instant at which it ends.
    let instant: Double
    let task: Task<Void, Never>
  }

  private struct State: Sendable {
    weak var store: Store?
    private(set) var wakes: [Int: Wake] = [:]
    /// The finite instants of observers, and some that observers don't have any more.
    private var instants = InstantHeap()
    var lastNumber = 0
    var sleep: Sleep?
    /// True if the observers couldn't be called the last time.
    var hasFailed = false
    /// True while the observers are called; the next sleep begins afterwards.
    var isPassing = false
    var hasEnded = false
    /// The last commit that was evaluated, and at which instant.
    var commit: (attempt: Int, instant: Double)?
    /// The latest instant at which an observer may have been evaluated.
    ///
    /// If the clock shows an earlier one, it has been set back, and all are evaluated again.
    var latest = -Double.infinity

    mutating func note(_ now: Double) { latest = Swift.max(latest, now) }

    /// Returns the first instant of an observer, or infinity.
    ///
    /// - Complexity: O(log *n*) for *n* observers, amortised over several changes.
    mutating func first() -> Double {
      while let first = instants.first, wakes[first.number]?.instant != first.instant {
        instants.removeFirst()
      }
      return instants.first?.instant ?? .infinity
    }

    mutating func add(_ observer: any TimeObserver) -> Int {
      let number = nextNumber()
      wakes[number] = Wake(observer: observer)
      return number
    }

    /// Removes an observer.
    mutating func remove(_ number: Int) {
      wakes[number] = nil
      sweep()
    }

    mutating func set(_ number: Int, _ instant: Double, failedSince: Double?) {
      guard let old = wakes[number]?.instant else { return }
      wakes[number]?.instant = instant
      wakes[number]?.failedSince = failedSince
      if instant.isFinite, instant != old { instants.insert(instant, number) }
      sweep()
    }

    /// Sets the instant at which an observer that couldn't be called is called again.
    mutating func setRetry(_ number: Int, at now: Double) {
      let since = wakes[number]?.failedSince ?? now
      set(number, PinnedTime.retry(at: now, since: since), failedSince: since)
    }

    /// Removes the instants that observers don't have any more, if there are many of them.
    private mutating func sweep() {
      if instants.count <= 2 * wakes.count + 64 { return }
      instants = InstantHeap()
      for (number, wake) in wakes where wake.instant.isFinite {
        instants.insert(wake.instant, number)
      }
    }

    /// Returns true if there is a sleep that isn't for the first instant.
    ///
    /// It may go on, or have to end: the clock may have been set since.
    mutating func sleepsForAnother() -> Bool {
      guard let sleep else { return false }
      return sleep.instant != first()
    }

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  /// The number of seconds that a sleep takes at most.
  private static let longestSleep: Double = 3600

  private let time: TimeSource
  private let state = Locked(State())

  init(_ time: TimeSource) { self.time = time }

  deinit { end() }

  func begin(for store: Store) { state.withLock { $0.store = store } }

  /// Ends the sleep, and begins no other one.
  func end() {
    let sleep = state.withLock { state in
      state.hasEnded = true
      return state.sleep.take()
    }
    sleep?.task.cancel()
  }

  /// Returns the instant of a commit, which is the same for all observers.
  package func instant(of commit: Commit) -> Double {
    let known = state.withLock { $0.commit }
    if let known, known.attempt == commit.attempt { return known.instant }
    let now = time.now
    state.withLock { state in
      state.commit = (commit.attempt, now)
      state.note(now)
    }
    return now
  }

  // MARK: Entries

  func add(_ observer: any TimeObserver) -> Int {
    state.withLock { $0.add(observer) }
  }

  func remove(_ number: Int) {
    let isOther = state.withLock { state in
      state.remove(number)
      return state.sleepsForAnother()
    }
    if isOther { arrange() }
  }

  /// Calls an observer, which has just been evaluated, at an instant.
  func wake(_ number: Int, at instant: Double) {
    let now = time.now
    let isOther = state.withLock { state in
      state.note(now)
      guard let old = state.wakes[number]?.instant, old != instant else { return false }
      state.set(number, instant, failedSince: nil)
      return state.sleep == nil ? instant.isFinite : state.sleepsForAnother()
    }
    if isOther { arrange() }
  }

  /// Calls the observer again after a pause, because it couldn't be evaluated.
  func retry(_ number: Int, at now: Double) {
    state.withLock { $0.setRetry(number, at: now) }
    arrange()
  }

  /// Calls all observers.
  func catchUp(_ store: Store) async {
    // The caller's task may be cancelled, and the time has passed all the same.
    await Task.detached { [self] in await pass(time.now, in: store, isSetBack: true) }.value
    arrange(isClockChanged: true)
  }

  // MARK: Sleeping

  /// Sleeps until the first wake, and no longer until a later one.
  ///
  /// - Parameter isClockChanged: true if a sleep that has begun may end at another time.
  private func arrange(isClockChanged: Bool = false) {
    let now = time.now
    let old = state.withLock { state -> Task<Void, Never>? in
      if state.isPassing || state.hasEnded { return nil }
      let first = state.first()
      if let sleep = state.sleep, !isClockChanged {
        // A sleep that ends too early is followed by another one. If the clock has been set, the
        // sleep may end too late.
        let isEarly = first.isFinite && sleep.instant < first
        let isSteady = sleep.start <= now && now < sleep.instant
        if first == sleep.instant || isEarly && isSteady { return nil }
      }
      let old = state.sleep.take()?.task
      if first.isFinite {
        let number = state.nextNumber()
        let task = sleep(until: first, number)
        state.sleep = Sleep(number: number, start: now, instant: first, task: task)
      }
      return old
    }
    // A cancellation runs code of the app's clock, and this may run under locks of the store.
    if let old { Task.detached { old.cancel() } }
  }

  /// Returns a task that sleeps, wakes the observers, and sleeps again while a wake lies ahead.
  ///
  /// It keeps neither the schedule nor the store alive.
  private func sleep(until instant: Double, _ number: Int) -> Task<Void, Never> {
    // It may sleep for months, and takes nothing along from the task that has committed.
    Task.detached { [weak self, time, longest = Self.longestSleep] in
      var next: (instant: Double, number: Int)? = (instant, number)
      while let sleep = next {
        do {
          try await time.sleep(Swift.min(sleep.instant, time.now + longest))
        } catch {
          if Task.isCancelled { return }
          // A clock that can't sleep is asked again, but not all the time.
          try? await Task.sleep(for: .seconds(1))
        }
        next = await self?.end(sleep.number)
      }
    }
  }

  /// Wakes the observers after a sleep.
  ///
  /// - Returns: the next sleep of the same task, or nil if it has none.
  private func end(_ number: Int) async -> (instant: Double, number: Int)? {
    // The clock is read last: a commit that reads it meanwhile doesn't set it back.
    let latest = state.withLock { $0.latest }
    let now = time.now
    let (ended, isSetBack, store) = state.withLock { state -> (Sleep?, Bool, Store?) in
      guard let sleep = state.sleep, sleep.number == number else { return (nil, false, nil) }
      state.sleep = nil
      state.isPassing = true
      return (sleep, now < Swift.max(sleep.start, latest), state.store)
    }
    guard let ended else { return nil }
    if let store, now >= ended.instant || isSetBack {
      await pass(now, in: store, isSetBack: isSetBack)
    }
    return state.withLock { state in
      state.isPassing = false
      let first = state.first()
      guard first.isFinite, !state.hasEnded else { return nil }
      let number = state.nextNumber()
      // The clock may have been set back since the observers were called.
      state.sleep = Sleep(number: number, start: now, instant: first, task: ended.task)
      // A clock may wake early, or may have been set back. A sleep always takes some time.
      return (Swift.max(first, now + 1e-6), number)
    }
  }

  /// Calls the observers whose time has come, or all of them if the clock was set back.
  private func pass(_ now: Double, in store: Store, isSetBack: Bool) async {
    let (due, latest) = state.withLock { state in
      defer { if isSetBack { state.latest = now } }
      return (state.wakes.filter { $0.value.instant <= now || isSetBack }, state.latest)
    }
    if due.isEmpty { return }
    var isDone = false
    do {
      while try !store.pass(due.values.compactMap(\.observer)) {
        // Another process has committed, and models have to show that first.
        _ = try await store.mergeWhenFree()
      }
      isDone = true
      state.withLock { $0.hasFailed = false }
    } catch StoreError.storage(let fault) where fault.kind == .suspended {
      // Models keep what they show, and `resume` calls all observers.
    } catch {
      let isKnown = state.withLock { state in
        defer { state.hasFailed = true }
        // A commit may have evaluated since then those that failed.
        return state.hasFailed && state.wakes.values.contains { $0.failedSince != nil }
      }
      if !isKnown { store.report(error) }
    }
    // An observer that couldn't be called is called again later.
    state.withLock { state in
      if !isDone { state.note(latest) }
      for number in due.keys where state.wakes[number]?.instant ?? .infinity <= now {
        state.setRetry(number, at: now)
      }
    }
  }
}
