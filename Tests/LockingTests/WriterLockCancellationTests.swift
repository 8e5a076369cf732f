@testable import Locking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `S1: a task that is cancelled while it waits for the lock` {
  /// Waits for a task that must have been cancelled, and runs what its actor has to do for it.
  private func expectCancelled(_ task: Task<Void, any Error>, _ actor: SteppedActor) async {
    await #expect(throws: CancellationError.self) { try await finish(task, [actor]) }
  }

  @Test func `S1: doesn't take it if it was cancelled before, though the lock is free`()
    async throws
  {
    let shared = SharedLock()
    let actor = SteppedActor()
    let task = Task { try await actor.take(shared, "task") }
    #expect(await becomesTrue { actor.waitingCount == 1 })
    task.cancel()
    await expectCancelled(task, actor)
    #expect(shared.order == ["task gives up"])
    try await shared.take("other")
    #expect(shared.order.last == "other")
  }

  @Test func `S1: doesn't wait if it was cancelled before and the lock is held`() async throws {
    let shared = SharedLock()
    let actor = SteppedActor()
    let task = Task { try await actor.take(shared, "task") }
    #expect(await becomesTrue { actor.waitingCount == 1 })
    task.cancel()
    let holder = Holder(shared)
    await expectCancelled(task, actor)
    #expect(shared.waiterCount == 0)
    holder.giveBack()
    #expect(shared.order == ["task gives up"])
  }

  @Test func `S1: leaves the queue at once, and the others keep their places`() async throws {
    let shared = SharedLock()
    let actors = (0..<3).map { _ in SteppedActor() }
    let holder = Holder(shared)
    var tasks: [Task<Void, any Error>] = []
    for (index, actor) in actors.enumerated() {
      tasks.append(await shared.lineUpTask("\(index)", on: actor))
    }
    tasks[1].cancel()
    await expectCancelled(tasks[1], actors[1])
    #expect(shared.waiterCount == 2)
    holder.giveBack()
    try await finish(tasks[0], actors)
    try await finish(tasks[2], actors)
    #expect(shared.order == ["1 gives up", "0", "2"])
    #expect(shared.waiterCount == 0)
  }

  @Test func `S1: passes on what it was woken for`() async throws {
    let shared = SharedLock()
    let actors = (0..<2).map { _ in SteppedActor() }
    let holder = Holder(shared)
    let first = await shared.lineUpTask("first", on: actors[0])
    let second = await shared.lineUpTask("second", on: actors[1])
    holder.giveBack()
    #expect(await becomesTrue { actors[0].waitingCount == 1 })
    first.cancel()
    await expectCancelled(first, actors[0])
    #expect(await actors[1].stepSoon())
    #expect(shared.order == ["first gives up", "second"])
    try await finish(second, actors)
  }

  @Test func `S1: passes it on also if it was cancelled first and woken then`() async throws {
    let shared = SharedLock()
    let actors = (0..<2).map { _ in SteppedActor() }
    let holder = Holder(shared)
    let first = await shared.lineUpTask("first", on: actors[0])
    let second = await shared.lineUpTask("second", on: actors[1])
    first.cancel()
    #expect(await becomesTrue { actors[0].waitingCount == 1 })
    // It is in the queue until it goes on, so it is the one that the lock is offered to.
    #expect(shared.waiterCount == 2)
    holder.giveBack()
    await expectCancelled(first, actors[0])
    #expect(await actors[1].stepSoon())
    #expect(shared.order == ["first gives up", "second"])
    try await finish(second, actors)
  }

  @Test func `S1: leaves it to a thread that has come in between`() async throws {
    let shared = SharedLock()
    let actors = (0..<2).map { _ in SteppedActor() }
    let first = Holder(shared)
    let task = await shared.lineUpTask("task", on: actors[0])
    let other = await shared.lineUpTask("other", on: actors[1])
    first.giveBack()
    #expect(await becomesTrue { actors[0].waitingCount == 1 })
    let second = Holder(shared)
    task.cancel()
    await expectCancelled(task, actors[0])
    #expect(shared.order == ["task gives up"])
    #expect(shared.waiterCount == 1)
    second.giveBack()
    #expect(await actors[1].stepSoon())
    #expect(shared.order == ["task gives up", "other"])
    try await finish(other, actors)
  }

  @Test func `S1: gives up what was kept for it, and a thread needn't wait for the time to pass`()
    async throws
  {
    let shared = SharedLock()
    let actor = SteppedActor()
    let first = Holder(shared)
    let task = await shared.lineUpTask("task", on: actor)
    first.giveBack()
    #expect(await becomesTrue { actor.waitingCount == 1 })
    let second = Holder(shared)
    actor.step()
    #expect(await becomesTrue { shared.waiterCount == 1 })
    // Now it has been passed over, and the lock is kept for it.
    let thread = shared.lineUpThread("thread")
    second.giveBack()
    task.cancel()
    await expectCancelled(task, actor)
    #expect(finishes { thread.join() })
    #expect(Set(shared.order) == ["task gives up", "thread"])
    try await shared.take("last")
    #expect(shared.waiterCount == 0)
  }
}

/// A thread that has the lock until it is told to give it back.
final class Holder: Sendable {
  private let isOver = Shared(false)
  private let thread: TestThread

  /// Takes the lock.
  init(_ shared: SharedLock) {
    let isHeld = Shared(false)
    thread = TestThread { [isOver] in
      shared.lock.lockHere()
      isHeld.value.withLock { $0 = true }
      _ = becomesTrueBlocking { isOver.value.withLock { $0 } }
      shared.lock.unlockHere()
    }
    expectTrue(becomesTrueBlocking { isHeld.value.withLock { $0 } })
  }

  /// Gives the lock back, and waits until that has happened.
  func giveBack() {
    isOver.value.withLock { $0 = true }
    thread.join()
  }
}
