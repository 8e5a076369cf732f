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
    /// The value of `taken` below which a job existed when the run began.
    ///
    /// It is 0 if the jobs that these add don't belong to the run.
    var start = 0
    /// True if the running job existed then, or was added by such a job.
    var isOwn = false
    /// The thread that runs the jobs, or 0.
    var deliverer = 0
    /// True if a task is on its way to the context.
    var isScheduled = false
    /// The handoff, for the context in which jobs run on the thread that delivers.
    var handoff = DrainHandoff()

    mutating func append(_ body: @escaping @Sendable () -> Void, inside: Bool) {
      let isOwn = inside && isOwn
      jobs.append(Job(body: body, isOwn: isOwn))
      added += 1
      // Jobs that a callback adds belong to its run.
      if isOwn { goal = added }
    }

    /// The next step of the thread that runs the jobs.
    enum Step {
      case run(@Sendable () -> Void, goingOn: [DrainHandoff.Waiter])
      case stop(goingOn: [DrainHandoff.Waiter])
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
        return .stop(goingOn: handoff.takeWaiters())
      }
      isOwn = taken < start || job.isOwn
      taken += 1
      return .run(job.body, goingOn: handoff.takeWaiters(beside: jobs.count))
    }
  }

  let place: Place
  /// A word that is 1 once it has been found that the actor is deallocated.
  let gone = AtomicWord(0)
  private let state = Locked(State())

  init(_ place: Place) { self.place = place }

  /// Returns a queue whose jobs run on the thread that delivers.
  package static func immediate() -> DeliveryQueue { DeliveryQueue(.immediate) }

  /// The main actor's queue.
  package static let main = DeliveryQueue(.mainActor)

  /// True if no job waits and none runs.
  var isIdle: Bool { state.withLock { $0.jobs.isEmpty && $0.deliverer == 0 } }

  /// The number of jobs that have been added.
  var addedCount: Int { state.withLock { $0.added } }

  // MARK: Running

  /// Adds a job.
  ///
  /// It runs after the jobs that were added before it, once `run` is called.
  package func enqueue(_ job: @escaping @Sendable () -> Void) {
    let isInside = Self.delivering === self
    state.withLock { $0.append(job, inside: isInside) }
  }

  /// True if the caller is in this queue's delivery context.
  package var isCurrent: Bool {
    if Self.delivering === self { return true }
    if case .mainActor = place { return MainActor.isCurrent }
    return false
  }

  /// True if the calling thread runs a job of any queue, so that it is inside a callback.
  package static var isDelivering: Bool { CurrentThread.word != 0 }

  /// The queue whose job the calling thread runs.
  private static var delivering: DeliveryQueue? {
    guard let pointer = UnsafeRawPointer(bitPattern: CurrentThread.word) else { return nil }
    return Unmanaged<DeliveryQueue>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// True if `run` runs the jobs itself, which may take long; otherwise it only schedules them.
  var runsHere: Bool {
    switch place {
    case .immediate: true
    // Inside a callback the current commit is delivered first, so later ones wait.
    case .mainActor: !Self.isDelivering && MainActor.isCurrent
    case .actor: false
    }
  }

  /// Runs the waiting jobs if the caller is in their context, and otherwise schedules them there.
  package func run() {
    if let deferred = DeferredDeliveries.current { return deferred.add(self) }
    if runsHere { drain() } else { schedule() }
  }

  /// Sends a task to the context, unless one is on its way or there is nothing to do.
  private func schedule() {
    switch place {
    case .immediate: break
    case .mainActor:
      // The task doesn't inherit the priority of the first caller, which may be lower than the next
      // one's.
      if mustSchedule() { Task.detached(priority: .userInitiated) { @MainActor in self.arrive() } }
    case .actor(let weak):
      guard let actor = weak.actor else { return forget() }
      if mustSchedule() { Task.detached(priority: .medium) { await self.arrive(on: actor) } }
    }
  }

  private func mustSchedule() -> Bool {
    state.withLock { state in
      guard !state.isScheduled, !state.jobs.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
  }

  private func arrive(on actor: isolated any Actor) { arrive() }

  private func arrive() {
    state.withLock { $0.isScheduled = false }
    drain(atMost: 256)
  }

  /// Runs the waiting jobs, and those that they add.
  ///
  /// On an actor, jobs that other threads add meanwhile are left to another task. So are jobs
  /// beyond `limit`. Otherwise a sender that is faster than the callbacks would keep all other code
  /// from the actor.
  private func drain(atMost limit: Int = .max) {
    let isBounded = if case .immediate = place { false } else { true }
    let isMine = state.withLock { state in
      guard state.deliverer == 0 else { return false }
      state.deliverer = CurrentThread.token
      if isBounded {
        state.goal = state.taken + min(state.added - state.taken, limit)
        state.start = limit == .max ? state.goal : 0
      }
      return true
    }
    if isMine || (!isBounded && waitForRoom()) { runJobs() }
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

  private func runJobs() {
    let outer = CurrentThread.word
    CurrentThread.word = Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    var shift = DrainHandoff.Shift()
    loop: while true {
      if shift.count >= shift.nextLook { shift.prepare() }
      switch state.withLock({ $0.next(&shift) }) {
      case .run(let job, let waiters):
        DrainHandoff.goOn(waiters)
        job()
        shift.count += 1
      case .giveWay(let successor):
        successor.takeOver()
        break loop
      case .stop(let waiters):
        DrainHandoff.goOn(waiters)
        break loop
      }
    }
    CurrentThread.word = outer
    schedule()
  }

  /// Drops the waiting jobs, outside the lock, because the actor is deallocated.
  private func forget() {
    gone.store(1)
    let jobs = state.withLock { state in
      let jobs = state.jobs
      state.jobs = Fifo()
      state.taken = state.added
      return jobs
    }
    _ = jobs
  }
}
