@testable import Locking
import TestSupport
import Testing

/// A main actor that waits for ever would stop the whole run, so each test is a process of its own,
/// which ends itself after a while.
@Suite struct `S1: the main actor may wait for the lock while one of its tasks does` {
  @Test func `S1: a task of the main actor that was woken doesn't keep it waiting`() async {
    await #expect(processExitsWith: .success) {
      let watchdog = Watchdog()
      await MainActorCase().takeAfterWaking()
      watchdog.callOff()
    }
  }

  @Test func `S1: a task of the main actor that stands before it in the queue doesn't, either`()
    async
  {
    await #expect(processExitsWith: .success) {
      let watchdog = Watchdog()
      await MainActorCase().takeBehindTask()
      watchdog.callOff()
    }
  }

  @Test func `S1: nor does one that was passed over, which the lock is kept for`() async {
    await #expect(processExitsWith: .success) {
      let watchdog = Watchdog()
      await MainActorCase().takeWhileKept()
      watchdog.callOff()
    }
  }
}

/// Ends the process if it isn't called off in time.
final class Watchdog: Sendable {
  private let isOver = Shared(false)
  private let thread: TestThread

  init() {
    thread = TestThread { [isOver] in
      if !becomesTrueBlocking(within: .seconds(300), { isOver.value.withLock { $0 } }) {
        fatalError("The process is stuck")
      }
    }
  }

  func callOff() {
    isOver.value.withLock { $0 = true }
    thread.join()
  }
}

/// A main actor that blocks in the lock beside a task of its own.
@MainActor private final class MainActorCase {
  private let shared = SharedLock()

  /// Starts a task on the main actor, and lets it run until it waits.
  private func startTask() async -> Task<Void, any Error> {
    let task = Task { try await shared.take("task") }
    let isReady = await becomesTrue { shared.waiterCount == 1 }
    precondition(isReady)
    return task
  }

  private func takeHere() {
    shared.lock.lockHere()
    shared.note("main")
    shared.lock.unlockHere()
  }

  private func finish(_ task: Task<Void, any Error>) async {
    do {
      try await task.value
    } catch { fatalError("\(error)") }
    precondition(shared.order == ["main", "task"], "\(shared.order)")
    precondition(shared.waiterCount == 0)
  }

  func takeAfterWaking() async {
    let holder = Holder(shared)
    let task = await startTask()
    // The task is woken, and can't run before this has.
    holder.giveBack()
    takeHere()
    await finish(task)
  }

  func takeBehindTask() async {
    let holder = Holder(shared)
    let task = await startTask()
    let helper = TestThread { [shared] in
      precondition(becomesTrueBlocking { shared.waiterCount == 2 })
      holder.giveBack()
    }
    takeHere()
    helper.join()
    await finish(task)
  }

  func takeWhileKept() async {
    let first = Holder(shared)
    let task = await startTask()
    first.giveBack()
    let second = Holder(shared)
    // The task tries in vain.
    let isReady = await becomesTrue { shared.waiterCount == 1 }
    precondition(isReady)
    second.giveBack()
    takeHere()
    await finish(task)
  }
}
