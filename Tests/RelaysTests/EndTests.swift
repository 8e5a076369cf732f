import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `R6: a relay lives as long as its owner keeps it` {
  @Test func `R6 A loop over a StateRelay starts with its value and ends with the relay`() async {
    var iterator: AsyncStream<Int>.Iterator
    do {
      let relay = StateRelay(1)
      relay.send(2)
      iterator = relay.values().makeAsyncIterator()
      relay.send(3)
    }
    var seen: [Int] = []
    while let value = await iterator.next() { seen.append(value) }
    #expect(seen == [2, 3])
  }

  @Test func `R6 A loop that waits ends when the relay ends`() async {
    let owner = Box<Relay<Int>?>(Relay())
    let values = owner.value?.values()
    let loop = Task {
      var seen: [Int] = []
      guard let values else { return seen }
      for await value in values { seen.append(value) }
      return seen
    }
    let isListening = await becomesTrue { owner.value?.hasSubscribers == true }
    #expect(isListening)
    owner.value?.send(1)
    owner.value = nil
    #expect(await loop.value == [1])
  }

  @Test func `R6 A loop that starts after the relay's end ends at once`() async {
    let signal = Relay<Int>().signal
    for await _ in signal.values() { Issue.record("Nobody sends") }
    let state = StateRelay(1).signal
    var seen: [Int] = []
    for await value in state.values() { seen.append(value) }
    #expect(seen == [1])
  }

  @Test func `R6 A deallocated relay releases what its subscribers hold`() {
    let tracker = LifetimeTracker()
    var token: SubscriptionToken?
    do {
      let relay = Relay<Int>()
      token = relay.subscribe { [object = tracker.track()] _ in _ = object }
      // Held by the token alone from here on.
    }
    token?.cancel()
    #expect(tracker.aliveCount == 0)
  }

  @Test func `R6 A token may be cancelled after its relay's end`() {
    var token: SubscriptionToken?
    do { token = StateRelay(1).subscribe { _ in } }
    token?.cancel()
    token?.cancel()
    token = nil
  }

  @Test func `R6 A loop left by break is unsubscribed`() async {
    let relay = Relay<Int>()
    let loop = Task {
      for await value in relay.values() where value == 2 { break }
    }
    let isListening = await becomesTrue { relay.hasSubscribers }
    #expect(isListening)
    relay.send(1)
    relay.send(2)
    await loop.value
    #expect(!relay.hasSubscribers)
  }

  @Test func `R6 A loop whose task is cancelled is unsubscribed`() async {
    let relay = Relay<Int>()
    let loop = Task {
      for await _ in relay.values() {}
    }
    let isListening = await becomesTrue { relay.hasSubscribers }
    #expect(isListening)
    loop.cancel()
    await loop.value
    #expect(!relay.hasSubscribers)
  }

  @Test func `R6 Each loop gets every value, from the moment its values are asked for`() async {
    let loops: [SignalValues<Int>]
    do {
      let relay = Relay<Int>()
      loops = (0..<3).map { _ in relay.values() }
      for value in 0..<100 { relay.send(value) }
    }
    for values in loops {
      var seen: [Int] = []
      for await value in values { seen.append(value) }
      #expect(seen == Array(0..<100))
    }
  }

  @Test func `R6 Values that no loop ever takes are unsubscribed when they are dropped`() {
    let relay = Relay<Int>()
    do {
      let values = relay.values()
      relay.send(1)
      withExtendedLifetime(values) { #expect(relay.hasSubscribers) }
    }
    #expect(!relay.hasSubscribers)
  }

  @Test func `R6 Everything is Sendable`() {
    func need<T: Sendable>(_: T.Type) {}
    need(Relay<Int>.self)
    need(StateRelay<[String]>.self)
    need(Signal<Int>.self)
    need(SignalValues<Int>.self)
    need(SubscriptionToken.self)
    need(Buffering.self)
    need(Delivery.self)
    need(Delivery.Main.self)
    need(DeliveryQueue.self)
    need((@Sendable (Signal<Int>) -> SubscriptionToken).self)
  }
}
