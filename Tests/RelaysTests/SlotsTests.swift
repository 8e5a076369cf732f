@testable import Relays
import TestSupport
import Testing

@Suite struct `The slots of a relay` {
  /// The number of slots that a send visits.
  private func slotCount(_ relay: Relay<Int>) -> Int {
    relay.core.fields.pointee.slots?.count ?? 0
  }

  @Test func `R1 A send visits few slots after the first half and then the last have cancelled`() {
    let relay = Relay<Int>()
    let tokens = (0..<1_000).map { _ in relay.subscribe { _ in } }
    for token in tokens[..<499] { token.cancel() }
    for token in tokens[500...].reversed() { token.cancel() }
    #expect(relay.subscriptionCount == 1)
    #expect(slotCount(relay) <= 17)
    withExtendedLifetime(tokens) {}
  }

  @Test func `R1 A send visits few slots, in whatever order the others have cancelled`() {
    withEvery("seed", in: seeds(20)) { seed in
      var random = SeededGenerator(seed: seed)
      let relay = Relay<Int>()
      let tokens = (0..<200).map { _ in relay.subscribe { _ in } }
      // The longer the part that is shuffled, the fewer cancels go from the last to the first.
      let shuffled = Int.random(in: 0..<200, using: &random)
      let order =
        tokens[..<shuffled].shuffled(using: &random)
        + Array(tokens[shuffled...].reversed())
      for (count, token) in order.enumerated() {
        token.cancel()
        let left = 200 - count - 1
        expectTrue(slotCount(relay) <= max(2 * left, left + 16), "\(left) are left")
      }
      withExtendedLifetime(tokens) {}
    }
  }
}
