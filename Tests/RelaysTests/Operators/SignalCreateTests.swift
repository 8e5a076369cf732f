import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Signal.create` {
  @Test func `Each subscription starts the source once, and stops it once`() {
    let (starts, stops) = (Counter(), Counter())
    let relay = Relay<Int>()
    let signal = Signal<Int>.create { send, _ in
      starts.add()
      send(0)
      let token = relay.subscribe { send($0) }
      return {
        stops.add()
        token.cancel()
      }
    }
    #expect(starts.value == 0)
    let listeners = [Listener(signal), Listener(signal)]
    relay.send(1)
    #expect(listeners.map(\.values) == [[0, 1], [0, 1]])
    #expect((starts.value, stops.value) == (2, 0))
    listeners[0].cancel()
    listeners[0].cancel()
    #expect(stops.value == 1)
    relay.send(2)
    #expect(listeners.map(\.values) == [[0, 1], [0, 1, 2]])
    listeners[1].cancel()
    #expect(stops.value == 2)
    #expect(!relay.hasSubscribers)
  }

  @Test func `R6 The end stops the source, at the start and later`() {
    for endsAtOnce in [true, false] {
      let stops = Counter()
      let end = Box<(@Sendable () -> Void)?>(nil)
      let listener = Listener(
        Signal<Int>.create { send, isOver in
          send(1)
          if endsAtOnce { isOver() } else { end.value = isOver }
          send(2)
          return { stops.add() }
        })
      end.value?()
      end.value?()
      #expect(listener.values == (endsAtOnce ? [1] : [1, 2]))
      #expect(listener.hasEnded && listener.isProper)
      #expect(stops.value == 1)
    }
  }

  @Test func `R4 A first value that ends the subscription stops the source`() {
    let stops = Counter()
    let signal = Signal<Int>.create { send, _ in
      send(1)
      send(2)
      return { stops.add() }
    }
    let listener = Listener(signal.first())
    #expect(listener.values == [1] && listener.hasEnded && listener.isProper)
    #expect(stops.value == 1)
  }

  @Test func `R1 Values of several threads come one at a time`() {
    let (inside, overlaps) = (Counter(), Counter())
    let signal = Signal<Int>.create { send, end in
      onThreads(4) { index in
        for value in 0..<500 { send(index * 1000 + value) }
      }
      end()
      return {}
    }
    let listener = Listener(signal) { _ in
      if inside.add() != 1 { overlaps.add() }
      inside.add(-1)
    }
    #expect(listener.values.count == 2_000)
    #expect(Set(listener.values).count == 2_000)
    #expect(overlaps.value == 0)
    #expect(listener.hasEnded && listener.isProper)
  }

  @Test func `R2 A value that is sent in a callback comes after the one that is delivered`() {
    let sender = Box<(@Sendable (Int) -> Void)?>(nil)
    let log = Log<String>()
    let signal = Signal<Int>.create { send, _ in
      sender.value = send
      return {}
    }
    let token = signal.subscribe { value in
      log.note("begin \(value)")
      if value == 1 { sender.value?(2) }
      log.note("end \(value)")
    }
    sender.value?(1)
    #expect(log.entries == ["begin 1", "end 1", "begin 2", "end 2"])
    withExtendedLifetime(token) {}
  }

  @Test func `R7 Nothing is held once the subscription is cancelled`() {
    let tracker = LifetimeTracker()
    let signal = Signal<Int>.create { [tracker] send, _ in
      let object = tracker.track()
      return { withExtendedLifetime(object) {} }
    }
    let token = signal.subscribe { _ in }
    #expect(tracker.aliveCount == 1)
    token.cancel()
    tracker.expectNoneAlive()
  }
}
