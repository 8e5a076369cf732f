import Observation
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `A StateRelay that is set by who is told of a change` {
  @Test func `R5 Who has read before another tracker sets is told of that, too`() {
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

  @Test func `R2 A tracker that sets the value whenever it is told ends all the same`() {
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
}
