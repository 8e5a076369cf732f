import EntityStore
import Locking
import TestSupport
import Testing

@Suite struct FreeSlotsTests {
  @Test func `Slots are taken as a stack gives them, by each of several copies`() {
    for seed in seeds(20) {
      var random = SeededGenerator(seed: seed)
      var (free, stack, next) = (FreeSlots(), [Int](), 0)
      var taken: [Int] = []
      var others: [(free: FreeSlots, stack: [Int], next: Int)] = []
      func take() {
        let slot = free.take()
        expectEqual(slot, stack.popLast() ?? next)
        if slot == next { next += 1 }
        taken.append(slot)
      }
      for step in 0..<20 {
        // Long runs, so that they cross pages in both directions.
        for _ in 0..<Int.random(in: 0...500, using: &random) { take() }
        for _ in 0..<Int.random(in: 0...500, using: &random) {
          guard let slot = taken.popLast() else { break }
          free.giveBack(slot)
          stack.append(slot)
        }
        if step % 4 == 0 { others.append((free, stack, next)) }
      }
      for other in others {
        (free, stack, next) = other
        for _ in 0..<stack.count + 3 { take() }
      }
    }
  }

  @Test(.oneThread) func `Millions of free slots can be released on any thread`() {
    var free = FreeSlots()
    for slot in 0..<8_000_000 { free.giveBack(slot) }
    let held = HeldSlots(free)
    free = FreeSlots()
    TestThread { held.free.withLock { $0 = nil } }.join()
    #expect(held.free.withLock { $0 == nil })
  }
}

private final class HeldSlots: Sendable {
  let free: Locked<FreeSlots?>

  init(_ free: FreeSlots) { self.free = Locked(free) }
}
