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

@Suite(.timeLimit(.minutes(20))) struct `The backlog of a relay` {
  /// Returns the smallest result of up to five tries, which end with the first below `limit`.
  ///
  /// Where the machine is busy, a wait may run out now and then, and more values wait.
  private func best(below limit: Int, _ most: () -> Int) -> Int {
    var best = Int.max
    for _ in 0..<5 where best >= limit { best = min(best, most()) }
    return best
  }

  @Test func `R2 No thread delivers the whole backlog of others in one send`() {
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

  @Test func `R2 Senders bound the number of waiting values`() {
    let most = best(below: 600) {
      let relay = Relay<Int>()
      let most = Counter()
      let token = relay.subscribe { _ in
        let waiting = relay.core.waitingCount
        if waiting > most.value { most.set(waiting) }
        work(1_000)
      }
      onThreads(4) { _ in for value in 0..<4_000 { relay.send(value) } }
      token.cancel()
      return most.value
    }
    #expect(most < 600)
  }

  @Test func `R2 Setters bound the number of values that wait for a state relay`() {
    let most = best(below: 600) {
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
      token.cancel()
      return most.value
    }
    #expect(most < 600)
  }

  @Test func `R2 What the deliverer has taken out waits like the rest`() {
    let relay = Relay<Int>()
    let (isInside, isFull, isTaken, isOver) = (Latch(), Latch(), Latch(), Latch())
    let token = relay.subscribe { value in
      if value == 0 {
        isInside.open()
        #expect(isFull.opensSoon())
      } else if value == 1 {
        isTaken.open()
        #expect(isOver.opensSoon())
      }
    }
    let deliverer = TestThread { relay.send(0) }
    #expect(isInside.opensSoon())
    for value in 1...40 { relay.send(value) }
    isFull.open()
    #expect(isTaken.opensSoon())
    // Else each thread that takes over would let in as many as may wait, and deliver a few of them.
    #expect(relay.core.waitingCount == 40)
    let isBehind = relay.core.lock.withLock { relay.core.backlog.pointee.handoff.isBehind(0) }
    #expect(isBehind)
    isOver.open()
    deliverer.join()
    #expect(relay.core.waitingCount == 0)
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

  @Test func `R2 Neither senders nor subscribers wait long for a slow callback`() {
    let relay = Relay<Int>()
    let state = StateRelay(0)
    let (isInside, isInsideState, isOver) = (Latch(), Latch(), Latch())
    let tokens = [
      relay.subscribe { _ in
        isInside.open()
        #expect(isOver.opensSoon())
      },
      state.dropFirst().subscribe { _ in
        isInsideState.open()
        #expect(isOver.opensSoon())
      },
    ]
    let deliverers = [TestThread { relay.send(0) }, TestThread { state.value = 1 }]
    #expect(isInside.opensSoon())
    #expect(isInsideState.opensSoon())
    // More than may wait; each returns though the callback doesn't.
    for value in 1...100 {
      relay.send(value)
      state.value = value
    }
    let later = (1...20).map { _ in relay.subscribe { _ in } }
    isOver.open()
    for thread in deliverers { thread.join() }
    for token in tokens + later { token.cancel() }
  }

  /// How many values the calling thread delivers in a send beside two threads that send all the time from then on.
  private func share(_ work: @escaping @Sendable () -> Void) -> Int {
    let relay = Relay<Int>()
    let share = Counter()
    let isRunning = Counter(1)
    let here = CurrentThread.token
    let others = Box<[TestThread]>([])
    let token = relay.subscribe { value in
      if CurrentThread.token == here { share.add() }
      if value != 0 { return work() }
      others.value = (0..<2).map { _ in
        TestThread { while isRunning.value != 0 { relay.send(1) } }
      }
      #expect(becomesTrueBlocking { relay.core.waitingCount > 0 })
    }
    relay.send(0)
    let count = share.value
    isRunning.set(0)
    for thread in others.value { thread.join() }
    token.cancel()
    return count
  }

  // Where the machine is busy another thread may come late: the best of some tries counts.

  @Test func `R2 A thread whose callbacks are slow is relieved soon`() {
    var fewest = Int.max
    for _ in 0..<30 where fewest > 6 {
      fewest = min(
        fewest,
        share {
          let end = ContinuousClock.now + .milliseconds(3)
          while ContinuousClock.now < end {}
        })
    }
    #expect(fewest <= 6)
  }

  @Test @MainActor func `R2 The main thread delivers little of what others send`() {
    var fewest = Int.max
    for _ in 0..<100 where fewest > 8 { fewest = min(fewest, share { work(100) }) }
    #expect(fewest <= 8)
  }

  @Test
  func `R2 F13 The body of a commit waits for no deliverer, and delivers for no other thread`() {
    let relay = Relay<Int>()
    let (isInside, isOver) = (Latch(), Latch())
    let threads = Log<Int>()
    let token = relay.subscribe { value in
      threads.note(CurrentThread.token)
      if value == -1 {
        isInside.open()
        // As a callback that commits waits for the body.
        #expect(isOver.opensSoon())
      }
    }
    let other = TestThread { relay.send(-1) }
    #expect(isInside.opensSoon())
    DeferredDeliveries.begin()
    // Half an hour, if each waits as long as it may.
    for value in 0..<20_000 { relay.send(value) }
    #expect(threads.entries.count == 1)
    isOver.open()
    other.join()
    DeferredDeliveries.end()
    #expect(threads.entries.count == 20_001)
    #expect(!threads.entries.contains(CurrentThread.token))
    token.cancel()
  }

  @Test func `F13 R2 A subscription in a callback puts nothing off that the body sends`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let inner = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { value in
      log.note(value)
      if value == 1 { inner.value = relay.subscribe { log.note(10 * $0) } }
    }
    let state = StateRelay(1)
    let other = state.subscribe { value in
      log.note(100 * value)
      if value == 2 { inner.value = state.subscribe { log.note(1000 * $0) } }
    }
    DeferredDeliveries.begin()
    relay.send(1)
    relay.send(2)
    #expect(log.entries == [100, 1, 2, 20])
    state.value = 2
    #expect(log.entries == [100, 1, 2, 20, 200, 2000])
    DeferredDeliveries.end()
    #expect(log.entries == [100, 1, 2, 20, 200, 2000])
    token.cancel()
    other.cancel()
  }

  @Test func `F13 R2 Another thread's subscription puts nothing off that the body sends`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let late = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { value in
      log.note(value)
      if value != 1 { return }
      TestThread { late.value = relay.subscribe { log.note(10 * $0) } }.join()
      relay.send(2)
    }
    DeferredDeliveries.begin()
    relay.send(1)
    #expect(log.entries == [1, 2, 20])
    relay.send(3)
    #expect(log.entries == [1, 2, 20, 3, 30])
    DeferredDeliveries.end()
    #expect(log.entries == [1, 2, 20, 3, 30])
    token.cancel()
  }

  @Test func `F13 R5 Another thread's subscription gets its first value after the body`() {
    let state = StateRelay(0)
    let log = Log<Int>()
    let late = Box<SubscriptionToken?>(nil)
    let token = state.subscribe { value in
      log.note(value)
      if value != 1 { return }
      TestThread { late.value = state.subscribe { log.note(10 * $0) } }.join()
    }
    DeferredDeliveries.begin()
    state.value = 1
    state.value = 2
    #expect(log.entries == [0, 1])
    DeferredDeliveries.end()
    #expect(log.entries == [0, 1, 10, 2, 20])
    token.cancel()
  }

  @Test func `F13 What others send while a body delivers waits for the next sender or its end`() {
    for isTakenOver in [true, false] {
      let relay = Relay<Int>()
      let log = Log<[Int]>()
      let here = CurrentThread.token
      let token = relay.subscribe { value in
        log.note([value, CurrentThread.token == here ? 1 : 0])
        if value == 0 {
          // The first is delivered in the body, too, since its thread sends it.
          relay.send(1)
          TestThread { relay.send(2) }.join()
          relay.send(3)
        }
      }
      DeferredDeliveries.begin()
      relay.send(0)
      #expect(log.entries == [[0, 1], [1, 1]])
      relay.send(4)
      #expect(log.entries.count == 2)
      if isTakenOver { TestThread { relay.send(5) }.join() }
      #expect(log.entries.count == (isTakenOver ? 6 : 2))
      DeferredDeliveries.end()
      let place = isTakenOver ? 0 : 1
      #expect(
        log.entries
          == [[0, 1], [1, 1], [2, place], [3, place], [4, place]] + (isTakenOver ? [[5, 0]] : []))
      relay.send(6)
      #expect(log.entries.last == [6, 1])
      token.cancel()
    }
  }

  @Test func `F13 R4 A cancel while values wait for a body releases the captures at once`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.subscribe { value in
      log.note(value)
      if value == 0 { TestThread { relay.send(1) }.join() }
    }
    let victim = relay.subscribe { [object = tracker.track()] _ in _ = object }
    let last = relay.subscribe { log.note(10 + $0) }
    DeferredDeliveries.begin()
    relay.send(0)
    #expect(log.entries == [0, 10])
    #expect(tracker.aliveCount == 1)
    TestThread { victim.cancel() }.join()
    #expect(tracker.aliveCount == 0)
    #expect(log.entries == [0, 10])
    DeferredDeliveries.end()
    #expect(log.entries == [0, 10, 1, 11])
    for token in [token, victim, last] { token.cancel() }
  }

  @Test func `F13 R6 A relay that is released in a body where others' values wait ends after it`() {
    var relay: Relay<Int>? = Relay<Int>()
    let log = Log<Int>()
    let received = relay.map { relay in
      relay.signal.prefix(10).subscribe { value in
        log.note(value)
        if value == 0 { TestThread { [relay] in relay.send(1) }.join() }
      }
    }
    DeferredDeliveries.begin()
    relay?.send(0)
    relay = nil
    #expect(log.entries == [0])
    DeferredDeliveries.end()
    #expect(log.entries == [0, 1])
    withExtendedLifetime(received) {}
  }

  @Test func `R2 Threads that add jobs bound the number of waiting ones`() {
    let most = best(below: 600) {
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
      #expect(shares.largest < 4_000)
      return most.value
    }
    #expect(most < 600)
  }
}
