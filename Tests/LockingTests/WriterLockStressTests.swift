@testable import Locking
import TestSupport
import Testing

/// Threads, tasks and cancellations at random; whoever isn't woken makes a round hang.
@Suite(.timeLimit(.minutes(20))) struct `S1: every waiter gets the lock` {
  /// What the lock guards.
  private final class Ledger: @unchecked Sendable {
    // @unchecked: `balance` is under `lock`.
    let lock = WriterLock()
    var balance = 0
    private let taken = AtomicWord(0)

    /// How often the lock was taken.
    var count: Int { taken.load() }

    func enter() {
      balance += 1
      taken.add(1)
    }
  }

  private actor Clerk {
    func work(_ ledger: Ledger, _ times: Int) async {
      await `S1: every waiter gets the lock`.work(ledger, times)
    }
  }

  private nonisolated(nonsending) static func work(_ ledger: Ledger, _ times: Int) async {
    for _ in 0..<times {
      do {
        try await ledger.lock.lockWhenFree()
      } catch { return }
      expectTrue(ledger.lock.isHeldHere)
      ledger.enter()
      ledger.lock.unlockHere()
    }
  }

  @MainActor private static func workOnMainActor(_ ledger: Ledger, _ times: Int) async {
    await work(ledger, times)
  }

  /// What one round consists of.
  private struct Round: Sendable {
    let threads: Int
    let tasks: Int
    let times: Int
    let cancelled: [Int]
    /// How often others are let run before each is cancelled.
    let pauses: [Int]

    init(_ generator: inout SeededGenerator) {
      threads = Int.random(in: 0...2, using: &generator)
      tasks = Int.random(in: 1...5, using: &generator)
      times = Int.random(in: 1...4, using: &generator)
      let tasks = tasks
      cancelled = (0..<tasks).filter { _ in generator.chance(0.5) }.shuffled(using: &generator)
      pauses = cancelled.map { _ in Int.random(in: 0...6, using: &generator) }
    }
  }

  @Test(arguments: 0..<4)
  func `S1: every round ends, and the counts add up`(_ seed: Int) async {
    var generator = SeededGenerator(seed: seed)
    let clerks = [Clerk(), Clerk()]
    tried(rounds(1000), "rounds of threads and tasks")
    for number in 0..<rounds(1000) {
      let round = Round(&generator)
      let ledger = Ledger()
      let threads = (0..<round.threads).map { _ in
        TestThread {
          for _ in 0..<round.times {
            ledger.lock.lockHere()
            ledger.enter()
            ledger.lock.unlockHere()
          }
        }
      }
      let tasks = (0..<round.tasks).map { index in
        Task {
          switch index {
          case 0: await Self.workOnMainActor(ledger, round.times)
          case 1, 2: await clerks[index - 1].work(ledger, round.times)
          default: await Self.work(ledger, round.times)
          }
        }
      }
      for (task, pause) in zip(round.cancelled, round.pauses) {
        for _ in 0..<pause { await Task.yield() }
        tasks[task].cancel()
      }
      // Cancelled with the test, so that one that is forgotten ends when the time is up.
      await withTaskCancellationHandler {
        for task in tasks { await task.value }
      } onCancel: {
        for task in tasks { task.cancel() }
      }
      guard !Task.isCancelled else {
        return recordIssue("Somebody waits for ever in round \(number) of seed \(seed)")
      }
      for thread in threads { thread.join() }
      // Nobody has it and nobody is left in the queue.
      ledger.lock.lockHere()
      #expect(ledger.balance == ledger.count)
      ledger.lock.unlockHere()
      #expect(ledger.lock.waiterCount == 0)
      let certain = (round.threads + round.tasks - round.cancelled.count) * round.times
      #expect(certain...certain + round.cancelled.count * round.times ~= ledger.count)
    }
  }

  @Test func `S1: tasks get their turn though threads take the lock without end`() async throws {
    let ledger = Ledger()
    let isOver = Shared(false)
    let threads = (0..<2).map { _ in
      TestThread {
        while !isOver.value.withLock({ $0 }) {
          ledger.lock.lockHere()
          ledger.enter()
          ledger.lock.unlockHere()
        }
      }
    }
    let ends = await withTaskGroup { group in
      group.addTask { await Self.workOnMainActor(ledger, 20) }
      group.addTask { await Clerk().work(ledger, 20) }
      group.addTask { await Self.work(ledger, 20) }
      for await _ in group {}
      return !Task.isCancelled
    }
    #expect(ends)
    isOver.value.withLock { $0 = true }
    for thread in threads { thread.join() }
    #expect(ledger.balance == ledger.count)
  }
}
