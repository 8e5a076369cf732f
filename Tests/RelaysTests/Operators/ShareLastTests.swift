import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `share(replayingLast:)` {
  @Test func `Each late subscriber gets the last value first, and the upstream runs once`() {
    let relay = Relay<Int>()
    let calls = Counter()
    let signal = relay.map { value in
      calls.add()
      return value * 10
    }
    .share(replayingLast: true)
    let first = Listener(signal)
    let second = Listener(signal)
    relay.send(1)
    let third = Listener(signal)
    relay.send(2)
    let fourth = Listener(signal)
    #expect(first.values == [10, 20] && second.values == [10, 20])
    #expect(third.values == [10, 20] && fourth.values == [20])
    #expect(calls.value == 2)
  }

  @Test func `R5 The current value of a StateRelay reaches every subscriber once`() {
    let relay = StateRelay(1)
    let signal = relay.share(replayingLast: true)
    let listeners = (0..<3).map { _ in Listener(signal) }
    relay.send(2)
    #expect(listeners.allSatisfy { $0.values == [1, 2] })
  }

  @Test func `The value is forgotten when the last subscriber leaves`() {
    let tracker = LifetimeTracker()
    let relay = Relay<LifetimeTracker.Tracked>()
    let signal = relay.share(replayingLast: true)
    let first = signal.subscribe { _ in }
    let second = signal.subscribe { _ in }
    relay.send(tracker.track())
    #expect(tracker.aliveCount == 1)
    relay.send(tracker.track())
    #expect(tracker.aliveCount == 1)
    first.cancel()
    #expect(tracker.aliveCount == 1)
    second.cancel()
    tracker.expectNoneAlive()
    let late = Counter()
    let token = signal.subscribe { _ in late.add() }
    #expect(late.value == 0)
    token.cancel()
  }

  @Test func `R6 A subscriber after the end gets the last value, and ends`() {
    let source = Source()
    let signal = source.signal.share(replayingLast: true)
    let first = Listener(signal)
    source.send(1)
    source.go()
    let late = Listener(signal)
    #expect(first.values == [1] && first.hasEnded && first.isProper)
    #expect(late.values == [1] && late.hasEnded && late.isProper)
  }

  @Test func `R3 The deinit of a replaced value may use the shared signal`() {
    let relay = Relay<AtEnd>()
    let signal = relay.share(replayingLast: true)
    let ends = Counter()
    let isDone = finishes {
      let token = signal.subscribe { _ in }
      for _ in 0..<2 {
        relay.send(
          AtEnd {
            ends.add()
            signal.subscribe { _ in }.cancel()
          })
      }
      #expect(ends.value == 1)
      token.cancel()
    }
    #expect(isDone)
    #expect(ends.value == 2)
  }

  @Test func `R1 A subscriber that comes between threads' values misses none and gets none twice`()
  {
    withEvery("round", in: 0..<100) { _ in
      let relay = Relay<Int>()
      let signal = relay.share(replayingLast: true)
      let whole = Listener(signal)
      let late = Box<[Listener<Int>]>([])
      onThreads(3) { index in
        if index == 2 {
          for _ in 0..<20 { late.value.append(Listener(signal)) }
        } else {
          for value in 0..<200 { relay.send(index * 1000 + value) }
        }
      }
      let all = whole.values
      expectEqual(all.count, 400)
      for listener in late.value {
        expectEqual(listener.values, all.suffix(listener.values.count).map(\.self))
      }
    }
  }
}
