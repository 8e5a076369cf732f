import Foundation
import Relays
import TestSupport
import Testing

@Suite struct `R3: a callback may do anything` {
  @Test func `R3 A callback may take a lock that another thread holds while it sends`() {
    let relay = Relay<Int>()
    let foreign = NSLock()
    let isRunning = Latch()
    let isHeld = Latch()
    let taken = Counter()
    let token = relay.subscribe { value in
      isRunning.open()
      if value == 1 { #expect(isHeld.opensSoon()) }
      guard foreign.lock(before: .now + 300) else {
        Issue.record("The lock stays held")
        return
      }
      taken.add(value)
      foreign.unlock()
    }
    onThreads(2) { index in
      if index == 0 {
        relay.send(1)
      } else {
        #expect(isRunning.opensSoon())
        foreign.lock()
        isHeld.open()
        relay.send(2)
        foreign.unlock()
      }
    }
    #expect(taken.value == 3)
    token.cancel()
  }

  @Test func `R3 The first value is given without a lock as well`() {
    let relay = StateRelay(1)
    let foreign = NSLock()
    let isRunning = Latch()
    let isHeld = Latch()
    let token = Box<SubscriptionToken?>(nil)
    let isDone = finishes {
      onThreads(2) { index in
        if index == 0 {
          token.value = relay.subscribe { value in
            isRunning.open()
            if value == 1 { #expect(isHeld.opensSoon()) }
            foreign.withLock {}
          }
        } else {
          #expect(isRunning.opensSoon())
          foreign.withLock {
            isHeld.open()
            relay.send(2)
          }
        }
      }
    }
    #expect(isDone)
  }

  @Test func `R3 A callback may wait for a thread that uses the same relay`() {
    let relay = StateRelay(0)
    let other = relay.subscribe { _ in }
    let log = Log<Int>()
    let token = relay.subscribe { value in
      log.note(value)
      guard value == 1 else { return }
      let isDone = finishes {
        #expect(relay.value == 1)
        let third = relay.subscribe { _ in }
        other.cancel()
        third.cancel()
        relay.send(2)
        #expect(relay.swap(3) == 2)
      }
      #expect(isDone)
    }
    relay.send(1)
    #expect(log.entries == [0, 1, 2, 3])
    token.cancel()
  }

  @Test func `R3 A callback may wait for a thread that uses the same plain relay`() {
    let relay = Relay<Int>()
    let other = relay.subscribe { _ in }
    let log = Log<Int>()
    let token = relay.subscribe { value in
      log.note(value)
      guard value == 1 else { return }
      let isDone = finishes {
        #expect(relay.hasSubscribers)
        relay.subscribe { _ in }.cancel()
        other.cancel()
        relay.send(2)
      }
      #expect(isDone)
    }
    relay.send(1)
    #expect(log.entries == [1, 2])
    token.cancel()
  }

  @Test func `R3 The deinit of a capture may send, subscribe and cancel on the relay`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.subscribe { log.note($0) }
    let other = relay.subscribe { _ in }
    let isDone = finishes {
      let farewell = AtEnd {
        relay.send(1)
        relay.subscribe { _ in }.cancel()
        other.cancel()
      }
      let last = relay.subscribe { [farewell] _ in _ = farewell }
      // From here on the subscription alone holds it.
      _ = consume farewell
      last.cancel()
      #expect(log.entries == [1])
    }
    #expect(isDone)
    token.cancel()
  }

  @Test func `R3 The deinit of a capture cancelled in a callback may use the relay`() {
    let relay = StateRelay(0)
    let log = Log<Int>()
    let listener = relay.subscribe { log.note($0) }
    let isDone = finishes {
      let victim = Box<SubscriptionToken?>(nil)
      let canceller = relay.subscribe { value in
        if value == 1 { victim.value?.cancel() }
      }
      let farewell = AtEnd { relay.send(relay.value + 1) }
      victim.value = relay.subscribe { [farewell] _ in _ = farewell }
      _ = consume farewell
      relay.send(1)
      canceller.cancel()
    }
    #expect(isDone)
    #expect(log.entries == [0, 1, 2])
    listener.cancel()
  }

  @Test func `R3 The deinit of a value sent may use the relay`() {
    let relay = Relay<AtEnd?>()
    let count = Counter()
    let token = relay.subscribe { value in
      count.add()
      guard value != nil, count.value < 5 else { return }
      // Queued, so the relay holds the last reference.
      relay.send(AtEnd { relay.send(nil) })
      relay.send(AtEnd { relay.subscribe { _ in }.cancel() })
    }
    #expect(finishes { relay.send(AtEnd { relay.send(nil) }) })
    #expect(count.value >= 6)
    token.cancel()
  }

  @Test func `R3 The deinit of a value that is replaced may use the relay`() {
    let relay = StateRelay<AtEnd?>(nil)
    let ends = Counter()
    let isDone = finishes {
      relay.send(
        AtEnd {
          #expect(relay.value == nil)
          ends.add()
          relay.send(AtEnd { ends.add() })
        })
      relay.send(nil)
      relay.modify { $0 = nil }
    }
    #expect(isDone)
    #expect(ends.value == 2)
  }

  @Test func `R3 The deinit of a value that a throwing modify had set may use the relay`() {
    let relay = StateRelay<AtEnd?>(nil)
    let ends = Counter()
    let isDone = finishes {
      do {
        try relay.modify { value in
          value = AtEnd {
            #expect(relay.value == nil)
            ends.add()
          }
          throw CancellationError()
        }
      } catch {}
    }
    #expect(isDone)
    #expect(ends.value == 1)
  }

  @Test func `R3 The deinit of a result of modify that is discarded may use the relay`() {
    let (plain, copied) = (StateRelay(0), StateRelay<AtEnd?>(nil))
    let ends = Counter()
    let isDone = finishes {
      plain.modify { value in
        value = 1
        return AtEnd {
          #expect(plain.value == 1)
          ends.add()
        }
      }
      copied.modify { _ in
        AtEnd {
          #expect(copied.value == nil)
          ends.add()
        }
      }
    }
    #expect(isDone)
    #expect(ends.value == 2)
  }

  @Test func `A StateRelay doesn't keep the values it had`() {
    let tracker = LifetimeTracker()
    let relay = StateRelay(tracker.track())
    let token = relay.subscribe { _ in }
    relay.send(tracker.track())
    #expect(tracker.aliveCount == 1)
    relay.send(tracker.track())
    #expect(tracker.aliveCount == 1)
    token.cancel()
  }
}
