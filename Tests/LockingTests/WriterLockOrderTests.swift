@testable import Locking
import TestSupport
import Testing

/// A writer lock that closures can share, and who had it.
final class SharedLock: Sendable {
  let lock: WriterLock
  private let log = Locked<[String]>([])

  /// A free lock; without a patience, its tasks keep their order however slow the machine is.
  init(patience: Duration? = nil) { lock = WriterLock(patience: patience) }

  /// Who had the lock, in order.
  var order: [String] { log.withLock { $0 } }

  /// How many wait.
  var waiterCount: Int { lock.waiterCount }

  var isHeldHere: Bool { lock.isHeldHere }

  func note(_ name: String) { log.withLock { $0.append(name) } }

  private let callLog = Locked<[String]>([])

  /// Which tasks have asked for the lock, in order.
  var calls: [String] { callLog.withLock { $0 } }

  /// Starts a thread that takes the lock once, and waits until it is blocked.
  func lineUpThread(_ name: String) -> TestThread {
    let count = lock.waiterCount
    let thread = TestThread { [self] in
      lock.lockHere()
      expectTrue(lock.isHeldHere)
      note(name)
      lock.unlockHere()
    }
    expectTrue(becomesTrueBlocking { lock.waiterCount == count + 1 })
    return thread
  }

  /// Takes the lock once for the calling task.
  nonisolated(nonsending) func take(_ name: String) async throws {
    callLog.withLock { $0.append(name) }
    do {
      try await lock.lockWhenFree()
    } catch {
      note("\(name) gives up")
      throw error
    }
    expectTrue(lock.isHeldHere)
    note(name)
    lock.unlockHere()
  }

  /// Starts a task on an actor, and waits until it has to wait for the lock.
  func lineUpTask(_ name: String, on actor: SteppedActor) async -> Task<Void, any Error> {
    let count = lock.waiterCount
    let task = Task { try await actor.take(self, name) }
    expectTrue(await becomesTrue { actor.waitingCount == 1 })
    actor.step()
    expectTrue(await becomesTrue { self.waiterCount == count + 1 })
    return task
  }
}

extension SteppedActor {
  func take(_ shared: SharedLock, _ name: String) async throws {
    try await shared.take(name)
  }
}

