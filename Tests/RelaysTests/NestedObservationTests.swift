import Locking
import Observation
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `A StateRelay that an observer sets again` {
  @Test func `R5 Earlier readers are notified of a value that another tracker sets, too`() {
    // Trackers are told in no order, so there are some on either side mostly.
    withEvery("round", in: 0..<20) { _ in
      let relay = StateRelay(0)
      let seen = (0..<8).map { _ in Box(-1) }
      @Sendable func watch(_ box: Box<Int>) {
        withObservationTracking {
          box.value = relay.value
        } onChange: {
          watch(box)
        }
      }
      @Sendable func correct() {
        withObservationTracking {
          _ = relay.value
        } onChange: {
          correct()
          if relay.value == 1 { relay.send(2) }
        }
      }
      for box in seen[..<4] { watch(box) }
      correct()
      for box in seen[4...] { watch(box) }
      relay.send(1)
      expectEqual(relay.value, 2)
      expectEqual(seen.map(\.value), Array(repeating: 2, count: 8))
      relay.send(3)
      expectEqual(seen.map(\.value), Array(repeating: 3, count: 8))
    }
  }

  @Test func `R2 A tracker that sets the value at each notification ends all the same`() {
    let relay = StateRelay(0)
    let count = Counter()
    @Sendable func track() {
      withObservationTracking {
        _ = relay.value
      } onChange: {
        count.add()
        track()
        relay.modify { $0 += 1 }
      }
    }
    track()
    relay.send(1)
    #expect(relay.value > 1)
    #expect(count.value < 1000)
    let before = count.value
    relay.send(1)
    #expect(count.value > before)
  }

  @Test func `R2 Another thread that sets meanwhile doesn't have a tracker nest`() {
    let state = StateRelay(0)
    let thread = CurrentThread.token
    let depth = Counter()
    let deepest = Counter()
    @Sendable func track() {
      withObservationTracking {
        _ = state.value
      } onChange: {
        guard CurrentThread.token == thread else { return }
        deepest.set(max(deepest.value, depth.add()))
        if depth.value < 20 {
          TestThread { state.modify { $0 += 1 } }.join()
          track()
          state.modify { $0 += 1 }
        }
        depth.add(-1)
      }
    }
    track()
    state.value = 1
    #expect(deepest.value == 1)
  }

  @Test
  func `A tracker that has begun once is notified once, though another thread sets meanwhile`() {
    let relay = StateRelay(0)
    let told = Counter()
    withObservationTracking {
      _ = relay.value
    } onChange: {
      guard told.add() == 1 else { return }
      TestThread { relay.modify { $0 += 10 } }.join()
    }
    relay.modify { $0 += 1 }
    #expect(relay.value == 11)
    #expect(told.value == 1)
  }

  @Test func `R5 A value that another thread sets during a notification is notified of afterwards`()
  {
    let relay = StateRelay(0)
    let seen = Box(-1)
    let rounds = Counter()
    @Sendable func watch() {
      withObservationTracking {
        seen.value = relay.value
      } onChange: {
        watch()
        // More often than one thread tells what others have set, so that another one takes over.
        if rounds.add() < 350 { TestThread { relay.modify { $0 += 1 } }.join() }
      }
    }
    watch()
    relay.modify { $0 += 1 }
    #expect(relay.value == 350)
    #expect(seen.value == 350)
    let before = rounds.value
    relay.modify { $0 += 1 }
    #expect(rounds.value > before)
    #expect(seen.value == 351)
  }

  @Test
  func `R5 A tracker registered while another thread notifies is notified of the next change`() {
    let relay = StateRelay(0)
    let told = Counter()
    let (hasRead, mayRegister, isRegistered) = (Latch(), Latch(), Latch())
    let (isInBody, hasSent) = (Latch(), Latch())
    let threads = Log<TestThread>()
    withObservationTracking {
      _ = relay.value
    } onChange: {
      // Before the first change: a thread reads the value, and isn't registered yet.
      let reader = TestThread {
        withObservationTracking {
          _ = relay.value
          hasRead.open()
          _ = mayRegister.opensSoon()
        } onChange: {
          told.add()
        }
        isRegistered.open()
      }
      threads.note(reader)
      _ = hasRead.opensSoon()
      withObservationTracking {
        _ = relay.value
      } onChange: {
        // After the first change: the reader is registered too late for this notification, and the
        // next change begins.
        mayRegister.open()
        _ = isRegistered.opensSoon()
        let setter = TestThread {
          relay.modify { value in
            isInBody.open()
            _ = hasSent.opensSoon()
            value = 2
          }
        }
        threads.note(setter)
        _ = isInBody.opensSoon()
      }
    }
    relay.send(1)
    hasSent.open()
    for thread in threads.entries { thread.join() }
    #expect(threads.entries.count == 2)
    #expect(relay.value == 2)
    #expect(told.value == 1)
  }
}
