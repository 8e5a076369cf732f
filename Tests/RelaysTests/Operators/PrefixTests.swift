import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `first, prefix and dropFirst` {
  @Test func `prefix(0) never subscribes to its upstream`() {
    let relay = StateRelay(1)
    let calls = Counter()
    let upstream = relay.map { value in
      calls.add()
      return value
    }
    #expect(Listener(upstream.prefix(0)).hasEnded)
    #expect(calls.value == 0)
  }

  @Test(arguments: 0...5)
  func `prefix gives no more than asked for of what comes while it subscribes`(count: Int) {
    let relays = (1...3).map { StateRelay($0) }
    let listener = Listener(.merge(relays.map(\.signal)).prefix(count))
    #expect(listener.values == Array([1, 2, 3].prefix(count)))
    #expect(listener.hasEnded == (count <= 3))
    relays[1].send(4)
    relays[0].send(5)
    #expect(listener.values == Array([1, 2, 3, 4, 5].prefix(count)))
    #expect(listener.hasEnded)
    #expect(listener.isProper)
  }

  @Test func `prefix leaves a merge whose publishers were satisfied at once`() {
    let relay = Relay<Int>()
    let listener = Listener(StateRelay(1).merge(with: relay).prefix(1))
    #expect(listener.values == [1])
    #expect(!relay.hasSubscribers)
  }

  @Test func `The last value's callback runs before the end is delivered`() {
    let relay = Relay<Int>()
    let log = Log<String>()
    let token = relay.print("above", to: { log.note($0) }).prefix(1)
      .print("below", to: { log.note($0) })
      .subscribe { log.note("value \($0)") }
    relay.send(1)
    relay.send(2)
    #expect(
      log.entries == [
        "below: receive subscription", "above: receive subscription", "above: receive value: (1)",
        "below: receive value: (1)", "value 1", "above: receive cancel", "below: receive finished",
      ])
    token.cancel()
    withExtendedLifetime(relay) {}
  }

  @Test func `first(where:) doesn't ask again while it is being subscribed to`() {
    let asked = Log<Int>()
    let relays = (1...3).map { StateRelay($0) }
    let listener = Listener(
      Signal.merge(relays.map(\.signal)).first {
        asked.note($0)
        return true
      })
    #expect(listener.values == [1])
    #expect(asked.entries == [1])
  }

  @Test func `R1 A prefix of values from several threads has so many of them`() {
    let relay = Relay<Int>()
    let other = Relay<Int>()
    let all = (0..<50).map { Listener(relay.merge(with: other).prefix($0)) }
    onThreads(4) { index in
      for value in 0..<500 { (index < 2 ? relay : other).send(value) }
    }
    for (count, listener) in all.enumerated() {
      #expect(listener.values.count == count)
      #expect(listener.hasEnded && listener.isProper)
    }
    #expect(!relay.hasSubscribers && !other.hasSubscribers)
  }
}

@Suite(.timeLimit(.minutes(20))) struct `A negative count traps` {
  @Test func `prefix(-1) traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Relay<Int>().prefix(-1) }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("prefix(-1) can't pass on fewer than no values"))
  }

  @Test func `dropFirst(-1) traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Relay<Int>().dropFirst(-1) }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("dropFirst(-1) can't leave out fewer than no values"))
  }
}
