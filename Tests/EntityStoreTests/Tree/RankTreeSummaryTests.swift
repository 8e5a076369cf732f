import TestSupport
import Testing

@testable import EntityStore

/// What some entries sum up to in these tests: what they weigh, in their order.
private final class Weights: Sendable {
  let all: [Int]
  init(_ all: [Int]) { self.all = all }
}

/// A tree whose slots weigh something, beside an array of its slots.
private struct WeighedTree {
  var tree: RankTree
  var slots: [UInt32]
  /// The weight of each slot.
  var weights: [Int]

  /// Entries with every eighth prefix the same, so that slots have to be compared.
  static func entry(_ slot: UInt32) -> RankEntry {
    RankEntry(prefix: UInt64(slot) / 8, slot: slot)
  }

  init(_ count: Int, room: Int, widths: RankNodeWidths) {
    slots = (0..<UInt32(count)).map { $0 * UInt32(room) }
    weights = (0..<count * room).map { $0 }
    tree = RankTree(sorted: slots.map(Self.entry), with: RankTreeBuilder(widths: widths))
  }

  var expected: [Int] { slots.map { weights[Int($0)] } }

  /// What the tree sums up to; `visits` counts the nodes that it took.
  func summary(visits: inout Int) -> [Int] {
    tree.summary { entries -> Weights in
      visits += 1
      return Weights(entries.map { weights[Int($0.slot)] })
    } inner: { parts in
      visits += 1
      return Weights(parts.flatMap(\.all))
    }.all
  }

  var summary: [Int] {
    var visits = 0
    return summary(visits: &visits)
  }

  var keepsWrongSummary: Bool {
    tree.keepsWrongSummary(
      leaf: { Weights($0.map { weights[Int($0.slot)] }) },
      inner: { Weights($0.flatMap(\.all)) }, areEqual: { $0.all == $1.all })
  }

  mutating func change(using random: inout SeededGenerator) {
    let slot = UInt32.random(in: 0..<UInt32(weights.count), using: &random)
    let rank = slots.partitioningIndex { $0 >= slot }
    let isHere = rank < slots.count && slots[rank] == slot
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      // Another weight at the same place.
      expectEqual(tree.discardSummaries(of: Self.entry(slot)) { $0 >= slot }, isHere)
      weights[Int(slot)] = Int.random(in: 0..<1_000_000, using: &random)
    case 1 where isHere:
      expectEqual(tree.remove(Self.entry(slot)) { $0 >= slot }, rank)
      slots.remove(at: rank)
    case 2 where !isHere:
      tree.insert(Self.entry(slot)) { $0 >= slot }
      slots.insert(slot, at: rank)
    default:
      // Several at once.
      if isHere && rank + 2 < slots.count {
        tree.update(removing: [rank, rank + 2], inserting: [(rank, Self.entry(slot))])
        slots.remove(at: rank + 2)
      }
    }
  }
}

extension [UInt32] {
  fileprivate func partitioningIndex(where condition: (UInt32) -> Bool) -> Int {
    firstIndex(where: condition) ?? count
  }
}

