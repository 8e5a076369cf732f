import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `merge of several publishers` {
  @Test func `A publisher that is merged with itself gives each value twice`() {
    let relay = StateRelay(1)
    let listener = Listener(relay.merge(with: relay))
    relay.send(2)
    #expect(listener.values == [1, 1, 2, 2])
  }

  @Test func `R5 The current values come before subscribe returns, in order`() {
    let relays = (1...3).map { StateRelay($0) }
    let plain = Relay<Int>()
    let listener = Listener(relays[0].merge(with: plain, relays[1], relays[2]))
    #expect(listener.values == [1, 2, 3])
  }

  @Test func `R6 A merge of nothing, or of ended publishers, ends at once`() {
    let nothing = Listener(Signal<Int>.merge([]))
    #expect(nothing.values == [] && nothing.hasEnded && nothing.isProper)
    let gone = Listener(Relay<Int>().merge(with: StateRelay(1), Relay()))
    #expect(gone.values == [1] && gone.hasEnded && gone.isProper)
  }

  @Test func `R2 A value sent inside a callback is queued, through whichever publisher it goes`() {
    let relays = (0..<2).map { _ in Relay<Int>() }
    let log = Log<String>()
    let token = relays[0].merge(with: relays[1]).subscribe { value in
      log.note("begin \(value)")
      if value < 3 {
        relays[value % 2].send(value + 1)
        relays[(value + 1) % 2].send((value + 1) * 10)
      }
      log.note("end \(value)")
    }
    relays[0].send(1)
    // Nothing nests; of two publishers, the one that isn't delivering is heard first.
    let order = log.entries.filter { $0.hasPrefix("begin") }.map { $0.dropFirst(6) }
    #expect(log.entries == order.flatMap { ["begin \($0)", "end \($0)"] })
    #expect(order.sorted() == ["1", "2", "20", "3", "30"])
    token.cancel()
  }

  @Test(.oneThread, arguments: 1...3)
  func `R2 A chain of 100,000 sends in callbacks works`(count: Int) {
    let relays = (0..<count).map { _ in Relay<Int>() }
    let last = Counter()
    let token = Signal.merge(relays.map(\.signal)).subscribe { value in
      #expect(value == last.value + 1)
      last.set(value)
      if value < 100_000 { relays[value % count].send(value + 1) }
    }
    relays[0].send(1)
    #expect(last.value == 100_000)
    token.cancel()
  }

  @Test func `R4 Values that wait aren't passed on after a cancel`() {
    let relays = (0..<2).map { _ in Relay<Int>() }
    let token = Box<SubscriptionToken?>(nil)
    let log = Log<Int>()
    token.value = relays[0].merge(with: relays[1]).subscribe { value in
      log.note(value)
      for next in 2...5 { relays[next % 2].send(next) }
      token.value?.cancel()
    }
    relays[0].send(1)
    #expect(log.entries == [1])
    #expect(!relays[0].hasSubscribers && !relays[1].hasSubscribers)
  }

  @Test func `R4 Values of another thread that wait aren't passed on after a cancel`() {
    let relays = (0..<2).map { _ in Relay<Int>() }
    let token = Box<SubscriptionToken?>(nil)
    let log = Log<Int>()
    token.value = relays[0].merge(with: relays[1]).subscribe { value in
      log.note(value)
      // Left in the backlog of this merge, since its delivery runs here.
      #expect(finishes { relays[1].send(2) })
      #expect(finishes { token.value?.cancel() })
    }
    relays[0].send(1)
    #expect(log.entries == [1])
  }

  @Test func `R1 Values of several threads come once each, one at a time, each sender's in order`()
  {
    let relays = (0..<3).map { _ in Relay<Int>() }
    let merged = Signal.merge(relays.map(\.signal))
    let depth = Counter()
    let listeners = (0..<2).map { _ in Log<Int>() }
    let tokens = listeners.map { log in
      merged.subscribe { value in
        log.note(value)
      }
    }
    let alone = merged.subscribe { _ in
      if depth.add() != 1 { Issue.record("Two callbacks of one subscription overlap") }
      depth.add(-1)
    }
    // Two threads share the last publisher.
    onThreads(4) { index in
      for value in 0..<2_000 { relays[min(index, 2)].send(index * 10_000 + value) }
    }
    for log in listeners {
      for index in 0..<4 {
        let own = log.entries.filter { $0 / 10_000 == index }
        #expect(own == (0..<2_000).map { index * 10_000 + $0 })
      }
      #expect(log.entries.count == 8_000)
    }
    alone.cancel()
    withExtendedLifetime(tokens) {}
  }

  @Test func `R2 Send doesn't wait for another publisher's delivery`() {
    let relays = (0..<2).map { _ in Relay<Int>() }
    let log = Log<Int>()
    let token = relays[0].merge(with: relays[1]).subscribe { value in
      log.note(value)
      guard value == 1 else { return }
      #expect(finishes { relays[1].send(2) })
      #expect(log.entries == [1])
    }
    relays[0].send(1)
    #expect(log.entries == [1, 2])
    token.cancel()
  }

  @Test func `R1 A merge subscribed to in a callback gets what is sent after that`() {
    let relays = (0..<2).map { _ in Relay<Int>() }
    let merged = relays[0].merge(with: relays[1])
    let late = Box<Listener<Int>?>(nil)
    let token = relays[0].subscribe { value in
      guard value == 1 else { return }
      relays[0].send(2)
      late.value = Listener(merged)
      relays[0].send(3)
      relays[1].send(4)
    }
    relays[0].send(1)
    #expect(late.value?.values == [4, 3])
    token.cancel()
  }

  @Test func `Ten thousand publishers can be merged`() {
    let relays = (0..<10_000).map { _ in Relay<Int>() }
    let listener = Listener(.merge(relays.map(\.signal)))
    for (index, relay) in relays.enumerated() { relay.send(index) }
    #expect(listener.values == Array(0..<10_000))
    listener.cancel()
    #expect(relays.allSatisfy { !$0.hasSubscribers })
  }
}
