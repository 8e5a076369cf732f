import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `switchToLatest` {
  /// Relays that an outer relay sends, by their numbers.
  private struct Scene {
    let outer = Relay<Int>()
    let inner: [Source]
    let signal: Signal<Int>

    init(_ inner: [Source]) {
      self.inner = inner
      let signals = inner.map(\.signal)
      signal = outer.map { signals[$0] }.switchToLatest()
    }
  }

  @Test func `Only the latest publisher is subscribed to and heard`() {
    let scene = Scene([Source(), Source()])
    let listener = Listener(scene.signal)
    scene.inner[0].send(1)
    scene.outer.send(0)
    scene.inner[0].send(2)
    scene.inner[1].send(3)
    scene.outer.send(1)
    #expect(scene.inner.map(\.hasSubscribers) == [false, true])
    scene.inner[0].send(4)
    scene.inner[1].send(5)
    #expect(listener.values == [2, 5])
    listener.cancel()
    #expect(scene.inner.map(\.hasSubscribers) == [false, false])
  }

  @Test func `The same publisher again is a new subscription, with its first value`() {
    let scene = Scene([Source(7)])
    let listener = Listener(scene.signal)
    scene.outer.send(0)
    scene.outer.send(0)
    scene.inner[0].send(8)
    #expect(listener.values == [7, 7, 8])
  }

  @Test func `R6 It ends when the outer and the latest have ended, in either order`() {
    for outerEndsFirst in [false, true] {
      let source = Source()
      let gone = Source()
      let listener: Listener<Int>
      do {
        let scene = Scene([gone, source])
        listener = Listener(scene.signal)
        scene.outer.send(0)
        scene.outer.send(1)
        gone.go()
        if !outerEndsFirst {
          source.send(1)
          source.go()
          #expect(!listener.hasEnded)
        }
      }
      if outerEndsFirst {
        #expect(!listener.hasEnded)
        source.send(1)
        source.go()
      }
      #expect(listener.values == [1] && listener.hasEnded && listener.isProper)
    }
  }

  @Test func `R2 A callback may send another publisher, and what it sends comes in turn`() {
    let scene = Scene([Source(1), Source(2)])
    let listener = Listener(scene.signal) { value in
      if value == 1 {
        scene.outer.send(1)
        scene.inner[0].send(10)
        scene.inner[1].send(20)
      }
    }
    scene.outer.send(0)
    // The outer relay is delivering publisher 0, which is the latest until that is done.
    #expect(listener.values == [1, 10, 20])
  }

  @Test func `A value that waits while its publisher is replaced isn't passed on`() {
    let outer = Relay<Signal<Int>>()
    let first = Relay<Int>()
    let (second, third) = (StateRelay(10), StateRelay(20))
    let listener = Listener(outer.switchToLatest()) { value in
      if value == 1 {
        outer.send(second.signal)
        outer.send(third.signal)
      }
    }
    outer.send(first.signal)
    first.send(1)
    #expect(listener.values == [1, 20])
  }

  @Test func `R4 Cancelling in the first value of a publisher leaves no subscription`() {
    let source = Source(1)
    let outer = Relay<Int>()
    let token = Box<SubscriptionToken?>(nil)
    let log = Log<Int>()
    token.value = outer.map { _ in source.signal }.switchToLatest().subscribe {
      log.note($0)
      token.value?.cancel()
    }
    outer.send(0)
    source.send(2)
    outer.send(0)
    #expect(log.entries == [1])
    #expect(!outer.hasSubscribers)
  }

  @Test func `R7 It holds nothing of a publisher that isn't the latest any more`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let outer = Relay<Bool>()
    let signal = outer.map { [relay] isTracked in
      let object = isTracked ? tracker.track() : nil
      return relay.map { value in withExtendedLifetime(object) { value } }
    }
    .switchToLatest()
    let token = signal.subscribe { _ in }
    outer.send(true)
    #expect(tracker.aliveCount == 1)
    outer.send(false)
    tracker.expectNoneAlive()
    outer.send(true)
    token.cancel()
    tracker.expectNoneAlive()
  }

  @Test func `R1 After a switch no value of the previous publisher comes, whatever thread sends`() {
    withEvery("round", in: 0..<200) { _ in
      let scene = Scene((0..<3).map { _ in Source() })
      let listener = Listener(scene.signal)
      onThreads(4) { index in
        if index == 3 {
          for next in 0..<3 { scene.outer.send(next) }
        } else {
          for value in 0..<50 { scene.inner[index].send(index * 1000 + value) }
        }
      }
      let publishers = listener.values.map { $0 / 1000 }
      expectEqual(publishers, publishers.sorted(), "no value comes after the switch away from it")
      expectTrue(listener.isProper)
    }
  }

  @Test func `It agrees with a naive implementation on random scripts`() {
    withEvery("seed", in: seeds(2_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      let isState = (0..<3).map { _ in generator.chance(0.4) }
      let scene = Scene(isState.enumerated().map { $1 ? Source($0 * 100) : Source() })
      var last = isState.indices.map { isState[$0] ? $0 * 100 : nil }
      var isOpen = [true, true, true]
      var current: Int?
      var expected: [Int] = []
      let listener = Listener(scene.signal)
      for step in 1...20 {
        let index = Int.random(in: 0..<3, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3:
          scene.outer.send(index)
          current = index
          if let value = last[index] { expected.append(value) }
        case 3:
          scene.inner[index].go()
          isOpen[index] = false
        default:
          scene.inner[index].send(index * 100 + step)
          guard isOpen[index] else { continue }
          if isState[index] { last[index] = index * 100 + step }
          if current == index { expected.append(index * 100 + step) }
        }
        expectEqual(listener.values, expected)
        expectTrue(!listener.hasEnded)
      }
    }
  }
}
