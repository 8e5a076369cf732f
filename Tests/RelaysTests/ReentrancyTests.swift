import Relays
import TestSupport
import Testing

@Suite struct `R2: a value sent in a callback is delivered after the current one` {
  @Test func `R2 A value sent in a callback comes after the current one has reached everyone`() {
    let relay = Relay<Int>()
    let log = Log<String>()
    let tokens = ["A", "B", "C"].map { name in
      relay.subscribe { value in
        log.note("\(name)\(value)")
        if name != "C" && value == 1 { relay.send(name == "A" ? 2 : 3) }
      }
    }
    relay.send(1)
    #expect(log.entries == ["A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `R2 Send returns once its value is delivered, or queued in a callback`() {
    let relay = Relay<Int>()
    let log = Log<String>()
    let token = relay.subscribe { value in
      log.note("\(value)")
      guard value == 1 else { return }
      relay.send(2)
      log.note("queued")
    }
    relay.send(1)
    log.note("returned")
    #expect(log.entries == ["1", "queued", "2", "returned"])
    token.cancel()
  }

  @Test func `R2 Send doesn't wait for another thread's delivery`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.subscribe { value in
      log.note(value)
      guard value == 1 else { return }
      #expect(finishes { relay.send(2) })
      #expect(log.entries == [1])
    }
    relay.send(1)
    #expect(log.entries == [1, 2])
    token.cancel()
  }

  @Test(.oneThread) func `R2 A chain of 100,000 sends in callbacks works`() {
    let relay = Relay<Int>()
    let last = Counter()
    let token = relay.subscribe { value in
      last.set(value)
      if value < 100_000 { relay.send(value + 1) }
    }
    relay.send(0)
    #expect(last.value == 100_000)
    token.cancel()
  }

  @Test(.oneThread) func `R2 A chain of 100,000 settings of a StateRelay in callbacks works`() {
    let relay = StateRelay(0)
    let last = Counter()
    let token = relay.subscribe { value in
      last.set(value)
      if value < 100_000 { relay.modify { $0 += 1 } }
    }
    #expect(last.value == 100_000)
    #expect(relay.value == 100_000)
    token.cancel()
  }

  @Test(.oneThread) func `R2 A chain of 100,000 subscriptions in callbacks works`() {
    let relay = StateRelay(0)
    let count = Counter()
    let tokens = Log<SubscriptionToken>()
    @Sendable func subscribe() {
      let token = relay.subscribe { _ in
        if count.add() < 100_000 { subscribe() }
      }
      tokens.note(token)
    }
    subscribe()
    #expect(count.value == 100_000)
  }

  @Test func `R2 A long chain doesn't keep the values it has delivered`() {
    let tracker = LifetimeTracker()
    let relay = Relay<LifetimeTracker.Tracked>()
    let most = Counter()
    let count = Counter()
    let token = relay.subscribe { _ in
      most.set(max(most.value, tracker.aliveCount))
      if count.add() < 5_000 { relay.send(tracker.track()) }
    }
    relay.send(tracker.track())
    #expect(count.value == 5_000)
    #expect(most.value <= 3)
    tracker.expectNoneAlive()
    token.cancel()
  }

  @Test func `R2 Sends and subscriptions in a callback are taken in the order they are made`() {
    let relay = Relay<Int>()
    let log = Log<String>()
    let tokens = Log<SubscriptionToken>()
    tokens.note(
      relay.subscribe { value in
        log.note("A\(value)")
        guard value == 1 else { return }
        relay.send(2)
        tokens.note(relay.subscribe { log.note("B\($0)") })
        relay.send(3)
        tokens.note(relay.subscribe { log.note("C\($0)") })
        relay.send(4)
      })
    relay.send(1)
    #expect(log.entries == ["A1", "A2", "A3", "B3", "A4", "B4", "C4"])
  }

  @Test func `R2 What is sent while a first value is delivered waits too`() {
    let relay = StateRelay(1)
    let log = Log<String>()
    let early = relay.subscribe { log.note("A\($0)") }
    let late = relay.subscribe { value in
      log.note("B\(value)")
      if value == 1 {
        relay.send(2)
        log.note("queued")
      }
    }
    #expect(log.entries == ["A1", "B1", "queued", "A2", "B2"])
    early.cancel()
    late.cancel()
  }

  @Test func `R2 Two relays that answer each other don't lose a value`() {
    let ping = Relay<Int>()
    let pong = Relay<Int>()
    let log = Log<Int>()
    let tokens = [
      ping.subscribe { value in
        log.note(value)
        if value < 1_000 { pong.send(value + 1) }
      },
      pong.subscribe { value in
        log.note(value)
        if value < 1_000 { ping.send(value + 1) }
      },
    ]
    ping.send(0)
    #expect(log.entries == Array(0...1_000))
    withExtendedLifetime(tokens) {}
  }
}
