@testable import Locking
import TestSupport
import Testing

@Suite struct `S1: the queue of a writer lock` {
  /// The time, for the queue to be told.
  private final class Clock: Sendable {
    private let start = ContinuousClock.now
    private let passed = Locked(Duration.zero)

    var now: ContinuousClock.Instant { start + passed.withLock { $0 } }

    func advance(_ duration: Duration) { passed.withLock { $0 += duration } }
  }

  private let clock = Clock()

  private func makeQueue() -> WriterQueue { WriterQueue { [clock] in clock.now } }

  /// A queue whose lock is held, with a task before a thread; the task was passed over once.
  private func passOver(_ queue: inout WriterQueue) -> (task: WaitingTask, thread: OneTimeWord?) {
    let first = WaitingTask(after: nil)
    expectTrue(queue.take(nil))
    expectTrue(queue.lineUp(first))
    expectTrue(queue.next().task === first)
    // A thread comes while the lock is free, and takes it at once.
    var thread = WriterQueue.Thread()
    guard case .taken = queue.lineUp(&thread) else {
      recordIssue("The thread doesn't get the free lock")
      return (first, nil)
    }
    expectTrue(!queue.take(first.ticket))
    let task = WaitingTask(after: first)
    expectTrue(queue.lineUp(task))
    var second = WriterQueue.Thread()
    guard case .waiting(let event) = queue.lineUp(&second) else {
      recordIssue("The thread doesn't wait")
      return (task, nil)
    }
    return (task, event)
  }

  /// A queue whose free lock is kept for a task that came too late once.
  private func keepForTask(_ queue: inout WriterQueue) -> WaitingTask {
    let first = WaitingTask(after: nil)
    expectTrue(queue.take(nil))
    expectTrue(queue.lineUp(first))
    _ = queue.next()
    expectTrue(queue.take(nil))
    let task = WaitingTask(after: first)
    expectTrue(queue.lineUp(task))
    expectTrue(queue.next().task === task)
    return task
  }

  @Test func `S1: a lock that is kept for a task is given to no thread before the time is up`() {
    var queue = makeQueue()
    let (task, thread) = passOver(&queue)
    let next = queue.next()
    #expect(next.task === task)
    #expect(next.thread === thread)
    #expect(!next.isHandedOver)
    var watching = WriterQueue.Thread()
    watching.isWatching = true
    for _ in 0..<3 {
      guard case .watching = queue.lineUp(&watching) else { return recordIssue("It isn't kept") }
    }
    // Another thread and another task wait behind the one that watches.
    var other = WriterQueue.Thread()
    guard case .waiting = queue.lineUp(&other) else { return recordIssue("It goes first") }
    expectTrue(!queue.take(nil))
    clock.advance(.milliseconds(2))
    guard case .taken = queue.lineUp(&watching) else { return recordIssue("It is kept for ever") }
    // The task comes too late, keeps its place, and next time has more time.
    expectTrue(!queue.take(task.ticket))
    let late = WaitingTask(after: task)
    expectTrue(queue.lineUp(late))
    let again = queue.next()
    #expect(again.task === late)
    #expect(!again.isHandedOver)
    clock.advance(.milliseconds(3))
    watching.isWatching = true
    guard case .watching = queue.lineUp(&watching) else { return recordIssue("It isn't kept") }
    expectTrue(queue.take(late.ticket))
  }

  @Test func `S1: no task goes before a thread that watches, but the one the lock is kept for`() {
    for isCancelled in [false, true] {
      var queue = makeQueue()
      let (task, thread) = passOver(&queue)
      expectTrue(queue.next().thread === thread)
      // Nothing is kept any more, and the thread has not looked yet.
      if isCancelled { expectTrue(!queue.leave(task)) } else { clock.advance(.milliseconds(2)) }
      let late = WaitingTask(after: nil)
      expectTrue(!queue.take(nil))
      expectTrue(queue.lineUp(late))
      var watching = WriterQueue.Thread()
      watching.isWatching = true
      guard case .taken = queue.lineUp(&watching) else { return recordIssue("It isn't next") }
      expectTrue(queue.next().task === late)
      expectTrue(queue.take(late.ticket))
    }
  }

  @Test func `S1: a task that comes late for what was kept takes it, if the thread hasn't yet`() {
    var queue = makeQueue()
    let (task, thread) = passOver(&queue)
    expectTrue(queue.next().thread === thread)
    clock.advance(.milliseconds(2))
    expectTrue(queue.take(task.ticket))
    var watching = WriterQueue.Thread()
    watching.isWatching = true
    guard case .waiting = queue.lineUp(&watching) else { return recordIssue("Two have the lock") }
  }

