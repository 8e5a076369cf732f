import Relays
import TestSupport
import Testing

@Suite struct `R4: captures are released with their subscription` {
  @Test func `R4 Captures are released when the token is dropped`() {
    LifetimeTracker.check { tracker in
      let relay = StateRelay(1)
      var tokens = (0..<50).map { _ in
        relay.subscribe { [object = tracker.track()] _ in _ = object }
      }
      #expect(tracker.aliveCount == 50)
      tokens.removeFirst(20)
      #expect(tracker.aliveCount == 30)
    }
  }

  @Test func `R4 Captures cancelled in a callback are released at the end of that delivery`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let log = Log<Int>()
    let victim = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { value in
      log.note(tracker.aliveCount)
      guard value == 1 else { return }
      victim.value?.cancel()
      relay.send(2)
      log.note(tracker.aliveCount)
    }
    victim.value = relay.subscribe { [object = tracker.track()] _ in _ = object }
    relay.send(1)
    // At the second value they are gone, though deliveries still run.
    #expect(log.entries == [1, 1, 0])
    token.cancel()
  }

  @Test
  func `R4 Captures cancelled between values that wait together are released before the next one`()
  {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let alive = Log<Int>()
    let victim = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { value in
      alive.note(tracker.aliveCount)
      if value == 1 { for next in 2...4 { relay.send(next) } }
      if value == 2 { victim.value?.cancel() }
    }
    victim.value = relay.subscribe { [object = tracker.track()] _ in _ = object }
    relay.send(1)
    #expect(alive.entries == [1, 1, 0, 0])
    token.cancel()
  }

  @Test func `R4 Captures cancelled on another thread are released at the end of the delivery`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let victim = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { _ in #expect(finishes { victim.value?.cancel() }) }
    victim.value = relay.subscribe { [object = tracker.track()] _ in _ = object }
    relay.send(1)
    #expect(tracker.aliveCount == 0)
    token.cancel()
  }

  @Test
  func `R4 Captures of a subscription made and cancelled in a chain are released while it runs`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let most = Counter()
    let token = relay.subscribe { value in
      most.set(max(most.value, tracker.aliveCount))
      relay.subscribe { [object = tracker.track()] _ in _ = object }.cancel()
      if value < 1_000 { relay.send(value + 1) }
    }
    relay.send(1)
    #expect(most.value <= 2)
    tracker.expectNoneAlive()
    token.cancel()
  }

  @Test func `R4 Captures of a subscription that hops are released by cancel too`() async {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let token = relay.subscribe(on: .mainActor) { [object = tracker.track()] _ in _ = object }
    relay.send(1)
    token.cancel()
    // A callback on the main actor may hold them until it returns.
    await MainActor.run {}
    #expect(tracker.aliveCount == 0)
    withExtendedLifetime(token) {}
  }

  @Test func `Neither a relay nor its core outlives its users`() {
    LifetimeTracker.check { tracker in
      let relay = StateRelay(tracker.track())
      let token = relay.subscribe { [signal = relay.signal] _ in _ = signal }
      relay.send(tracker.track())
      withExtendedLifetime(token) {}
    }
  }
}
