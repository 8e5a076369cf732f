@testable import EntityStore
import TestSupport
import Testing

@Suite(.oneThread) struct `A slot index agrees with a dictionary` {
  /// An index beside the hashes of the slots that are in it.
  private struct Pair: Sendable {
    var index = UnsafeSlotIndex()
    var hashes: [Int: UInt64] = [:]
    private var free: [Int] = []
    private var next = 0

    mutating func insert(_ hash: UInt64, _ generator: inout SeededGenerator) {
      if index.isFull {
        var larger = index.enlarged
        for (slot, hash) in hashes { larger.insert(slot, hash: hash) }
        index = larger
      }
      let slot: Int
      if let place = free.indices.randomElement(using: &generator) {
        slot = free.remove(at: place)
      } else {
        slot = next
        next += 1
      }
      index.insert(slot, hash: hash)
      hashes[slot] = hash
    }

    mutating func remove(_ slot: Int) {
      index.remove(slot, hash: hashes[slot] ?? 0) { hashes[$0] ?? 0 }
      hashes[slot] = nil
      free.append(slot)
    }

    func check(_ comment: String) {
      expectEqual(index.count, hashes.count, comment)
      for slot in 0..<next {
        let hash = hashes[slot]
        expectEqual(index.find(hash ?? 7) { $0 == slot }, hash == nil ? nil : slot, comment)
      }
    }
  }

  /// How the hashes of a run are drawn.
  private enum Spread: CaseIterable {
    /// All over.
    case even
    /// To a few homes, so that there are long runs.
    case clustered
    /// To the last places, so that the runs go on at the beginning.
    case atTheEnd
    /// All the same, so that only `matches` tells them apart.
    case same

    func hash(_ generator: inout SeededGenerator) -> UInt64 {
      let high = generator.next() << 32
      return switch self {
      case .even: generator.next()
      case .clustered: high | UInt64.random(in: 40..<44, using: &generator)
      case .atTheEnd: high | (0xFFFF_FFFF - UInt64.random(in: 0..<4, using: &generator))
      case .same: 0xFFFF_FFFF_FFFF_FFFF
      }
    }
  }

  @Test(arguments: Spread.allCases)
  private func `It finds each slot that is in it and no other, after any inserts and removals`(
    _ spread: Spread
  ) {
    withEvery("seed", in: seeds(15)) { seed in
      var generator = SeededGenerator(seed: seed)
      var pair = Pair()
      var copies: [Pair] = []
      let most = spread == .same ? 60 : seed % 3 == 0 ? 300 : 90
      for step in 0..<400 {
        // It grows, shrinks and grows again.
        let grows = generator.chance(step / 130 % 2 == 0 ? 0.9 : 0.2)
        if grows && pair.hashes.count < most {
          for _ in 0..<(most > 100 ? 5 : 1) { pair.insert(spread.hash(&generator), &generator) }
        } else if let slot = pair.hashes.keys.sorted().randomElement(using: &generator) {
          pair.remove(slot)
        }
        if generator.chance(0.02) { copies.append(pair) }
        if step % 150 == 0 { pair.check("at step \(step)") }
      }
      pair.check("at the end")
      for copy in copies { copy.check("in a copy") }
      // A copy can go on by itself, and the others stay.
      if var copy = copies.first {
        for _ in 0..<20 { copy.insert(spread.hash(&generator), &generator) }
        copy.check("in a changed copy")
        copies[0].check("in the copy it was made of")
        pair.check("beside a changed copy")
      }
    }
  }

  @Test func `A slot that isn't there is nothing to remove`() {
    var index = UnsafeSlotIndex()
    index.insert(0, hash: 5)
    index.remove(1, hash: 5) { _ in 5 }
    index.remove(0, hash: 6) { _ in 5 }
    #expect(index.count == 1)
    #expect(index.find(5) { _ in true } == 0)
  }

  @Test func `What is removed closes its gap around the end, too`() {
    // Three with the last place as home stand in the last and in the first two.
    let last: UInt64 = 127
    withEvery("removed", in: 0..<3) { removed in
      var index = UnsafeSlotIndex()
      for slot in 0..<3 { index.insert(slot, hash: last) }
      // One whose home is the first place stands behind them.
      index.insert(3, hash: 0)
      index.remove(removed, hash: last) { $0 == 3 ? 0 : last }
      for slot in 0..<3 {
        expectEqual(index.find(last) { $0 == slot }, slot == removed ? nil : slot)
      }
      expectEqual(index.find(0) { $0 == 3 }, 3)
    }
  }

  @Test func `It grows page by page and keeps what is in it`() {
    var generator = SeededGenerator(number: 1)
    var pair = Pair()
    for _ in 0..<12_000 { pair.insert(generator.next(), &generator) }
    #expect(pair.index.count == 12_000)
    #expect(!pair.index.isFull)
    var wrong = 0
    for (slot, hash) in pair.hashes where pair.index.find(hash, where: { $0 == slot }) != slot {
      wrong += 1
    }
    #expect(wrong == 0)
  }

  @Test func `An index made of many slots at once finds each, and can change further`() {
    for count in [0, 1, 101, 102, 103, 5000] {
      for spread in [UInt64.max, 3, 0] {
        // Few different hashes make long stretches, and are too slow for many.
        if spread < 100 && count > 200 { continue }
        var generator = SeededGenerator(seed: count)
        let hashes = (0..<count).map { _ in generator.next() & spread }
        var index = UnsafeSlotIndex(count: count) { hashes[$0] }
        #expect(index.count == count)
        for slot in 0..<count { expectEqual(index.find(hashes[slot]) { $0 == slot }, slot) }
        for slot in stride(from: 0, to: count, by: 2) {
          index.remove(slot, hash: hashes[slot]) { hashes[$0] }
        }
        for slot in 0..<count {
          expectEqual(index.find(hashes[slot]) { $0 == slot }, slot % 2 == 0 ? nil : slot)
        }
      }
    }
  }

  @Test func `Slots of other hashes are hardly ever asked about`() {
    var generator = SeededGenerator(number: 2)
    var pair = Pair()
    for _ in 0..<5_000 { pair.insert(generator.next(), &generator) }
    var foreign = 0
    for (slot, hash) in pair.hashes {
      _ = pair.index.find(hash) { other in
        if other != slot { foreign += 1 }
        return other == slot
      }
    }
    for _ in 0..<5_000 {
      _ = pair.index.find(generator.next()) { _ in
        foreign += 1
        return false
      }
    }
    // An entry has 19 bits of the hash here; two look-ups in 10,000 may meet by chance.
    #expect(foreign <= 2)
  }
}
