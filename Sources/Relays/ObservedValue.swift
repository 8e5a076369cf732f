internal import Locking

/// What `withObservationTracking` knows of a state relay: that its value was read, or changes.
///
/// Who reads is entered as a tracker some time after the read, and nobody says when. So as long as anybody
/// may track, every change is told, though it costs more than the change.
final class ObservedValue: Sendable {
  private struct State: Sendable {
    /// Those who track, or nil if it has been seen that nobody does.
    var reads: ObservedReads?
    /// Whether the value was read since the last change was told.
    var wasRead = false
    /// The thread that tells of changes, or 0.
    var teller = 0
    /// Threads that have told, until another one took over, and haven't returned from it.
    var relieved: [Int] = []
    /// Who has changed the value while another change was told: those who read it before don't know.
    var debt = Debt.none
    /// Whether the next thread that changes the value is to tell.
    var wantsRelief = false
  }

  private enum Debt {
    case none
    /// A tracker, or what it calls.
    case ofTeller
    case ofOthers
  }

  private let state = Locked(State())

  /// How often in a row trackers are told of what they have set themselves.
  private static let patience = 100

  // MARK: Reading

  /// Notes that the value is about to be read.
  ///
  /// - Returns: false if nobody tracked before, so that nothing could be noted.
  func access() -> Bool {
    // What records runs nobody's code.
    state.withLock { state in
      guard let reads = state.reads else { return false }
      reads.record()
      state.wasRead = true
      return true
    }
  }

  /// Takes over the first read that somebody tracks.
  ///
  /// `isTracked` is called under the lock.
  func adopt(_ reads: ObservedReads, isTracked: () -> Void) {
    state.withLock { state in
      if let present = state.reads { present.record() } else { state.reads = reads }
      state.wasRead = true
      isTracked()
    }
  }

  /// Forgets those who tracked, if all have been told or have gone.
  ///
  /// `isUntracked` is called under the lock if so.
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

  /// Says that the value is about to change.
  func willChange() {
    tell(hasChanged: false) {
      // Who has read is entered later, perhaps only after this: `didChange` tells it.
      known()?.willChange()
    }
  }

  /// Says that the value has changed.
  ///
  /// Who has read the value since `willChange` may have seen the old one, and is told as well.
  func didChange() {
    tell {
      var wasRead = false
      known {
        wasRead = $0.wasRead
        $0.wasRead = false
      }?.didChange()
      if wasRead { tellAll() }
    }
  }

  /// Says that the value has changed, once everybody who reads sees the new one.
  func hasChanged() {
    tell {
      let changing = known { $0.wasRead = false }
      changing?.willChange()
      changing?.didChange()
    }
  }

  private func tellAll() {
    let changing = known()
    changing?.willChange()
    changing?.didChange()
  }

  /// Those who track, to be told.
  private func known(_ body: (inout State) -> Void = { _ in }) -> ObservedReads.Change? {
    state.withLock { state in
      body(&state)
      return state.reads.map { ObservedReads.Change($0) }
    }
  }

  /// Tells one change at a time.
  ///
  /// Observation calls a tracker for as long as it hasn't returned, so one that is told would be told of what it sets
  /// inside that, and two threads that tell would tell it twice: if it begins anew each time, there are two of it
  /// then, and four after the next change. So who changes the value meanwhile leaves it to the thread that tells,
  /// which tells all again afterwards: what it has set itself some times, since a tracker that always sets would go
  /// on forever, and what others have set until one of them takes over.
  private func tell(hasChanged: Bool = true, _ body: () -> Void) {
    var turn = Turn(thread: CurrentThread.token)
    guard begin(turn.thread, hasChanged) else { return }
    body()
    while goesOn(&turn) { tellAll() }
  }

  private struct Turn {
    let thread: Int
    /// How often it has told what came meanwhile.
    var rounds = 0
    var wasRelieved = false
  }

  /// Whether the calling thread is to tell now; if not, it has left what it has changed to the one that does.
  private func begin(_ thread: Int, _ hasChanged: Bool) -> Bool {
    state.withLock { state in
      let isTelling = state.teller == thread || state.relieved.contains(thread)
      if !isTelling && (state.teller == 0 || state.wantsRelief) {
        if state.teller != 0 { state.relieved.append(state.teller) }
        state.teller = thread
        state.wantsRelief = false
        return true
      }
      if hasChanged {
        if !isTelling { state.debt = .ofOthers }
        if state.debt == .none { state.debt = .ofTeller }
      }
      return false
    }
  }

  /// Whether the calling thread has to tell once more; if not, it tells no longer.
  private func goesOn(_ turn: inout Turn) -> Bool {
    state.withLock { state in
      if state.teller != turn.thread {
        // Another thread has taken over, and what is owed; but what came when that had ended is this one's still.
        if let place = state.relieved.firstIndex(of: turn.thread) {
          state.relieved.remove(at: place)
        }
        if turn.wasRelieved || state.teller != 0 || state.debt == .none { return false }
        state.teller = turn.thread
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
      if debt == .ofTeller && turn.rounds <= Self.patience { return true }
      state.teller = 0
      state.wantsRelief = false
      return false
    }
  }
}
