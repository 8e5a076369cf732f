import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `share of one subscription` {
  /// A shared signal, and how often a value was mapped above it.
  private func shared(_ upstream: Signal<Int>) -> (signal: Signal<Int>, calls: Counter) {
    let calls = Counter()
    let signal = upstream.map { value in
      calls.add()
      return value * 10
    }
    return (signal.share(), calls)
  }

  @Test func `All subscribers share one subscription to the upstream`() {
    let relay = Relay<Int>()
    let (signal, calls) = shared(relay.signal)
    relay.send(1)
    let listeners = (0..<3).map { _ in Listener(signal) }
    relay.send(2)
    relay.send(3)
    #expect(calls.value == 2)
    #expect(listeners.allSatisfy { $0.values == [20, 30] })
  }

  @Test func `It begins with the first subscriber and ends with the last, each time`() {
    let relay = Relay<Int>()
    let (signal, calls) = shared(relay.signal)
    for round in 1...3 {
      #expect(!relay.hasSubscribers)
      let first = Listener(signal)
      #expect(relay.hasSubscribers)
      let second = Listener(signal)
      first.cancel()
      first.cancel()
      #expect(relay.hasSubscribers)
      relay.send(round)
      #expect(first.values == [])
      #expect(second.values == [round * 10])
      let third = Listener(signal)
      second.cancel()
      #expect(relay.hasSubscribers)
      third.cancel()
      #expect(!relay.hasSubscribers)
      relay.send(0)
      #expect(calls.value == round)
    }
  }

  @Test func `State above a share begins again with each connection`() {
    let relay = Relay<Int>()
    let totals = relay.scan(0) { $0 + $1 }.share()
    let first = Listener(totals)
    relay.send(1)
    let second = Listener(totals)
    relay.send(2)
    first.cancel()
    second.cancel()
    let third = Listener(totals)
    relay.send(4)
    #expect(first.values == [1, 3])
    #expect(second.values == [3])
    #expect(third.values == [4])
  }

  @Test func `R5 The first subscriber alone gets the current value, before subscribe returns`() {
    let relay = StateRelay(1)
    let (signal, calls) = shared(relay.signal)
    let first = Listener(signal)
    let second = Listener(signal)
    #expect(first.values == [10])
    #expect(second.values == [])
    relay.send(2)
    #expect(first.values == [10, 20])
    #expect(second.values == [20])
    #expect(calls.value == 2)
    first.cancel()
    second.cancel()
    #expect(Listener(signal).values == [20])
  }

  @Test func `R1 All subscribers of a shared merge see one order`() {
    let relays = (0..<3).map { _ in Relay<Int>() }
    let signal = Signal.merge(relays.map(\.signal)).share()
    let listeners = (0..<3).map { _ in Listener(signal) }
    onThreads(3) { index in
      for value in 0..<2_000 { relays[index].send(index * 10_000 + value) }
    }
    #expect(listeners[0].values.count == 6_000)
    #expect(listeners[1].values == listeners[0].values)
    #expect(listeners[2].values == listeners[0].values)
  }

  @Test func `R2 Values sent inside a callback reach all subscribers in turn`() {
    let relay = Relay<Int>()
    let signal = relay.share()
    let log = Log<String>()
    let tokens = ["A", "B"].map { name in
      signal.subscribe { value in
        log.note("\(name)\(value)")
        if value == 1 { relay.send(name == "A" ? 2 : 3) }
      }
    }
    relay.send(1)
    #expect(log.entries == ["A1", "B1", "A2", "B2", "A3", "B3"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `R3 The deinit of state above a share may use the shared signal`() {
    let relay = Relay<Int>()
    let signal = Box<Signal<AtEnd>?>(nil)
    let ends = Counter()
    signal.value = relay.map { _ in
      AtEnd {
        ends.add()
        signal.value?.subscribe { _ in }.cancel()
        relay.send(2)
      }
    }
    .removeDuplicates { _, _ in false }.share()
    let isDone = finishes {
      let token = signal.value?.subscribe { _ in }
      relay.send(1)
      token?.cancel()
    }
    #expect(isDone)
    #expect(ends.value == 1)
    signal.value = nil
  }

  @Test func `R4 A subscriber cancelled by an earlier one doesn't get the value`() {
    let relay = Relay<Int>()
    let signal = relay.share()
    let log = Log<Int>()
    let second = Box<SubscriptionToken?>(nil)
    let first = signal.subscribe { _ in second.value?.cancel() }
    second.value = signal.subscribe { log.note($0) }
    relay.send(1)
    #expect(log.isEmpty)
    #expect(relay.hasSubscribers)
    first.cancel()
    #expect(!relay.hasSubscribers)
  }

  @Test func `The last subscriber may leave in its callback and another come`() {
    let relay = StateRelay(1)
    let signal = relay.share()
    let own = Box<SubscriptionToken?>(nil)
    let next = Box<Listener<Int>?>(nil)
    let log = Log<Int>()
    own.value = signal.subscribe { value in
      log.note(value)
      guard value == 2 else { return }
      own.value?.cancel()
      next.value = Listener(signal)
      relay.send(3)
    }
    relay.send(2)
    #expect(log.entries == [1, 2])
    #expect(next.value?.values == [2, 3])
  }

  @Test func `A subscriber may come while the first one gets its first value`() {
    let relay = StateRelay(1)
    let signal = relay.share()
    let second = Box<Listener<Int>?>(nil)
    let first = Listener(signal) { if $0 == 1 { second.value = Listener(signal) } }
    relay.send(2)
    #expect(first.values == [1, 2])
    #expect(second.value?.values == [2])
  }

  @Test func `R6 All subscribers end with the upstream, and later ones at once`() {
    let source = Source()
    let signal = source.signal.share()
    let listeners = (0..<2).map { _ in Listener(signal) }
    source.send(1)
    source.go()
    let late = Listener(signal)
    for listener in listeners {
      #expect(listener.values == [1] && listener.hasEnded && listener.isProper)
    }
    #expect(late.values == [] && late.hasEnded && late.isProper)
    let gone = Listener(StateRelay(2).share())
    #expect(gone.values == [2] && gone.hasEnded && gone.isProper)
  }

  @Test func `After an end above, a new connection is made once all have left`() {
    let relay = Relay<Int>()
    let signal = relay.prefix(1).share()
    let first = Listener(signal)
    relay.send(1)
    #expect(first.hasEnded && !relay.hasSubscribers)
    first.cancel()
    let second = Listener(signal)
    #expect(!second.hasEnded)
    relay.send(2)
    #expect(second.values == [2] && second.hasEnded)
  }

  @Test func `Subscribers may come and go on several threads while values are sent`() {
    let relay = Relay<Int>()
    let (signal, _) = shared(relay.signal)
    let isDone = Counter()
    let gaps = Counter()
    onThreads(3) { index in
      if index == 0 {
        for value in 1...5_000 { relay.send(value) }
        isDone.set(1)
        return
      }
      for _ in 0..<2_000 where isDone.value == 0 {
        signal.subscribe { _ in }.cancel()
        let log = Log<Int>()
        let token = signal.subscribe { log.note($0 / 10) }
        let values = log.entries
        if let first = values.first, values != Array(first..<first + values.count) { gaps.add() }
        token.cancel()
      }
    }
    #expect(gaps.value == 0)
    #expect(!relay.hasSubscribers)
    let listener = Listener(signal)
    relay.send(0)
    #expect(listener.values == [0])
  }
}
