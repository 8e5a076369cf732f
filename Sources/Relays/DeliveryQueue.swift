internal import Locking

/// The queue of one delivery context: jobs run there one after another, in order.
///
/// `enqueue` only adds a job, so it may be called under a lock. `run` may call jobs, so it must not
/// be called under a lock.
package final class DeliveryQueue: Sendable {
  enum Place: Sendable {
    case immediate
    case mainActor
    case actor(WeakActor)
  }

  final class WeakActor: Sendable {
    weak let actor: (any Actor)?

    init(_ actor: any Actor) { self.actor = actor }
  }

  private struct Job {
    let body: @Sendable () -> Void
    /// True if a job of the present run has added it.
    let isOwn: Bool
  }

  private struct State {
    var jobs = Fifo<Job>()
    /// The number of jobs that have been added, and the number that were taken out.
    var added = 0
    var taken = 0
    /// The value of `taken` at which the context is left to other code for a moment.
    var goal = Int.max
    /// The value of `taken` below which the jobs are those that waited when the run began.
    ///
    /// Jobs that these add belong to the run. It is 0 if they don't.
    var start = 0
    /// True if the running job existed then, or was added by such a job.
    var isOwn = false
    /// The thread that runs the jobs, or 0.
    var deliverer = 0
    /// The handoff, for the context in which jobs run on the thread that delivers.
    var handoff = DrainHandoff()

    mutating func append(_ body: @escaping @Sendable () -> Void, inside: Bool) {
      let isOwn = inside && isOwn
      jobs.append(Job(body: body, isOwn: isOwn))
      added += 1
      // Jobs that a callback adds belong to its run.
      if isOwn { goal = added }
    }

    /// Makes the calling thread the one that runs the jobs, unless there is one.
    ///
    /// - Parameters:
    ///   - limit: the number of jobs after which the context is left to other code for a moment, or
    ///     nil if the thread runs all jobs.
    ///   - isTask: true if the thread runs a task that was sent to the context.
    /// - Returns: true if it is the calling thread from now on.
    mutating func begin(atMost limit: Int?, isTask: Bool) -> Bool {
      guard deliverer == 0 else { return false }
      deliverer = CurrentThread.token
      if let limit {
        goal = taken + min(added - taken, limit)
        start = isTask ? 0 : goal
      }
      return true
    }

    /// The next step of the thread that runs the jobs.
    enum Step {
      case run(@Sendable () -> Void, goingOn: [DrainHandoff.Waiter])
      case stop(goingOn: [DrainHandoff.Waiter], hasJobs: Bool)
      case giveWay(to: DrainHandoff.Waiter)
    }

    /// Takes out the next job, or gives up the queue.
    mutating func next(_ shift: inout DrainHandoff.Shift) -> Step {
      if goal == .max && !jobs.isEmpty {
        let successor =
          shift.count >= shift.nextLook ? handoff.look(&shift) : handoff.relieve(shift)
        if let successor {
          // The queue isn't free, and has no thread until the successor continues.
          deliverer = -1
          isOwn = false
          return .giveWay(to: successor)
        }
      }
      guard taken < goal, let job = jobs.popFirst() else {
        deliverer = 0
        isOwn = false
        handoff.stopAsking()
        return .stop(goingOn: handoff.takeWaiters(), hasJobs: !jobs.isEmpty)
      }
      isOwn = taken < start || job.isOwn
      taken += 1
      return .run(job.body, goingOn: handoff.takeWaiters(beside: jobs.count))
    }
  }

  let place: Place
  /// A word that is 1 once it has been found that the actor is deallocated.
  let gone = AtomicWord(0)
  /// A word that is 1 while a task is on its way to the context.
  private let scheduled = AtomicWord(0)
  /// A word that is 1 while jobs wait; it is set under the lock.
  private let waiting = AtomicWord(0)
  /// A word of the main actor's queue that is 1 if a callback on the main actor left a job there.
  private let left = AtomicWord(0)
  private let state = Locked(State())

  init(_ place: Place) { self.place = place }

  /// Returns a queue whose jobs run on the thread that delivers.
  package static func immediate() -> DeliveryQueue { DeliveryQueue(.immediate) }

  package static let main = DeliveryQueue(.mainActor)

  var isIdle: Bool { state.withLock { $0.jobs.isEmpty && $0.deliverer == 0 } }

  var addedCount: Int { state.withLock { $0.added } }

  // MARK: Running

  /// The job runs after the jobs that were added before it, once `run` is called.
  package func enqueue(_ job: @escaping @Sendable () -> Void) {
    let thread = CurrentThread.token
    state.withLock { state in
      if state.jobs.isEmpty { waiting.store(1) }
      // A job counts as added by this queue's job even if it came through another queue's.
      state.append(job, inside: state.deliverer == thread)
    }
  }

  /// True if a value that comes in this queue's delivery context is delivered directly.
  ///
  /// While another context delivers a commit, the models on the main actor wait to show it, or
  /// deliver the commit before. So a value that comes then waits behind them (F13).
  package var takesDirectly: Bool {
    let delivering = Self.delivering
    if delivering === self { return true }
    guard case .mainActor = place, MainActor.isCurrent else { return false }
    return delivering == nil || isIdle
  }

  /// True if the calling thread runs a job of any queue, so that it is inside a callback.
  package static var isDelivering: Bool { CurrentThread[.queue] != 0 }

  /// The queue whose job the calling thread runs.
  private static var delivering: DeliveryQueue? {
    guard let pointer = UnsafeRawPointer(bitPattern: CurrentThread[.queue]) else { return nil }
    return Unmanaged<DeliveryQueue>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// True if `run` runs the jobs itself, which may take long; otherwise it only schedules them.
  var runsHere: Bool {
    switch place {
    case .immediate: true
    // Inside a callback the current commit is delivered first, so later ones wait. Inside a
    // `modify`, the jobs would run under its lock.
    case .mainActor: !Self.isDelivering && MainActor.isCurrent && !RunningModify.isHere
    case .actor: false
    }
  }

  /// Runs the waiting jobs if the caller is in their context, and otherwise schedules them there.
  package func run() {
    if let deferred = DeferredDeliveries.current { return deferred.add(self) }
    if runsHere { return drain() }
    if case .mainActor = place, Self.isDelivering, MainActor.isCurrent { left.store(1) }
    schedule()
  }

  /// Sends a task to the context, unless one is on its way or no job waits any more.
  private func schedule() {
    if waiting.load() == 0 { return }
    switch place {
    case .immediate: break
    case .mainActor:
      // The task doesn't inherit the priority of the first caller, which may be lower than the next
      // one's.
      if scheduled.exchange(1) == 0 {
        Task.detached(priority: .userInitiated) { @MainActor in self.drain(isTask: true) }
      }
    case .actor(let weak):
      guard let actor = weak.actor else { return forget() }
      if scheduled.exchange(1) == 0 {
        Task.detached(priority: .medium) { await self.arrive(on: actor) }
      }
    }
  }

  private func arrive(on actor: isolated any Actor) { drain(isTask: true) }

  /// Runs the waiting jobs, and those that they add.
  ///
  /// On an actor, jobs that other threads add meanwhile are left to another task. A task also
  /// leaves jobs beyond a limit. Otherwise a sender that is faster than the callbacks would keep
  /// all other code from the actor.
  private func drain(isTask: Bool = false) {
    // A job that is added from now on needs another task, unless this one finds it.
    if isTask { scheduled.store(0) }
    let isBounded = if case .immediate = place { false } else { true }
    let limit = isBounded ? (isTask ? 256 : .max) : nil
    var shift = DrainHandoff.Shift()
    // The first job is taken under the same lock.
    var first = state.withLock { state in
      state.begin(atMost: limit, isTask: isTask) ? next(&state, &shift) : nil
    }
    if first != nil || (!isBounded && waitForRoom()) { runJobs(&first, &shift) }
  }

  private func next(_ state: inout State, _ shift: inout DrainHandoff.Shift) -> State.Step {
    let step = state.next(&shift)
    if state.jobs.isEmpty && waiting.loadRelaxed() != 0 { waiting.store(0) }
    return step
  }

  /// Lets the thread that runs the jobs catch up, or takes over from it.
  private func waitForRoom() -> Bool {
    let thread = CurrentThread.token
    let isBehind = state.withLock { state in
      state.deliverer != thread && state.handoff.isBehind(state.jobs.count)
    }
    guard isBehind else { return false }
    let isMine = DrainHandoff.wait(mayDeliver: true) { access in
      state.withLock { access(&$0.handoff, $0.jobs.count) }
    }
    if isMine { state.withLock { $0.deliverer = thread } }
    return isMine
  }

  /// Runs jobs; `first` is the first step, if it has been taken, and is nil afterwards.
  private func runJobs(_ first: inout State.Step?, _ shift: inout DrainHandoff.Shift) {
    let outer = CurrentThread[.queue]
    CurrentThread[.queue] = Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    var hasMore = false
    loop: while true {
      if shift.count >= shift.nextLook { shift.prepare() }
      // Each job is released before the next one is taken (R3).
      switch first.take() ?? state.withLock({ next(&$0, &shift) }) {
      case .run(let job, let waiters):
        DrainHandoff.goOn(waiters)
        job()
        shift.count += 1
      case .giveWay(let successor):
        successor.takeOver()
        break loop
      case .stop(let waiters, let hasJobs):
        DrainHandoff.goOn(waiters)
        hasMore = hasJobs
        break loop
      }
    }
    CurrentThread[.queue] = outer
    if hasMore { schedule() }
    // On the main actor, what callbacks of another context have left there is delivered before the
    // sender goes on (F12). What others have left waits for its task.
    if outer == 0, Self.main.left.loadRelaxed() != 0, MainActor.isCurrent, !RunningModify.isHere {
      Self.main.left.store(0)
      if self !== Self.main { Self.main.run() }
    }
  }

  /// Drops the waiting jobs, outside the lock, because the actor is deallocated.
  private func forget() {
    gone.store(1)
    _ = state.withLock { state in
      let jobs = state.jobs
      state.jobs = Fifo()
      waiting.store(0)
      state.taken = state.added
      return jobs
    }
  }
}
