import EntityStore
import Locking
import Relays
import TestSupport
import Testing

/// How many commits each thread has told of in the commit of its own that it is in.
private final class ToldInOne: Sendable {
  private let counts = Locked<[Int: Int]>([:])
  private let most = Counter()

  /// A commit has been told on the calling thread.
  func count() { counts.withLock { $0[CurrentThread.token, default: 0] += 1 } }

  /// Notes how many `commit` told of.
  func during(_ commit: () throws -> Void) rethrows {
    counts.withLock { $0[CurrentThread.token] = 0 }
    try commit()
    counts.withLock { counts in most.set(max(most.value, counts[CurrentThread.token] ?? 0)) }
  }

  var largest: Int { most.value }
}

@Suite(.timeLimit(.minutes(20))) struct `R2: commits that are delivered slowly` {
  /// Takes several times as long as a commit.
  private static func work() {
    let end = ContinuousClock.now + .microseconds(400)
    while ContinuousClock.now < end {}
  }

  /// Commits on two threads so often each, and says what a commit told of at most, and how many waited.
  private func commitOnTwoThreads(_ count: Int) throws -> (told: Int, waiting: Int) {
    let store = try Store(.inMemory, entities: [Owner.self])
    let told = ToldInOne()
    let total = Counter()
    let waiting = Counter()
    let mostWaiting = Counter()
    let token = store.commits.subscribe { _ in
      waiting.add(-1)
      told.count()
      total.add()
      Self.work()
    }
    onThreads(2) { thread in
      for id in 0..<count {
        told.during {
          let isWaiting = waiting.add()
          if isWaiting > mostWaiting.value { mostWaiting.set(isWaiting) }
          _ = try? store.commit { try $0.insert(Owner(id: 2 * id + thread)) }
        }
      }
    }
    #expect(total.value == 2 * count)
    token.cancel()
    return (told.largest, mostWaiting.value)
  }

  @Test func `F13 S1: what another thread sends is no part of a body that sends as well`() throws {
    struct Refused: Error {}
    let store = try Store(.inMemory, entities: [Owner.self])
    let relay = Relay<Int>()
    let token = relay.subscribe { value in
      if value == 1 { TestThread { relay.send(2) }.join() }
      try? store.commit { try $0.insert(Owner(id: value)) }
    }
    #expect(throws: Refused.self) {
      try store.commit { _ in
        relay.send(1)
        throw Refused()
      }
    }
    // The body's own value came to its callback in the body, and went with it.
    #expect(try store.fetch(Query<Owner>()).map(\.id) == [2])
    token.cancel()
  }

  @Test func `R2 F12: no commit delivers the commits of other threads without end`() throws {
    var most = try commitOnTwoThreads(800)
    // Where the machine is busy a wait may run out now and then: the best of some tries counts.
    for _ in 0..<4 where max(most.waiting, most.told) >= 300 { most = try commitOnTwoThreads(800) }
    #expect(most.waiting < 300)
    // A thread is to be relieved after 2 ms, and the other one comes to commit long before.
    #expect(most.told < 300)
  }
}