  @Test func `S1: a task that the lock is kept for takes it, and the thread waits further`() {
    var queue = makeQueue()
    let (task, thread) = passOver(&queue)
    expectTrue(queue.next().thread === thread)
    expectTrue(queue.take(task.ticket))
    var watching = WriterQueue.Thread()
    watching.isWatching = true
    guard case .waiting(let event) = queue.lineUp(&watching) else {
      return recordIssue("It doesn't wait")
    }
    let next = queue.next()
    #expect(next.thread === event)
    #expect(next.isHandedOver)
    #expect(next.task == nil)
  }

  @Test func `S1: a task that leaves gives up what is kept for it`() {
    var queue = makeQueue()
    let (task, thread) = passOver(&queue)
    expectTrue(queue.next().thread === thread)
    // The thread that watches finds out by itself.
    expectTrue(!queue.leave(task))
    var watching = WriterQueue.Thread()
    watching.isWatching = true
    guard case .taken = queue.lineUp(&watching) else { return recordIssue("It is still kept") }
  }

  @Test func `S1: a lock that is kept isn't watched where no thread waits`() {
    var queue = makeQueue()
    let first = WaitingTask(after: nil)
    expectTrue(queue.take(nil))
    expectTrue(queue.lineUp(first))
    _ = queue.next()
    expectTrue(queue.take(nil))
    let task = WaitingTask(after: first)
    expectTrue(queue.lineUp(task))
    let next = queue.next()
    #expect(next.task === task)
    #expect(next.thread == nil)
    // The first thread to come watches; others wait behind it.
    var thread = WriterQueue.Thread()
    guard case .watching = queue.lineUp(&thread) else { return recordIssue("It isn't kept") }
    var other = WriterQueue.Thread()
    guard case .waiting = queue.lineUp(&other) else { return recordIssue("Two watch") }
    // It comes too late and lines up, before the one that came after it.
    expectTrue(queue.take(task.ticket))
    guard case .waiting(let event) = queue.lineUp(&thread) else {
      return recordIssue("It is lost")
    }
    expectTrue(queue.next().thread === event)
  }

  @Test
  func `S1: a task that was woken for nothing and leaves doesn't take what is kept for another`() {
    var queue = makeQueue()
    let early = WaitingTask(after: nil)
    expectTrue(queue.take(nil))
    expectTrue(queue.lineUp(early))
    _ = queue.next()
    expectTrue(queue.take(nil))
    // The early one has been woken and doesn't come; another is passed over, and then kept for.
    let first = WaitingTask(after: nil)
    expectTrue(queue.lineUp(first))
    _ = queue.next()
    expectTrue(queue.take(nil))
    let task = WaitingTask(after: first)
    expectTrue(queue.lineUp(task))
    expectTrue(queue.next().task === task)
    expectTrue(!queue.leave(early))
    expectTrue(!queue.take(nil))
    expectTrue(queue.take(task.ticket))
  }

  @Test func `S1: a task keeps its place if what was kept for it is taken when the time is up`() {
    var queue = makeQueue()
    let task = keepForTask(&queue)
    expectTrue(!queue.takeUnkept())
    clock.advance(.milliseconds(2))
    expectTrue(queue.takeUnkept())
    expectTrue(!queue.takeUnkept())
    expectTrue(!queue.take(task.ticket))
    let late = WaitingTask(after: task)
    expectTrue(queue.lineUp(late))
    expectTrue(queue.lineUp(WaitingTask(after: nil)))
    expectTrue(queue.next().task === late)
    expectTrue(queue.take(late.ticket))
  }

  /// The next waiters, if the guard passes the lock on.
  private func passed(_ queue: inout WriterQueue) -> WriterQueue.Next? {
    guard case .passed(let next) = queue.guardStep() else { return nil }
    return next
  }

  @Test func `S1: the next task is woken if one that was woken doesn't come for a while`() {
    var queue = makeQueue()
    let tasks = (0..<4).map { _ in WaitingTask(after: nil) }
    expectTrue(queue.take(nil))
    for task in tasks { expectTrue(queue.lineUp(task)) }
    // Nobody is needed while the lock is held, and one afterwards.
    expectTrue(!queue.needsGuard())
    expectTrue(queue.next().task === tasks[0])
    expectTrue(queue.needsGuard())
    expectTrue(!queue.needsGuard())
    expectTrue(passed(&queue)?.task === tasks[1])
    // The second one comes and passes the lock on, so the third has its time.
    expectTrue(queue.take(tasks[1].ticket))
    expectTrue(queue.next().task === tasks[2])
    expectTrue(!queue.needsGuard())
    guard case .waiting = queue.guardStep() else { return recordIssue("It has no time") }
    expectTrue(passed(&queue)?.task === tasks[3])
    // Nobody waits any more. The others come when they can.
    guard case .ended = queue.guardStep() else { return recordIssue("It goes on") }
    for task in [tasks[3], tasks[0], tasks[2]] {
      expectTrue(queue.take(task.ticket))
      expectTrue(queue.giveBack())
    }
    expectTrue(queue.take(nil))
  }

