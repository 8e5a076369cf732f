import Locking
import Observation
import TestSupport
import Testing

@testable import Relays

@Suite(.timeLimit(.minutes(20))) struct `F9: a StateRelay without a tracker` {
  /// Whether changes have to be told.
  private func isTracked(_ relay: StateRelay<Int>) -> Bool { relay.holder.observed.isTracked }

  /// Whether nothing has been made for Observation.
  private func isUntouched(_ relay: StateRelay<Int>) -> Bool {
    relay.holder.observed.word.load() == 0
  }

  @Test func `An untracked read leaves nothing behind`() {
    let relay = StateRelay(1)
    #expect(relay.value == 1)
    #expect(!isTracked(relay))
    #expect(isUntouched(relay))
    relay.send(2)
    #expect(isUntouched(relay))
  }

  @Test func `After a notification, a set notifies no tracker until the value is tracked again`() {
    let relay = StateRelay(1)
    for round in 1...3 {
      let count = Counter()
      withObservationTracking {
        _ = relay.value
      } onChange: {
        count.add()
      }
      #expect(isTracked(relay))
      // A read that isn't tracked changes nothing of that.
      #expect(relay.value == 2 * round - 1)
      relay.send(2 * round)
      #expect(!isTracked(relay))
      #expect(relay.value == 2 * round)
      #expect(!isTracked(relay))
      relay.send(2 * round + 1)
      #expect(count.value == 1)
    }
  }

  @Test func `It is tracked as long as one tracker hasn't been notified`() {
    let relay = StateRelay(1)
    let count = Counter()
    withObservationTracking {
      _ = relay.value
      relay.send(2)
      // The reader will be entered only when this returns.
      #expect(isTracked(relay))
      relay.send(3)
      #expect(isTracked(relay))
    } onChange: {
      count.add()
    }
    relay.send(4)
    #expect(count.value == 1)
    #expect(!isTracked(relay))
  }

  @Test func `A tracked value that is set in its onChange notifies every tracker`() {
    let relay = StateRelay(1)
    let count = Counter()
    withObservationTracking {
      _ = relay.value
    } onChange: {
      if count.add() == 1 {
        withObservationTracking {
          _ = relay.value
        } onChange: {
          count.add()
        }
        relay.send(3)
      }
    }
    relay.send(2)
    #expect(count.value == 2)
    #expect(!isTracked(relay))
  }

  @Test func `No tracker is missed while other threads read and track other relays`() {
    let isOver = AtomicWord(0)
    let missed = Counter()
    onThreads(4) { thread in
      let relay = StateRelay(0)
      for round in 0..<2_000 where thread < 2 || isOver.load() == 0 {
        if thread == 3 {
          _ = relay.value
          continue
        }
        let count = Counter()
        withObservationTracking {
          _ = relay.value
        } onChange: {
          count.add()
        }
        relay.send(round)
        if count.value != 1 { missed.add() }
      }
      isOver.store(1)
    }
    #expect(missed.value == 0)
  }

  @Test func `No tracker is missed by the thread that forgets those it has notified`() {
    let relay = StateRelay(0)
    let isOver = AtomicWord(0)
    let setter = TestThread {
      while isOver.load() == 0 { relay.modify { $0 += 1 } }
    }
    let deadline = Deadline(after: .seconds(60))
    // Each is told by a later change at the latest, since the other thread never stops; perhaps more than once,
    // since Observation doesn't leave out one that is told while it is being entered.
    for _ in 1...100 {
      let told = Counter()
      withObservationTracking {
        _ = relay.value
      } onChange: {
        told.add()
      }
      while told.value == 0 && !deadline.isOver { CurrentThread.yield() }
    }
    isOver.store(1)
    setter.join()
    #expect(!deadline.isOver)
  }

  @Test func `What a thread keeps to find out about tracking is released with the thread`() async {
    final class Kept: Sendable {
      weak let reads: ObservedReads?

      init(_ address: UnsafeMutableRawPointer) {
        reads = Unmanaged<ObservedReads>.fromOpaque(address).takeUnretainedValue()
      }
    }
    let kept = Box<Kept?>(nil)
    TestThread {
      _ = StateRelay(1).value
      kept.value = CurrentThread.kept.map(Kept.init)
      #expect(kept.value?.reads != nil)
    }.join()
    #expect(kept.value != nil)
    #expect(await becomesTrue { kept.value?.reads == nil })
  }
}
