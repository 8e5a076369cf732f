import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `handleEvents and prefix(while:)` {
  private func noted(_ signal: Signal<Int>, _ log: Log<String>) -> Signal<Int> {
    signal.handleEvents(
      receiveSubscription: { log.note("subscription") },
      receiveOutput: { log.note("value \($0)") },
      receiveEnd: { log.note("end") },
      receiveCancel: { log.note("cancel") })
  }

  @Test func `Each event calls its closure, before it is passed on`() {
    let log = Log<String>()
    let source = Source(1)
    let token = noted(source.signal, log).subscribe { log.note("got \($0)") }
    source.send(2)
    token.cancel()
    token.cancel()
    source.send(3)
    #expect(log.entries == ["subscription", "value 1", "got 1", "value 2", "got 2", "cancel"])
  }

  @Test func `R6 An end isn't a cancel, and comes once`() {
    let log = Log<String>()
    let source = Source()
    let listener = Listener(noted(source.signal, log))
    source.go()
    listener.cancel()
    #expect(log.entries == ["subscription", "end"])
    #expect(listener.hasEnded && listener.isProper)
  }

  @Test func `R4: a value isn't reported after a cancel by a closure before it`() {
    let log = Log<String>()
    let relay = Relay<Int>()
    let token = Locked<SubscriptionToken?>(nil)
    let values = relay.map { value in
      token.withLock { $0 }?.cancel()
      return value
    }
    let subscribed = noted(values.signal, log).subscribe { log.note("got \($0)") }
    token.withLock { $0 = subscribed }
    relay.send(1)
    #expect(log.entries == ["subscription", "cancel"])
  }

  @Test func `Without closures everything is passed on`() {
    let source = Source()
    let listener = Listener(source.signal.handleEvents())
    source.send(1)
    source.go()
    #expect(listener.values == [1] && listener.hasEnded && listener.isProper)
  }

  @Test func `R2 prefix(while:) passes on nothing that was queued before its end`() {
    let relay = Relay<Int>()
    let listener = Listener(relay.prefix { $0 != 2 }) { value in
      if value == 1 { for next in [3, 2, 4] { relay.send(next) } }
    }
    relay.send(1)
    #expect(listener.values == [1, 3])
    #expect(listener.hasEnded && listener.isProper)
  }

  @Test func `prefix(while:) passes on nothing after its end that a source sends at once`() {
    let signal = Signal<Int>.create { send, _ in
      for value in [1, 3, 2] { send(value) }
      return {}
    }
    let listener = Listener(signal.prefix { $0 < 3 })
    #expect(listener.values == [1] && listener.hasEnded && listener.isProper)
  }
}
