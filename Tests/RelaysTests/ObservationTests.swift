import Locking
import Observation
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `A StateRelay is observable` {
  /// Reads `relay` and gives a counter of the changes that Observation tells of.
  private func changes(of relays: StateRelay<Int>...) -> Counter {
    let count = Counter()
    withObservationTracking {
      for relay in relays { _ = relay.value }
    } onChange: {
      count.add()
    }
    return count
  }

  @Test func `Each way of setting notifies each reader of the value once`() {
    let ways: [(StateRelay<Int>) -> Void] = [
      { $0.value = 2 }, { $0.send(2) }, { $0.swap(2) }, { $0.modify { $0 += 1 } },
    ]
    for set in ways {
      let relay = StateRelay(1)
      let count = changes(of: relay)
      #expect(count.value == 0)
      set(relay)
      #expect(count.value == 1)
      set(relay)
      #expect(count.value == 1)
      let again = changes(of: relay)
      set(relay)
      #expect((count.value, again.value) == (1, 1))
    }
  }

  @Test func `Readers are notified, and others aren't`() {
    let (first, second) = (StateRelay(1), StateRelay(1))
    let readers = [changes(of: first), changes(of: first), changes(of: second)]
    let both = changes(of: first, second)
    first.send(2)
    #expect(readers.map(\.value) == [1, 1, 0])
    #expect(both.value == 1)
    second.send(2)
    #expect(readers.map(\.value) == [1, 1, 1])
    #expect(both.value == 1)
  }

  @Test func `The value is the old one during the notification, and the new one afterwards`() {
    let relay = StateRelay(1)
    let seen = Log<Int>()
    withObservationTracking {
      _ = relay.value
    } onChange: {
      seen.note(relay.value)
    }
    relay.send(2)
    #expect(seen.entries == [1])
    #expect(relay.value == 2)
  }

  @Test func `A tracker that reads again during a notification is notified of that change, too`() {
    let relay = StateRelay(1)
    let inner = Counter()
    withObservationTracking {
      _ = relay.value
    } onChange: {
      withObservationTracking {
        _ = relay.value
      } onChange: {
        inner.add()
      }
    }
    relay.send(2)
    #expect(inner.value == 1)
  }

  @Test func `A change during the read is notified of with the next one at the latest`() {
    let relay = StateRelay(1)
    let count = Counter()
    withObservationTracking {
      _ = relay.value
      // The reader is entered when this returns.
      relay.send(2)
    } onChange: {
      count.add()
    }
    relay.send(3)
    #expect(count.value == 1)
  }

  @Test func `A tracker that begins again each time is notified of every change`() {
    let relay = StateRelay(0)
    let count = Counter()
    @Sendable func track() {
      withObservationTracking {
        _ = relay.value
      } onChange: {
        count.add()
        track()
      }
    }
    track()
    for value in 1...100 { relay.send(value) }
    // Once before each change, since it reads the old value there, and once after.
    #expect(count.value == 200)
  }

  @Test func `R2 R3 An onChange closure may send, subscribe and modify`() {
    let relay = StateRelay(1)
    let log = Log<Int>()
    let tokens = Box<[SubscriptionToken]>([])
    withObservationTracking {
      _ = relay.value
    } onChange: {
      tokens.value = [relay.subscribe { log.note($0) }]
      relay.modify { $0 += 10 }
    }
    relay.send(2)
    #expect(log.entries == [1, 11, 2])
    #expect(relay.value == 2)
  }

  @Test func `A value that is read in a callback is tracked as well`() {
    let relay = StateRelay(1)
    let count = Counter()
    let token = relay.subscribe { _ in
      withObservationTracking {
        _ = relay.value
      } onChange: {
        count.add()
      }
    }
    relay.send(2)
    relay.send(3)
    #expect(count.value == 2)
    withExtendedLifetime(token) {}
  }

  @Test func `A modify that throws leaves the value`() {
    struct Failure: Error {}
    let relay = StateRelay(1)
    let count = changes(of: relay)
    #expect(throws: Failure.self) { try relay.modify { _ in throw Failure() } }
    #expect(count.value == 0)
    let read = changes(of: relay)
    try? relay.modify { (value: inout Int) throws(Failure) in value = 3 }
    #expect(count.value == 1 && read.value == 1)
    relay.send(2)
    #expect(count.value == 1)
    #expect(relay.value == 2)
  }

  @Test func `Observations follows the value, and ends with the last one`() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let relay = StateRelay(0)
    let last = AtomicWord(-1)
    let hasEnded = AtomicWord(0)
    let reader = Task {
      for await value in Observations({ relay.value }) {
        #expect(last.load() <= value)
        last.store(value)
        if value == 1000 { break }
      }
      hasEnded.store(1)
    }
    for value in 1...1000 {
      relay.send(value)
      if value.isMultiple(of: 50) { await Task.yield() }
    }
    // What is sent while Observation enters the reader, after it has read, is told with the next one.
    #expect(
      await becomesTrue {
        relay.send(1000)
        return hasEnded.load() == 1
      })
    await reader.value
    #expect(last.load() == 1000)
  }

  @Test func `Threads read, track and set at once`() {
    let relay = StateRelay(0)
    let told = Counter()
    onThreads(3) { thread in
      for _ in 0..<3000 {
        if thread == 0 {
          relay.modify { $0 += 1 }
        } else {
          withObservationTracking {
            _ = relay.value
          } onChange: {
            told.add()
          }
        }
      }
    }
    #expect(relay.value == 3000)
  }

  @Test func `What Observation holds is released with the relay`() {
    LifetimeTracker.check { tracker in
      let relay = StateRelay(tracker.track())
      withObservationTracking {
        _ = relay.value
      } onChange: { [object = tracker.track()] in
        _ = object
      }
      relay.send(tracker.track())
    }
  }
}
