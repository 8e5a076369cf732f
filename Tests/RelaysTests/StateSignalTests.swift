import Observation
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `States that are made of others` {
  @Test func `R5 A mapped state has the current value, and sends it first`() {
    let relay = StateRelay(1)
    let state = relay.map { $0 * 10 }.map { "\($0)" }
    #expect(state.value == "10")
    let listener = Listener(state.signal)
    relay.send(2)
    #expect(state.value == "20")
    #expect(listener.values == ["10", "20"])
    #expect(state.untrackedValue == "20")
  }

  @Test func `R5 A combined state has the values of both, and of all`() {
    let (a, b) = (StateRelay(1), StateRelay("x"))
    let both = combineLatest(a.state, b.state)
    let listener = Listener(both.map { "\($0)\($1)" }.signal)
    b.send("y")
    a.send(2)
    #expect(both.value == (2, "y"))
    #expect(listener.values == ["1x", "1y", "2y"])
    let numbers = [StateRelay(1), StateRelay(2), StateRelay(3)]
    let all: StateSignal<[Int]> = .combineLatest(numbers.map(\.state))
    let three = combineLatest(a.state, b.state, numbers[2].state).map { "\($0)\($1)\($2)" }
    #expect(three.value == "2y3")
    let sums = Listener(all.map { $0.reduce(0, +) }.signal)
    numbers[1].send(20)
    #expect(all.value == [1, 20, 3])
    #expect(sums.values == [6, 24])
  }

  @Test func `R5 A state without duplicates has the same value, and sends it once`() {
    let relay = StateRelay(1)
    let isLarge = relay.map { $0 > 5 }.removeDuplicates()
    let listener = Listener(isLarge.signal)
    for value in [2, 7, 8, 1] { relay.send(value) }
    #expect(isLarge.value == false)
    #expect(listener.values == [false, true, false])
  }

  @Test func `R6 The combination of no state is empty and ends`() {
    let none = StateSignal<[Int]>.combineLatest([StateSignal<Int>]())
    #expect(none.value == [])
    let listener = Listener(none.signal)
    #expect(listener.values == [[]] && listener.hasEnded && listener.isProper)
    #expect(Listener(none.signal.prefix(0)).values == [])
  }

  @Test func `R6 A state that outlives its relays keeps the last value, and ends`() {
    let state: StateSignal<Int>
    let tracker = LifetimeTracker()
    do {
      let relay = StateRelay(tracker.track())
      state = relay.map { _ in 1 }
    }
    #expect(state.value == 1)
    let listener = Listener(state.signal)
    #expect(listener.values == [1] && listener.hasEnded && listener.isProper)
    #expect(tracker.aliveCount == 1)
  }

  @Test func `R6 A state doesn't keep its relay alive, but its last value`() {
    let tracker = LifetimeTracker()
    do {
      let relay = StateRelay(tracker.track())
      let state = combineLatest(relay.state, relay.state).map { _ in 1 }
      #expect(state.value == 1)
      withExtendedLifetime(relay) {}
    }
    tracker.expectNoneAlive()
  }

  @Test func `F9 Observation records the reads of the relays, but no untracked ones`() {
    let (a, b) = (StateRelay(1), StateRelay(2))
    let sum = combineLatest(a.state, b.state).map { $0 + $1 }
    func changes(_ read: () -> Void) -> Counter {
      let count = Counter()
      withObservationTracking {
        read()
      } onChange: {
        count.add()
      }
      return count
    }
    let tracked = changes { _ = sum.value }
    let untracked = changes {
      _ = sum.untrackedValue
      _ = a.untrackedValue
    }
    b.send(3)
    #expect((tracked.value, untracked.value) == (1, 0))
    let again = changes { _ = sum.value }
    a.send(4)
    #expect((tracked.value, again.value) == (1, 1))
    #expect(sum.value == 7)
  }
}
