import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeRandomTests {
  @Test(arguments: 0..<4) func `It does what an array does, and copies keep what they had`(
    number: Int
  ) {
    let widths = RankNodeWidths.all[number]
    var random = SeededGenerator(seed: number)
    var checked = CheckedTree([], widths: widths)
    var copies: [CheckedTree] = []
    withEvery("step", in: 0..<20_000) { step in
      // Grows, shrinks to nothing and grows again.
      let grows = step % 5000 < 2600
      if checked.entries.isEmpty || random.chance(grows ? 0.75 : 0.25) {
        let rank = Int.random(in: 0...checked.entries.count, using: &random)
        checked.insert(entry(step), at: rank)
      } else {
        let rank = Int.random(in: 0..<checked.entries.count, using: &random)
        expectEqual(checked.tree[rank], checked.entries[rank])
        checked.remove(at: rank)
      }
      checked.checkSoundness()
      if random.chance(0.01) {
        copies.append(checked)
        if random.chance(0.5) { copies.remove(at: Int.random(in: copies.indices, using: &random)) }
      }
      // Goes on with a copy, so that the original is the snapshot.
      if random.chance(0.002), let copy = copies.randomElement(using: &random) { checked = copy }
      if step % 500 == 0 { checked.check() }
    }
    #expect(copies.count > 50)
    for copy in copies { copy.check() }
  }

  @Test(arguments: 0..<4) func `It keeps the order of keys, and copies keep what they had`(
    number: Int
  ) {
    let widths = RankNodeWidths.all[number]
    var random = SeededGenerator(number: 10 + number)
    // Few prefixes make long runs of entries that only the rest of the key tells apart.
    for prefixes in [1, 40, 1_000_000] as [UInt64] {
      var keyed = KeyedTree(widths: widths)
      var copies: [KeyedTree] = []
      withEvery("step", in: 0..<4000) { step in
        let grows = step % 2000 < 1150
        if keyed.checked.entries.isEmpty || random.chance(grows ? 0.75 : 0.25) {
          let prefix = UInt64.random(in: 0..<prefixes, using: &random) &* 0x9E37_79B9_7F4A
          keyed.insert(prefix: prefix, rest: random.next())
        } else if random.chance(0.8) {
          keyed.remove(at: Int.random(in: 0..<keyed.checked.entries.count, using: &random))
        } else {
          keyed.removeAbsent(like: Int.random(in: 0..<keyed.checked.entries.count, using: &random))
        }
        keyed.checked.checkSoundness()
        if random.chance(0.01) { copies.append(keyed) }
        if step % 500 == 0 { keyed.checked.check() }
      }
      for copy in copies { copy.checked.check() }
    }
  }
}

/// A tree in the order of keys, of which an entry has the first part.
private struct KeyedTree {
  var checked: CheckedTree
  /// The rest of the key, by slot.
  var rests: [UInt64] = []

  init(widths: RankNodeWidths) { checked = CheckedTree([], widths: widths) }

  /// Where an array would have a key, found by looking at all entries.
  private func rank(prefix: UInt64, rest: UInt64) -> Int {
    let place = checked.entries.firstIndex {
      $0.prefix != prefix ? $0.prefix > prefix : rests[Int($0.slot)] >= rest
    }
    return place ?? checked.entries.count
  }

  mutating func insert(prefix: UInt64, rest: UInt64) {
    let entry = RankEntry(prefix: prefix, slot: UInt32(rests.count))
    rests.append(rest)
    let expected = rank(prefix: prefix, rest: rest)
    expectEqual(checked.tree.rank(of: prefix) { rests[Int($0)] >= rest }, expected)
    expectEqual(
      checked.tree.partitioningIndex {
        $0.prefix != prefix ? $0.prefix > prefix : rests[Int($0.slot)] >= rest
      }, expected)
    expectEqual(checked.tree.insert(entry) { rests[Int($0)] >= rest }, expected)
    checked.entries.insert(entry, at: expected)
    for near in [prefix &- 1, prefix + 1] {
      let place = rank(prefix: near, rest: rest)
      expectEqual(checked.tree.rank(of: near) { rests[Int($0)] >= rest }, place)
    }
  }

  mutating func remove(at rank: Int) {
    let entry = checked.entries.remove(at: rank)
    let rest = rests[Int(entry.slot)]
    expectEqual(checked.tree.remove(entry) { rests[Int($0)] >= rest }, rank)
  }

  /// Tries to remove entries that differ a little from the one at `rank`.
  mutating func removeAbsent(like rank: Int) {
    let entry = checked.entries[rank]
    let rest = rests[Int(entry.slot)]
    var other = entry
    other.slot = .max
    expectEqual(checked.tree.remove(other) { rests[Int($0)] >= rest }, nil)
    for near in [entry.prefix &- 1, entry.prefix + 1] {
      other = RankEntry(prefix: near, slot: entry.slot)
      expectEqual(checked.tree.remove(other) { _ in true }, nil)
    }
    expectEqual(checked.tree.remove(entry) { rests[Int($0)] > rest }, nil)
  }
}