@Suite struct RankTreeSummaryTests {
  @Test(.oneThread) func `A summary is that of the entries in their order, whatever has changed`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("seed", in: 0..<4) { seed in
        var random = SeededGenerator(seed: seed)
        var weighed = WeighedTree(200, room: 4, widths: widths)
        var copies: [WeighedTree] = []
        for step in 0..<600 {
          weighed.change(using: &random)
          if random.chance(0.3) { expectEqual(weighed.summary, weighed.expected, "step \(step)") }
          expectTrue(!weighed.keepsWrongSummary, "step \(step)")
          if random.chance(0.05) { copies.append(weighed) }
        }
        weighed.tree.checkInvariants()
        for copy in copies {
          expectTrue(!copy.keepsWrongSummary)
          expectEqual(copy.summary, copy.expected)
        }
      }
    }
  }

  @Test func `After a change only the nodes above it are summed up, and nothing twice`() {
    var weighed = WeighedTree(10_000, room: 2, widths: .standard)
    var visits = 0
    expectEqual(weighed.summary(visits: &visits), weighed.expected)
    #expect(visits == weighed.tree.nodes.count)
    visits = 0
    _ = weighed.summary(visits: &visits)
    #expect(visits == 0)
    let height = weighed.tree.root.height
    #expect(height == 2)
    var random = SeededGenerator(number: 1)
    for _ in 0..<300 {
      visits = 0
      let copy = random.chance(0.5) ? weighed : nil
      // It begins with 112 entries in each leaf, so one change seldom splits or joins nodes.
      let slot = UInt32.random(in: 0..<10_000, using: &random) * 2
      #expect(weighed.tree.discardSummaries(of: WeighedTree.entry(slot)) { $0 >= slot })
      weighed.weights[Int(slot)] += 1
      _ = weighed.summary(visits: &visits)
      #expect(visits == height + 1)
      visits = 0
      _ = copy?.summary(visits: &visits)
      #expect(visits == 0, "the older one has kept its own")
    }
    #expect(weighed.summary == weighed.expected)
  }

  @Test func `What an entry contributes can't be changed where it isn't`() {
    var weighed = WeighedTree(100, room: 2, widths: .narrow)
    _ = weighed.summary
    #expect(!weighed.tree.discardSummaries(of: WeighedTree.entry(31)) { $0 >= 31 })
    #expect(!weighed.tree.discardSummaries(of: WeighedTree.entry(900)) { $0 >= 900 })
    #expect(!weighed.keepsWrongSummary)
  }

  @Test func `A wrong summary is found`() {
    let weighed = WeighedTree(100, room: 1, widths: .narrow)
    _ = weighed.summary
    var other = weighed
    other.weights[50] += 1
    #expect(!weighed.keepsWrongSummary && other.keepsWrongSummary)
  }

  @Test func `A summary of another class is computed again, and the kept one stays`() {
    final class Count: Sendable {
      let count: Int
      init(_ count: Int) { self.count = count }
    }
    let weighed = WeighedTree(100, room: 1, widths: .narrow)
    _ = weighed.summary
    for _ in 0..<2 {
      let counted = weighed.tree.summary {
        Count($0.count)
      } inner: {
        Count($0.reduce(0) { $0 + $1.count })
      }
      #expect(counted.count == 100)
    }
    var visits = 0
    #expect(weighed.summary(visits: &visits) == weighed.expected && visits == 0)
  }

  @Test func `No summary outlives its trees`() {
    LifetimeTracker.check { tracker in
      final class Tracked: Sendable {
        let object: LifetimeTracker.Tracked
        init(_ object: LifetimeTracker.Tracked) { self.object = object }
      }
      var weighed = WeighedTree(300, room: 2, widths: .narrow)
      var copies: [WeighedTree] = []
      var random = SeededGenerator(number: 2)
      for _ in 0..<200 {
        weighed.change(using: &random)
        _ = weighed.tree.summary { _ in
          Tracked(tracker.track())
        } inner: { _ in
          Tracked(tracker.track())
        }
        if random.chance(0.1) { copies.append(weighed) }
      }
    }
  }

  @Test func `Threads sum up copies, with shared nodes, while others change theirs`() {
    let original = WeighedTree(1000, room: 2, widths: .narrow)
    onThreads(4) { index in
      var own = original
      var random = SeededGenerator(seed: index)
      var copies: [WeighedTree] = []
      for step in 0..<150 {
        if index > 0 { own.change(using: &random) }
        if step % 5 == index { expectEqual(own.summary, own.expected) }
        if step % 20 == 0 { copies.append(own) }
      }
      for copy in copies { expectEqual(copy.summary, copy.expected) }
      expectEqual(original.summary, original.expected)
    }
  }
}
