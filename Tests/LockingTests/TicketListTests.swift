@testable import Locking
import TestSupport
import Testing

@Suite struct `S1: the waiters of a lock, in the order of their tickets` {
  @Test func `S1: any of them leaves, and comes back to the same place`() {
    withEvery("seed", in: seeds(300)) { seed in
      var generator = SeededGenerator(seed: seed)
      let most = Int.random(in: 1...200, using: &generator)
      var list = TicketList<String>()
      var expected: [Int: String] = [:]
      for _ in 0..<400 {
        let ticket = Int.random(in: 0..<most, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let first = list.removeFirst()
          let ticket = expected.keys.min()
          expectEqual(first?.ticket, ticket)
          expectEqual(first?.element, ticket.flatMap { expected.removeValue(forKey: $0) })
        case 1: expectEqual(list.remove(ticket), expected.removeValue(forKey: ticket))
        default:
          if expected[ticket] != nil { continue }
          expected[ticket] = "\(ticket)"
          list.insert("\(ticket)", ticket: ticket)
        }
        expectEqual(list.count, expected.count)
        expectEqual(list.isEmpty, expected.isEmpty)
        expectEqual(list.firstTicket, expected.keys.min())
      }
      for ticket in expected.keys.sorted() { expectEqual(list.removeFirst()?.ticket, ticket) }
      expectTrue(list.isEmpty)
    }
  }

  @Test func `S1: at most half of the slots are empty, except for a few`() {
    var generator = SeededGenerator(number: 1)
    var list = TicketList<Int>()
    for ticket in 0..<5_000 { list.insert(ticket, ticket: ticket) }
    for ticket in (0..<5_000).shuffled(using: &generator) {
      expectEqual(list.remove(ticket), ticket)
      expectTrue(list.slots.count <= 2 * list.count + 16, "\(list.slots.count) for \(list.count)")
    }
    // A queue that always moves on doesn't grow, either.
    for ticket in 0..<5_000 {
      list.insert(ticket, ticket: ticket)
      if ticket >= 10 { expectEqual(list.removeFirst()?.ticket, ticket - 10) }
      expectTrue(list.slots.count <= 2 * list.count + 16, "\(list.slots.count) for \(list.count)")
    }
  }
}