  @Test func `S1: a task that came too late is the first of those that wait`() {
    var queue = makeQueue()
    let tasks = (0..<2).map { _ in WaitingTask(after: nil) }
    expectTrue(queue.take(nil))
    for task in tasks { expectTrue(queue.lineUp(task)) }
    expectTrue(queue.next().task === tasks[0])
    expectTrue(queue.needsGuard())
    expectTrue(passed(&queue)?.task === tasks[1])
    expectTrue(queue.take(tasks[1].ticket))
    let other = WaitingTask(after: nil)
    expectTrue(queue.lineUp(other))
    let late = WaitingTask(after: tasks[0])
    expectTrue(queue.lineUp(late))
    expectTrue(queue.next().task === late)
    // Now the lock is kept for it, also from the guard.
    guard case .waiting = queue.guardStep() else { return recordIssue("It has no time") }
    guard case .waiting = queue.guardStep() else { return recordIssue("It isn't kept") }
    expectTrue(queue.take(late.ticket))
    expectTrue(queue.next().task === other)
  }

  @Test func `S1: a task that comes while the lock is kept gets it if the other doesn't come`() {
    var queue = makeQueue()
    _ = keepForTask(&queue)
    // Nobody waited, so there is no guard yet.
    expectTrue(!queue.needsGuard())
    let other = WaitingTask(after: nil)
    expectTrue(queue.lineUp(other))
    expectTrue(queue.needsGuard())
    guard case .waiting = queue.guardStep() else { return recordIssue("It isn't kept") }
    clock.advance(.milliseconds(2))
    expectTrue(passed(&queue)?.task === other)
    expectTrue(queue.take(other.ticket))
  }

  @Test func `S1: a task whose actor is always late has its turn among others without end`() {
    var queue = makeQueue()
    var late = WaitingTask(after: nil)
    expectTrue(queue.take(nil))
    expectTrue(queue.lineUp(late))
    for round in 0... {
      guard round < 10 else { return recordIssue("It never has its turn") }
      // Another task comes while one commits, and again when it has committed itself.
      let other = WaitingTask(after: nil)
      expectTrue(queue.lineUp(other))
      expectTrue(queue.next().task === late)
      expectTrue(queue.needsGuard())
      var steps = 0
      while steps < 20, passed(&queue)?.task !== other {
        clock.advance(.milliseconds(10))
        steps += 1
      }
      if steps == 20 { return expectTrue(queue.take(late.ticket)) }
      // The late task comes while the other one commits.
      expectTrue(queue.take(other.ticket))
      late = WaitingTask(after: late)
      expectTrue(queue.lineUp(late))
      while case .waiting = queue.guardStep() {}
    }
  }

  @Test func `S1: a lock that is held or watched needs no guard`() {
    var queue = makeQueue()
    let (_, thread) = passOver(&queue)
    expectTrue(!queue.needsGuard())
    expectTrue(queue.next().thread === thread)
    expectTrue(queue.lineUp(WaitingTask(after: nil)))
    expectTrue(!queue.needsGuard())
    clock.advance(.milliseconds(2))
    var watching = WriterQueue.Thread()
    watching.isWatching = true
    guard case .taken = queue.lineUp(&watching) else { return recordIssue("It is still kept") }
    expectTrue(!queue.needsGuard())
    _ = queue.next()
    expectTrue(!queue.needsGuard())
  }

  @Test func `S1: many tasks leave in any order, and the others keep theirs`() {
    var generator = SeededGenerator(number: 7)
    var queue = makeQueue()
    let tasks = (0..<20_000).map { _ in WaitingTask(after: nil) }
    expectTrue(queue.take(nil))
    for task in tasks { expectTrue(queue.lineUp(task)) }
    let staying = stride(from: 0, to: tasks.count, by: 100).map { tasks[$0] }
    let leaving = tasks.indices.filter { !$0.isMultiple(of: 100) }
    for index in leaving.shuffled(using: &generator) { expectTrue(!queue.leave(tasks[index])) }
    expectEqual(queue.count, staying.count)
    for task in staying {
      expectTrue(queue.next().task === task)
      expectTrue(queue.take(task.ticket))
    }
    expectTrue(queue.giveBack())
  }

  @Test func `F13: the lock is kept for less time than a query waits for it`() {
    var queue = makeQueue()
    expectTrue(queue.take(nil))
    var task = WaitingTask(after: nil)
    expectTrue(queue.lineUp(task))
    for _ in 0..<6 {
      _ = queue.next()
      clock.advance(.milliseconds(20))
      expectTrue(queue.takeUnkept())
      task = WaitingTask(after: task)
      expectTrue(queue.lineUp(task))
    }
    _ = queue.next()
    clock.advance(.milliseconds(9))
    expectTrue(queue.takeUnkept())
  }
}
