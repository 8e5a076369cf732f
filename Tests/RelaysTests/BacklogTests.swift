import Locking
import TestSupport
import Testing

@testable import Relays

/// How many values each thread has been given in the send that it is in.
private final class Shares: Sendable {
  private let counts = Locked<[Int: Int]>([:])
  private let most = Counter()

  /// A value has been delivered on the calling thread.
  func count() { counts.withLock { $0[CurrentThread.token, default: 0] += 1 } }

  /// Notes how much `send` delivered.
  func during(_ send: () -> Void) {
    counts.withLock { $0[CurrentThread.token] = 0 }
    send()
    counts.withLock { counts in most.set(max(most.value, counts[CurrentThread.token] ?? 0)) }
  }

  var largest: Int { most.value }
}

/// Does some work that takes far longer than leaving a value.
@inline(never) private func work(_ rounds: Int = 300) {
  let sum = Counter()
  for number in 0..<rounds { sum.add(number) }
}

@Suite(.timeLimit(.minutes(20))) struct `Backlog` {
  @Test func `R2 Nobody delivers the whole backlog of others in one send`() {
    let relay = Relay<Int>()
    let shares = Shares()
    let total = Counter()
    let token = relay.subscribe { _ in
      shares.count()
      total.add()
      work()
    }
    onThreads(3) { _ in
      for value in 0..<8_000 { shares.during { relay.send(value) } }
    }
    #expect(total.value == 24_000)
    // A thread asks after 1,024, and is relieved as soon as another one comes to send.
    #expect(shares.largest < 4_000)
    token.cancel()
  }

  @Test func `R2 What waits is bounded by those who send`() {
    let relay = Relay<Int>()
    let most = Counter()
    let token = relay.subscribe { _ in
      let waiting = relay.core.waitingCount
      if waiting > most.value { most.set(waiting) }
      work(1_000)
    }
    onThreads(4) { _ in for value in 0..<4_000 { relay.send(value) } }
    // Where the machine is busy a wait may run out now and then.
    #expect(most.value < 600)
    token.cancel()
  }

  @Test func `R2 What waits for a state relay is bounded by those who set it`() {
    let relay = StateRelay(0)
    let most = Counter()
    let token = relay.subscribe { _ in
      let waiting = relay.core.waitingCount
      if waiting > most.value { most.set(waiting) }
      work(1_000)
    }
    onThreads(4) { thread in
      for value in 0..<4_000 {
        if thread == 0 { relay.value = value } else { relay.modify { $0 += 1 } }
      }
    }
    #expect(most.value < 600)
    token.cancel()
  }

  @Test func `R2 A callback that sends to its own relay never waits`() {
    let relay = Relay<Int>()
    let last = Counter()
    let token = relay.subscribe { value in
      last.set(value)
      guard value == 0 else { return }
      for next in 1...10_000 { relay.send(next) }
      // Nothing of it has been delivered, and all of it waits.
      #expect(relay.core.waitingCount == 10_000)
    }
    relay.send(0)
    #expect(last.value == 10_000)
    token.cancel()
  }

  @Test func `R2 Jobs that wait are bounded by those who add them`() {
    let queue = DeliveryQueue.immediate()
    let shares = Shares()
    let waiting = Counter()
    let most = Counter()
    let total = Counter()
    onThreads(3) { _ in
      for _ in 0..<4_000 {
        shares.during {
          let count = waiting.add()
          if count > most.value { most.set(count) }
          queue.enqueue {
            waiting.add(-1)
            shares.count()
            total.add()
            work()
          }
          queue.run()
        }
      }
    }
    #expect(total.value == 12_000)
    #expect(most.value < 600)
    #expect(shares.largest < 4_000)
  }
}
