import Relays
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(20))) struct `Subscribing on the main actor` {
  /// A view as people write it.
  @MainActor private final class Board {
    private(set) var shown: [Int] = []
    private var token: SubscriptionToken?

    init(_ relay: Relay<Int>, last: Int? = nil, _ isFull: Latch? = nil) {
      token = relay.subscribe(on: .mainActor) { [weak self] value in
        self?.shown.append(value)
        if value == last { isFull?.open() }
      }
    }
  }

  @Test func `Values sent on the main actor are there before send returns`() {
    let relay = Relay<Int>()
    let board = Board(relay)
    relay.send(1)
    #expect(board.shown == [1])
    relay.send(2)
    #expect(board.shown == [1, 2])
  }

  @Test func `A value sent here doesn't bring along what other relays have left`() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let state = StateRelay(0)
        let (relay, other) = (Relay<Int>(), Relay<Int>())
        let board = Board(relay)
        let token = other.subscribe(on: .mainActor) { _ in _ = state.value }
        onThreads(1) { _ in other.send(1) }
        // The other subscriber would trap here.
        state.modify { value in
          value = 1
          relay.send(1)
        }
        precondition(board.shown == [1])
        withExtendedLifetime(token) {}
      }
    }
  }

  @Test func `In a modify, what a delivery leaves for the main actor waits for its end`() async {
    await #expect(processExitsWith: .success) {
      let state = StateRelay(0)
      let relay = Relay<Int>()
      let seen = await MainActor.run { () -> Log<Int> in
        let seen = Log<Int>()
        let token = relay.subscribe(on: .mainActor) { _ in seen.note(state.value) }
        let queue = DeliveryQueue.immediate()
        // The subscriber would trap inside the modify.
        state.modify { value in
          value = 1
          queue.enqueue {
            onThreads(1) { _ in relay.send(1) }
            relay.send(2)
          }
          queue.run()
        }
        precondition(seen.isEmpty)
        // The next delivery on the main actor brings it along.
        queue.enqueue {}
        queue.run()
        precondition(seen.entries == [1, 1])
        token.cancel()
        return seen
      }
      precondition(seen.entries == [1, 1])
    }
  }

  @Test func `In a modify, a value behind others on their way waits for its end as well`() async {
    await #expect(processExitsWith: .success) {
      let state = StateRelay(0)
      let (relay, other) = (Relay<Int>(), Relay<Int>())
      let seen = Log<Int>()
      let tokens = await MainActor.run { () -> [SubscriptionToken] in
        let tokens = [
          relay.subscribe(on: .mainActor) { seen.note($0) },
          // This one would trap inside the modify.
          other.subscribe(on: .mainActor) { seen.note(10 * $0 + state.value) },
        ]
        onThreads(1) { _ in
          other.send(1)
          relay.send(1)
        }
        state.modify { value in
          value = 1
          relay.send(2)
        }
        precondition(seen.isEmpty)
        return tokens
      }
      let hasArrived = await becomesTrue { seen.entries.count == 3 }
      precondition(hasArrived)
      precondition(seen.entries == [11, 1, 2])
      withExtendedLifetime((relay, other, tokens)) {}
    }
  }

  @Test func `R1 Values sent on another thread arrive in order`() async {
    let relay = Relay<Int>()
    let isFull = Latch()
    let board = Board(relay, last: 5_000, isFull)
    onThreads(1) { _ in
      for value in 1...5_000 { relay.send(value) }
    }
    // The thread is done; nothing arrives while this one is busy.
    #expect(board.shown.isEmpty)
    await isFull.wait()
    #expect(board.shown == Array(1...5_000))
  }

  @Test func `R1 Values sent here and there keep one order for everybody`() async {
    let relay = Relay<[Int]>()
    let straight = Log<[Int]>()
    let token = relay.subscribe { straight.note($0) }
    var first: [[Int]] = []
    var second: [[Int]] = []
    let tokens = [
      relay.subscribe(on: .mainActor) { first.append($0) },
      relay.subscribe(on: .mainActor) { second.append($0) },
    ]
    for sender in 1...2 {
      Task.detached {
        for value in 0..<2_000 { relay.send([sender, value]) }
        relay.send([0, sender])
      }
    }
    var sent = 0
    while first.count(where: { $0[0] == 0 }) < 2 {
      relay.send([3, sent])
      sent += 1
      await Task.yield()
    }
    relay.send([4, 0])
    #expect(await becomesTrue { second.last == [4, 0] })
    let order = straight.entries
    #expect(first == order)
    #expect(second == order)
    #expect(order.filter { $0[0] == 1 }.map { $0[1] } == Array(0..<2_000))
    #expect(order.filter { $0[0] == 2 }.map { $0[1] } == Array(0..<2_000))
    #expect(order.filter { $0[0] == 3 }.map { $0[1] } == Array(0..<sent))
    withExtendedLifetime((token, tokens)) {}
  }

  @Test func `R1 A value sent here doesn't overtake one that is on its way`() {
    let relay = Relay<Int>()
    let board = Board(relay)
    onThreads(1) { _ in relay.send(1) }
    relay.send(2)
    // The value on its way is fetched, and both are there before send returns.
    #expect(board.shown == [1, 2])
  }

  @Test func `R4 A cancel between sending and arriving is in time`() async {
    let relay = Relay<Int>()
    var shown: [Int] = []
    let token = relay.subscribe(on: .mainActor) { shown.append($0) }
    let other = Board(relay)
    onThreads(1) { _ in
      relay.send(1)
      relay.send(2)
    }
    token.cancel()
    #expect(await becomesTrue { other.shown.count == 2 })
    #expect(shown.isEmpty)
  }

  @Test func `R4 A cancel in the callback of an earlier subscriber is in time`() async {
    let relay = Relay<Int>()
    var shown: [Int] = []
    let later = Box<SubscriptionToken?>(nil)
    let isDone = Latch()
    let first = relay.subscribe(on: .mainActor) { _ in later.value?.cancel() }
    later.value = relay.subscribe(on: .mainActor) { shown.append($0) }
    let third = relay.subscribe(on: .mainActor) { _ in isDone.open() }
    onThreads(1) { _ in relay.send(1) }
    await isDone.wait()
    relay.send(2)
    #expect(shown.isEmpty)
    withExtendedLifetime((first, third)) {}
  }

  @Test func `R2 A value sent in a callback that hopped doesn't nest`() async {
    let relay = Relay<Int>()
    let isDone = Latch()
    var log: [String] = []
    let first = relay.subscribe(on: .mainActor) { value in
      log.append("A\(value)")
      if value < 3 { relay.send(value + 1) }
      log.append("a\(value)")
    }
    let second = relay.subscribe(on: .mainActor) { value in
      log.append("B\(value)")
      if value == 3 { isDone.open() }
    }
    onThreads(1) { _ in relay.send(1) }
    await isDone.wait()
    #expect(log == ["A1", "a1", "B1", "A2", "a2", "B2", "A3", "a3", "B3"])
    withExtendedLifetime((first, second)) {}
  }

  @Test(.oneThread) func `R2 A chain of 100,000 sends in callbacks that hopped works`() async {
    let relay = Relay<Int>()
    let isDone = Latch()
    let token = relay.subscribe(on: .mainActor) { value in
      if value < 100_000 { relay.send(value + 1) } else { isDone.open() }
    }
    onThreads(1) { _ in relay.send(1) }
    await isDone.wait()
    token.cancel()
  }

  @Test func `R3 The deinit of a value that hopped may use the relay`() async {
    let relay = Relay<AtEnd?>()
    let isDone = Latch()
    var count = 0
    let token = relay.subscribe(on: .mainActor) { value in
      count += 1
      if value == nil { isDone.open() }
    }
    onThreads(1) { _ in
      relay.send(AtEnd { relay.send(nil) })
    }
    await isDone.wait()
    #expect(count == 2)
    token.cancel()
  }

  @Test func `A value that hopped is released before the next one arrives`() async {
    let tracker = LifetimeTracker()
    let relay = Relay<LifetimeTracker.Tracked>()
    let isDone = Latch()
    var alive: [Int] = []
    let token = relay.subscribe(on: .mainActor) { _ in
      alive.append(tracker.aliveCount)
      if alive.count == 3 { isDone.open() }
    }
    onThreads(1) { _ in
      for _ in 0..<3 { relay.send(tracker.track()) }
    }
    await isDone.wait()
    #expect(alive == [3, 2, 1])
    token.cancel()
  }

  @Test func `R5 The first value hops where the subscription is made elsewhere`() async {
    let relay = StateRelay(1)
    let arrived = Latch()
    let log = Log<Int>()
    let token = Box<SubscriptionToken?>(nil)
    onThreads(1) { _ in
      token.value = relay.subscribe(on: .mainActor) { value in
        log.note(value)
        if value == 2 { arrived.open() }
      }
      relay.send(2)
    }
    #expect(log.isEmpty)
    await arrived.wait()
    #expect(log.entries == [1, 2])
  }

  @Test func `A deallocated view is not called any more`() async {
    let relay = Relay<Int>()
    weak var gone: Board?
    do {
      let board = Board(relay)
      gone = board
      onThreads(1) { _ in relay.send(1) }
    }
    #expect(gone == nil)
    #expect(!relay.hasSubscribers)
  }
}
