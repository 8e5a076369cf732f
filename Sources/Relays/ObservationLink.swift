internal import Locking

/// A value's link to `withObservationTracking`: it records reads and reports changes.
///
/// A reader is registered as a tracker some time after the read, and no call reports when. So while
/// anybody may track, every change is reported, although that costs more than the change.
final class ObservationLink: Sendable {
  private struct State: Sendable {
    /// The reads of the trackers, or nil if a check has found that nobody tracks.
    var reads: ObservedReads?
    /// The thread that reports changes, or 0.
    var notifier = 0
    /// Threads that reported until another one took over, and haven't returned from that yet.
    var relieved: [Int] = []
    /// The origin of a change that was made while another one was being reported.
    ///
    /// Trackers that read the value before it haven't been notified of it.
    var debt = Debt.none
    /// True if the next thread that changes the value is to take over.
    var wantsRelief = false
  }

  private enum Debt {
    case none
    /// The change was made by a tracker, or by code that it calls.
    case ofNotifier
    case ofOthers
  }

  private let state = Locked(State())

  /// The number of times in a row that trackers are notified of their own changes.
  private static let patience = 100

  // MARK: Reading

  /// Records that the value is about to be read.
  ///
  /// - Returns: false if nobody tracked before, so that nothing could be recorded.
  func access() -> Bool {
    // Recording runs no user's code.
    state.withLock { state in
      guard let reads = state.reads else { return false }
      reads.record()
      return true
    }
  }

  /// Takes over the first read that is tracked.
  ///
  /// `isTracked` is called under the lock.
  func adopt(_ reads: ObservedReads, isTracked: () -> Void) {
    state.withLock { state in
      if let present = state.reads { present.record() } else { state.reads = reads }
      isTracked()
    }
  }

  /// Forgets the trackers if all of them have been notified or deallocated.
  ///
  /// In that case, `isUntracked` is called under the lock.
  func settle(_ isUntracked: () -> Void) {
    let old = state.withLock { state -> ObservedReads? in
      guard let reads = state.reads, !reads.areTracked else { return nil }
      state.reads = nil
      isUntracked()
      return reads
    }
    old?.leave()
  }

  // MARK: Changing

  func willChange() {
    notify(hasChanged: false) {
      // A reader is registered later, perhaps only after this call. Then `didChange` notifies it.
      known()?.willChange()
    }
  }

  /// A tracker that is registered now may have seen the old value, and is notified as well.
  ///
  /// It may have read the value since `willChange`. Or `willChange` came while another thread
  /// reported an earlier change, and the tracker was registered too late for that report.
  func didChange() {
    notify {
      known()?.didChange()
      notifyAll()
    }
  }

  /// Reports that the value has changed, once every reader sees the new one.
  func hasChanged() {
    notify { notifyAll() }
  }

  private func notifyAll() {
    let changing = known()
    changing?.willChange()
    changing?.didChange()
  }

  /// Returns the change to report to the trackers, or nil if nobody tracks.
  private func known() -> ObservedReads.Change? {
    state.withLock { state in state.reads.map { ObservedReads.Change($0) } }
  }

  /// Reports one change at a time.
  ///
  /// Observation calls a tracker again as long as the tracker hasn't returned. So a tracker that
  /// sets the value would be notified inside its own call, and two reporting threads would notify
  /// it twice. If it begins to track again each time, there are then two trackers, and four after
  /// the next change.
  ///
  /// So a thread that changes the value meanwhile leaves its change to the thread that is
  /// reporting, which reports again afterwards. It does so at most 100 times in a row for changes
  /// that it has made itself, because a tracker that always sets the value would go on forever. It
  /// does so for changes of other threads until one of them takes over.
  private func notify(hasChanged: Bool = true, _ body: () -> Void) {
    var turn = Turn(thread: CurrentThread.token)
    guard begin(turn.thread, hasChanged) else { return }
    body()
    while goesOn(&turn) { notifyAll() }
  }

  private struct Turn {
    let thread: Int
    /// The number of times that it has reported changes that came meanwhile.
    var rounds = 0
    var wasRelieved = false
  }

  /// Begins to report, or leaves the change to the thread that already reports.
  ///
  /// - Returns: true if the calling thread is to report now.
  private func begin(_ thread: Int, _ hasChanged: Bool) -> Bool {
    state.withLock { state in
      let isNotifying = state.notifier == thread || state.relieved.contains(thread)
      if !isNotifying && (state.notifier == 0 || state.wantsRelief) {
        if state.notifier != 0 { state.relieved.append(state.notifier) }
        state.notifier = thread
        state.wantsRelief = false
        return true
      }
      if hasChanged {
        if !isNotifying { state.debt = .ofOthers }
        if state.debt == .none { state.debt = .ofNotifier }
      }
      return false
    }
  }

  /// Returns whether the calling thread has to report once more; otherwise it stops reporting.
  private func goesOn(_ turn: inout Turn) -> Bool {
    state.withLock { state in
      if state.notifier != turn.thread {
        // Another thread has taken over, together with the changes that were left to report.
        // Changes that came after that thread had ended are this thread's again.
        if let place = state.relieved.firstIndex(of: turn.thread) {
          state.relieved.remove(at: place)
        }
        if turn.wasRelieved || state.notifier != 0 || state.debt == .none { return false }
        state.notifier = turn.thread
        turn.wasRelieved = true
        turn.rounds = Self.patience - 1
      }
      let debt = state.debt
      state.debt = .none
      turn.rounds += 1
      if debt == .ofOthers {
        if turn.rounds > Self.patience { state.wantsRelief = true }
        return true
      }
      if debt == .ofNotifier && turn.rounds <= Self.patience { return true }
      state.notifier = 0
      state.wantsRelief = false
      return false
    }
  }
}
