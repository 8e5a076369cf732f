@testable import Locking
import TestSupport
import Testing

/// Threads and tasks as a scheduler sees them, in any order of their steps.
@Suite struct `S1: threads and tasks in every order of their steps` {
  private final class Clock: Sendable {
    let start = ContinuousClock.now
    let passed = Locked(0)
    var now: ContinuousClock.Instant { start + .milliseconds(passed.withLock { $0 }) }
    func advance(_ count: Int) { passed.withLock { $0 += count } }
  }

  /// Somebody who wants the lock some times.
  private enum Client {
    case thread(WriterQueue.Thread, ThreadState)
    case task(TaskState, last: WaitingTask?, isCancelled: Bool)
    case done
  }

  private enum ThreadState {
    case asking
    case blocked(OneTimeWord)
    case holding
  }

  private enum TaskState {
    case asking
    case suspended(WaitingTask)
    case holding
  }

  private struct World {
    var queue: WriterQueue
    let clock = Clock()
    var clients: [Client]
    var holder: Int?
    var granted = 0
    /// True while a guard takes steps.
    var isGuarded = false
    /// The tasks whose actors run nothing for a while.
    var busy: Set<Int> = []

    init(_ clients: [Client]) {
      self.clients = clients
      let clock = clock
      queue = WriterQueue { clock.now }
    }

    /// Those who can take a step.
    var ready: [Int] {
      clients.indices.filter { index in
        switch clients[index] {
        case .thread(_, .blocked), .done: false
        case .task(.suspended, _, let isCancelled): isCancelled && !busy.contains(index)
        case .task(.asking, _, _): !busy.contains(index)
        default: true
        }
      }
    }

    mutating func grant(_ index: Int) {
      expectEqual(holder, nil, "two have the lock")
      holder = index
      granted += 1
    }

    mutating func giveBack() {
      holder = nil
      notify(queue.next())
      askForGuard()
    }

    mutating func askForGuard() {
      if queue.needsGuard() {
        expectTrue(!isGuarded, "two guards")
        isGuarded = true
      }
    }

    mutating func stepOfGuard() {
      switch queue.guardStep() {
      case .ended: isGuarded = false
      case .waiting: break
      case .passed(let next):
        expectEqual(holder, nil, "the guard passes on what another has")
        notify(next)
      }
    }

    mutating func notify(_ next: WriterQueue.Next) {
      for index in clients.indices {
        switch clients[index] {
        case .thread(var thread, .blocked(let event)) where event === next.thread:
          if next.isHandedOver {
            clients[index] = .thread(thread, .holding)
            grant(index)
          } else {
            thread.isWatching = true
            clients[index] = .thread(thread, .asking)
          }
        case .task(.suspended(let task), _, let isCancelled) where task === next.task:
          clients[index] = .task(.asking, last: task, isCancelled: isCancelled)
        default: break
        }
      }
    }

    mutating func step(_ index: Int) {
      switch clients[index] {
      case .thread(var thread, .asking):
        switch queue.lineUp(&thread) {
        case .taken:
          clients[index] = .thread(thread, .holding)
          grant(index)
        case .watching: clients[index] = .thread(thread, .asking)
        case .waiting(let event): clients[index] = .thread(thread, .blocked(event))
        }
      case .thread(_, .holding), .task(.holding, _, _):
        clients[index] = .done
        giveBack()
      case .task(.suspended(let task), _, true):
        clients[index] = .task(.asking, last: task, isCancelled: true)
        step(index)
      case .task(.asking, let last, true):
        clients[index] = .done
        if let last, queue.leave(last) { giveBack() }
      case .task(.asking, let last, false):
        let task = WaitingTask(after: last)
        if queue.take(last?.ticket) || !queue.lineUp(task) {
          clients[index] = .task(.holding, last: last, isCancelled: false)
          grant(index)
        } else {
          clients[index] = .task(.suspended(task), last: last, isCancelled: false)
        }
        askForGuard()
      default: recordIssue("Client \(index) can take no step")
      }
    }

    mutating func cancel(_ index: Int) {
      if case .task(let state, let last, _) = clients[index] {
        if case .holding = state { return }
        clients[index] = .task(state, last: last, isCancelled: true)
      }
    }
  }

  @Test func `S1: one writer has the lock at a time, and each that isn't cancelled gets it`() {
    withEvery("seed", in: seeds(20_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...6, using: &generator)
      var world = World(
        (0..<count).map { _ in
          generator.chance(0.4)
            ? .thread(WriterQueue.Thread(), .asking) : .task(.asking, last: nil, isCancelled: false)
        })
      var cancelled = 0
      var steps = 0
      while true {
        let ready = world.ready
        let choices = ready.count + (world.isGuarded ? 1 : 0)
        if choices == 0 {
          // A task whose actor is busy holds up nobody else.
          for (index, client) in world.clients.enumerated() where !world.busy.contains(index) {
            guard case .done = client else { return recordIssue("Client \(index) is held up") }
          }
          if world.busy.isEmpty { break }
          world.busy = []
          continue
        }
        steps += 1
        let choice = Int.random(in: 0..<choices, using: &generator)
        if choice < ready.count { world.step(ready[choice]) } else { world.stepOfGuard() }
        // Somebody always looks after the waiters of a free lock.
        expectTrue(!world.queue.needsGuard(), "a guard is missing")
        if generator.chance(0.05) {
          let index = Int.random(in: 0..<count, using: &generator)
          if world.busy.remove(index) == nil { world.busy.insert(index) }
        }
        if generator.chance(0.3) { world.clock.advance(1) }
        if generator.chance(0.05) {
          let victim = Int.random(in: 0..<count, using: &generator)
          if case .task(let state, _, false) = world.clients[victim] {
            if case .holding = state { continue }
            world.cancel(victim)
            cancelled += 1
          }
        }
        guard steps < 2_000 else { return recordIssue("There is no end") }
      }
      // Nobody can take a step: then everybody is done.
      for (index, client) in world.clients.enumerated() {
        guard case .done = client else { return recordIssue("Client \(index) waits for ever") }
      }
      expectEqual(world.granted, count - cancelled)
      expectEqual(world.queue.count, 0)
      expectTrue(world.queue.take(nil), "the lock is not free")
    }
  }
}
