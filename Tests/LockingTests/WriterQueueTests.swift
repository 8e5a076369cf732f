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
    let first = WaitingTask(after: nil)
    expectTrue(queue.take(nil))
    expectTrue(queue.lineUp(first))
    _ = queue.next()
    expectTrue(queue.take(nil))
    let task = WaitingTask(after: first)
    expectTrue(queue.lineUp(task))
    expectTrue(queue.next().task === task)
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
