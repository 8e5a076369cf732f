import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Subscribing on an actor` {
  /// An actor as people write it.
  private actor Listener {
    private(set) var heard: [Int] = []
    private(set) var notes: [String] = []
    private var tokens: [SubscriptionToken] = []
    private let object: LifetimeTracker.Tracked?

    init(_ tracker: LifetimeTracker? = nil) { object = tracker?.track() }

    func listen(to relay: Relay<Int>, last: Int, _ isDone: Latch) {
      tokens.append(
        relay.subscribe(on: self) { me, value in
          me.heard.append(value)
          if value == last { isDone.open() }
        })
    }

    func token(for relay: Relay<Int>, _ calls: Counter) -> SubscriptionToken {
      relay.subscribe(on: self) { me, _ in
        me.heard.append(0)
        calls.add()
      }
    }

    func send(_ value: Int, on relay: Relay<Int>) -> [Int] {
      relay.send(value)
      return heard
    }

    /// Passes on what comes from one relay to another, to both of which it listens.
    func pass(from first: Relay<Int>, to second: Relay<Int>, _ isDone: Latch) {
      tokens.append(
        first.subscribe(on: self) { me, value in
          me.notes.append("begin \(value)")
          second.send(value * 10)
          me.notes.append("end \(value)")
          if value == 2 { isDone.open() }
        })
      tokens.append(second.subscribe(on: self) { me, value in me.notes.append("\(value)") })
    }

    func cancelAfterSending(on relay: Relay<Int>, _ calls: Counter) {
      let token = relay.subscribe(on: self) { _, _ in calls.add() }
      relay.send(1)
      onThreads(1) { _ in relay.send(2) }
      token.cancel()
    }

    /// Counts up on `relay` in its own callback.
    func count(on relay: Relay<Int>, to last: Int, _ isDone: Latch) {
      tokens.append(
        relay.subscribe(on: self) { me, value in
          me.notes.append("begin \(value)")
          if value < last { relay.send(value + 1) } else { isDone.open() }
          me.notes.append("end \(value)")
        })
    }
  }

  @Test func `R1 Values arrive on the actor in order`() async {
    let relay = Relay<Int>()
    let isDone = Latch()
    let listener = Listener()
    await listener.listen(to: relay, last: 5_000, isDone)
    onThreads(1) { _ in
      for value in 1...5_000 { relay.send(value) }
    }
    await isDone.wait()
    #expect(await listener.heard == Array(1...5_000))
  }

  @Test func `R1 Values of several threads and of the actor itself keep one order`() async {
    let relay = Relay<Int>()
    let straight = Log<Int>()
    let token = relay.subscribe { straight.note($0) }
    let isDone = Latch()
    let listener = Listener()
    await listener.listen(to: relay, last: -1, isDone)
    await withTaskGroup { group in
      for sender in 1...2 {
        group.addTask {
          for value in 1...1_000 { relay.send(sender * 10_000 + value) }
        }
      }
      group.addTask {
        for value in 1...500 { _ = await listener.send(value, on: relay) }
      }
    }
    relay.send(-1)
    await isDone.wait()
    #expect(await listener.heard == straight.entries)
    #expect(straight.entries.count == 2_501)
    token.cancel()
  }

  @Test func `A value the actor sends outside a callback arrives after its running job`() async {
    let relay = Relay<Int>()
    let isDone = Latch()
    let listener = Listener()
    await listener.listen(to: relay, last: 1, isDone)
    #expect(await listener.send(1, on: relay) == [])
    await isDone.wait()
    #expect(await listener.heard == [1])
  }

  @Test func `A value sent where the actor's queue is delivering goes straight`() async {
    let first = Relay<Int>()
    let second = Relay<Int>()
    let isDone = Latch()
    let listener = Listener()
    await listener.pass(from: first, to: second, isDone)
    first.send(1)
    first.send(2)
    await isDone.wait()
    #expect(await listener.notes == ["begin 1", "10", "end 1", "begin 2", "20", "end 2"])
  }

  @Test func `Many values that wait leave the actor to others in between`() async {
    actor Busy {
      var calls = 0

      func follow(_ relay: Relay<Int>) -> SubscriptionToken {
        let token = relay.subscribe(on: self) { me, _ in me.calls += 1 }
        // The actor is busy with this until all values wait.
        TestThread { for value in 0..<5000 { relay.send(value) } }.join()
        return token
      }
    }
    // Where another thread is quick all of them may have come between two looks.
    var isBetween = false
    for _ in 0..<20 where !isBetween {
      let relay = Relay<Int>()
      let busy = Busy()
      let token = await busy.follow(relay)
      var seen: [Int] = []
      while seen.last != 5000 { seen.append(await busy.calls) }
      isBetween = seen.contains { (1..<5000).contains($0) }
      token.cancel()
    }
    #expect(isBetween)
  }

  @Test func `R2 A value sent in a callback that hopped doesn't nest`() async {
    let relay = Relay<Int>()
    let isDone = Latch()
    let listener = Listener()
    await listener.count(on: relay, to: 3, isDone)
    relay.send(1)
    await isDone.wait()
    #expect(
      await listener.notes == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
  }

  @Test func `R4 A cancel on the actor between sending and arriving is in time`() async {
    let relay = Relay<Int>()
    let calls = Counter()
    let isDone = Latch()
    let listener = Listener()
    await listener.listen(to: relay, last: 2, isDone)
    await listener.cancelAfterSending(on: relay, calls)
    await isDone.wait()
    #expect(calls.value == 0)
  }

  @Test func `A subscription holds its actor weakly, and a freed actor isn't called`() async {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let calls = Counter()
    let token: SubscriptionToken
    do {
      let listener = Listener(tracker)
      token = await listener.token(for: relay, calls)
      #expect(tracker.aliveCount == 1)
    }
    let isFree = await becomesTrue { tracker.aliveCount == 0 }
    #expect(isFree)
    relay.send(1)
    onThreads(1) { _ in relay.send(2) }
    #expect(calls.value == 0)
    token.cancel()
  }

  @Test func `An actor whose values are waiting is freed once they have arrived`() async {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let isDone = Latch()
    do {
      let listener = Listener(tracker)
      await listener.listen(to: relay, last: 100, isDone)
      for value in 1...100 { relay.send(value) }
      await isDone.wait()
    }
    let isFree = await becomesTrue { tracker.aliveCount == 0 }
    #expect(isFree)
    #expect(!relay.hasSubscribers)
  }

  @Test func `R6 A capture is released with its relay if the actor ended before a value`() {
    let tracker = LifetimeTracker()
    var relay: Relay<Int>? = Relay()
    let token: SubscriptionToken?
    do {
      let object = tracker.track()
      token = relay?.subscribe(on: Listener()) { _, _ in _ = object }
    }
    relay?.send(1)
    #expect(tracker.aliveCount == 1)
    relay = nil
    #expect(tracker.aliveCount == 0)
    withExtendedLifetime(token) {}
  }

  @Test func `R6 A capture is released with its relay if the actor ended while a value waited`() {
    let tracker = LifetimeTracker()
    var relay: Relay<Int>? = Relay()
    var listener: Listener? = Listener()
    let token: SubscriptionToken?
    if let listener {
      let object = tracker.track()
      token = relay?.subscribe(on: listener) { _, _ in _ = object }
    } else {
      token = nil
    }
    // As inside the body of a commit, where nothing is delivered.
    DeferredDeliveries.begin()
    relay?.send(1)
    relay?.send(2)
    listener = nil
    DeferredDeliveries.end()
    #expect(tracker.aliveCount == 1)
    relay = nil
    #expect(tracker.aliveCount == 0)
    withExtendedLifetime(token) {}
  }
}