@Suite(.timeLimit(.minutes(20))) struct `S1: a writer lock is granted in the order of requests` {
  @Test func `S1: blocked threads get it in the order they came`() {
    let shared = SharedLock()
    shared.lock.lockHere()
    let threads = (0..<8).map { shared.lineUpThread("\($0)") }
    shared.lock.unlockHere()
    expectTrue(finishes { for thread in threads { thread.join() } })
    #expect(shared.order == (0..<8).map { "\($0)" })
    #expect(shared.waiterCount == 0)
  }

  @Test func `S1: a thread that gives it back and comes again goes behind those that wait`() {
    let shared = SharedLock()
    let isDone = finishes {
      onThreads(2) { index in
        for round in 0..<200 {
          shared.lock.lockHere()
          shared.note("\(index)")
          // So that nobody gives it back while nobody waits; the last one has nobody to wait for.
          if round < 199 { expectTrue(becomesTrueBlocking { shared.waiterCount == 1 }) }
          shared.lock.unlockHere()
        }
      }
    }
    #expect(isDone)
    let order = shared.order
    #expect(order.count == 400)
    #expect(zip(order, order.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func `S1: tasks that wait get it in the order they came`() async throws {
    let shared = SharedLock()
    let actors = (0..<4).map { _ in SteppedActor() }
    shared.lock.lockHere()
    var tasks: [Task<Void, any Error>] = []
    for (index, actor) in actors.enumerated() {
      tasks.append(await shared.lineUpTask("\(index)", on: actor))
    }
    shared.lock.unlockHere()
    // Only the first has been woken; each wakes the next.
    for actor in actors { #expect(await actor.stepSoon()) }
    #expect(shared.order == ["0", "1", "2", "3"])
    for task in tasks { try await finish(task, actors) }
  }

  @Test func `S1: tasks of one actor get it in the order of their calls`() async throws {
    let shared = SharedLock()
    let actor = SteppedActor()
    shared.lock.lockHere()
    let tasks = (0..<20).map { index in
      Task { try await actor.take(shared, "\(index)") }
    }
    #expect(await becomesTrue { actor.waitingCount == 20 })
    // They call in the order in which the actor runs them.
    var calls: [Int] = []
    while actor.step() { calls.append(shared.waiterCount) }
    #expect(calls == Array(1...20))
    shared.lock.unlockHere()
    for _ in 0..<20 { #expect(await actor.stepSoon()) }
    #expect(shared.order.count == 20)
    #expect(shared.calls == shared.order)
    for task in tasks { try await finish(task, [actor]) }
  }

  @Test func `S1: a thread that comes while the lock is free goes first, though a task was woken`()
    async throws
  {
    let shared = SharedLock()
    let actor = SteppedActor()
    shared.lock.lockHere()
    let task = await shared.lineUpTask("task", on: actor)
    shared.lock.unlockHere()
    #expect(await becomesTrue { actor.waitingCount == 1 })
    // The thread that the task needs may be the one that comes, so it doesn't wait.
    let isDone = finishes {
      shared.lock.lockHere()
      shared.note("thread")
      actor.step()
      expectTrue(becomesTrueBlocking { shared.waiterCount == 1 })
      shared.lock.unlockHere()
    }
    #expect(isDone)
    #expect(await actor.stepSoon())
    #expect(shared.order == ["thread", "task"])
    try await finish(task, [actor])
  }

  @Test func `S1: a thread that doesn't wait gets a lock that was kept for a task long enough`()
    async throws
  {
    let shared = SharedLock()
    let actor = SteppedActor()
    shared.lock.lockHere()
    let task = await shared.lineUpTask("task", on: actor)
    shared.lock.unlockHere()
    #expect(await becomesTrue { actor.waitingCount == 1 })
    let isDone = finishes {
      shared.lock.lockHere()
      // The task comes too late, and then not at all, although the lock is kept for it.
      actor.step()
      expectTrue(becomesTrueBlocking { shared.waiterCount == 1 })
      shared.lock.unlockHere()
      expectTrue(becomesTrueBlocking(within: .seconds(20)) { shared.lock.lockHereIfFree() })
      shared.note("thread")
      shared.lock.unlockHere()
    }
    #expect(isDone)
    #expect(await actor.stepSoon())
    #expect(shared.order == ["thread", "task"])
    try await finish(task, [actor])
  }

  @Test func `S1: a thread behind tasks is handed the lock, and they keep their order`()
    async throws
  {
    let shared = SharedLock()
    let actors = (0..<2).map { _ in SteppedActor() }
    shared.lock.lockHere()
    let first = await shared.lineUpTask("first", on: actors[0])
    let thread = shared.lineUpThread("thread 1")
    let second = await shared.lineUpTask("second", on: actors[1])
    let other = shared.lineUpThread("thread 2")
    shared.lock.unlockHere()
    #expect(
      finishes {
        thread.join(); other.join()
      })
    // Both were woken for nothing, or for the lock that is free now.
    try await finish(first, actors)
    try await finish(second, actors)
    #expect(shared.order == ["thread 1", "thread 2", "first", "second"])
  }

  @Test func `S1: tasks that were passed over keep their order`() async throws {
    let shared = SharedLock()
    let actors = (0..<3).map { _ in SteppedActor() }
    let gate = SharedLock()
    shared.lock.lockHere()
    var tasks: [Task<Void, any Error>] = []
    var threads: [TestThread] = []
    for (index, actor) in actors.enumerated() {
      tasks.append(await shared.lineUpTask("\(index)", on: actor))
      threads.append(shared.lineUpThread("thread \(index)"))
    }
    let last = TestThread {
      shared.lock.lockHere()
      gate.note("last")
      _ = becomesTrueBlocking { gate.order.count == 2 }
      shared.lock.unlockHere()
    }
    #expect(becomesTrueBlocking { shared.waiterCount == 7 })
    shared.lock.unlockHere()
    #expect(await becomesTrue { gate.order == ["last"] })
    // All were woken, and all find that the last thread has the lock, the last of them first.
    for actor in actors.reversed() { #expect(await actor.stepSoon()) }
    #expect(await becomesTrue { shared.waiterCount == 3 })
    gate.note("go")
    #expect(finishes { last.join() })
    let areDone = await becomesTrue {
      // Backwards, so that another one that had been woken too would come first.
      for actor in actors.reversed() { actor.step() }
      return shared.order.count == 6
    }
    #expect(areDone)
    #expect(shared.order.suffix(3) == ["0", "1", "2"])
    for task in tasks { try await finish(task, actors) }
  }

  @Test func `S1: a task that comes while others wait goes behind them, though the lock is free`()
    async throws
  {
    let shared = SharedLock()
    let actors = (0..<3).map { _ in SteppedActor() }
    shared.lock.lockHere()
    let first = await shared.lineUpTask("first", on: actors[0])
    let second = await shared.lineUpTask("second", on: actors[1])
    shared.lock.unlockHere()
    #expect(await becomesTrue { actors[0].waitingCount == 1 })
    let third = await shared.lineUpTask("third", on: actors[2])
    #expect(shared.waiterCount == 2)
    for task in [third, first, second] { try await finish(task, actors) }
    #expect(shared.order == ["first", "second", "third"])
  }

  @Test func `S1: tasks whose actors are busy when their turns come don't hold up the others`()
    async throws
  {
    let shared = SharedLock(patience: .milliseconds(1))
    let actors = (0..<5).map { _ in SteppedActor() }
    shared.lock.lockHere()
    var tasks: [Task<Void, any Error>] = []
    for (index, actor) in actors.enumerated() {
      tasks.append(await shared.lineUpTask("\(index)", on: actor))
    }
    shared.lock.unlockHere()
    // The actors of the first three run nothing.
    #expect(await actors[3].stepSoon())
    #expect(shared.order == ["3"])
    #expect(await actors[4].stepSoon())
    #expect(shared.order == ["3", "4"])
    // One that comes while nobody waits doesn't wait for them, either.
    let last = Task { try await shared.take("last") }
    try await finish(last, [])
    for task in tasks { try await finish(task, actors) }
    #expect(shared.order == ["3", "4", "last", "0", "1", "2"])
    #expect(shared.waiterCount == 0)
  }

  @Test func `S1: the holder of the lock is known by its thread alone`() async throws {
    let shared = SharedLock()
    #expect(!shared.isHeldHere)
    shared.lock.lockHere()
    onThreads(2) { _ in expectTrue(!shared.isHeldHere) }
    let actor = SteppedActor()
    let task = await shared.lineUpTask("task", on: actor)
    shared.lock.unlockHere()
    #expect(!shared.isHeldHere)
    let isHeld = Shared<[Bool]>([])
    #expect(await becomesTrue { actor.waitingCount == 1 })
    let thread = TestThread {
      actor.step()
      isHeld.value.withLock { $0.append(shared.isHeldHere) }
    }
    #expect(finishes { thread.join() })
    #expect(isHeld.value.withLock { $0 } == [false])
    #expect(shared.order == ["task"])
    try await finish(task, [actor])
  }
}

/// Waits for a task, and runs what its actors have to do for it.
func finish(_ task: Task<Void, any Error>, _ actors: [SteppedActor]) async throws {
  let isDone = Shared(false)
  let waiter = Task {
    defer { isDone.value.withLock { $0 = true } }
    try await task.value
  }
  expectTrue(
    await becomesTrue {
      for actor in actors { actor.step() }
      return isDone.value.withLock { $0 }
    })
  try await waiter.value
}
