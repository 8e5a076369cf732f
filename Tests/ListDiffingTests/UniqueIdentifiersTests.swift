import ListDiffing
import TestSupport
import Testing

@Suite struct `Identifiers that are known to be unique` {
  /// An identifier that counts how often it is hashed.
  private struct Hashed: Hashable {
    nonisolated(unsafe) static var count = 0
    var number: Int

    func hash(into hasher: inout Hasher) {
      Self.count += 1
      hasher.combine(number)
    }
  }

  @Test func `D4 Of unique identifiers, only rows that the walk hasn't matched are hashed`() {
    let old = (0..<1000).map { Hashed(number: $0) }
    var new = old
    new.swapAt(100, 900)
    new[500].number = 5000
    func hashes(areUnique: Bool) -> Int {
      Hashed.count = 0
      _ = ListChanges(
        from: old, to: new, areIdentifiersUnique: areUnique, identifiedBy: { $0 },
        isContentEqual: { _, _ in true })
      return Hashed.count
    }
    expectEqual(hashes(areUnique: true), 6)
    expectTrue(hashes(areUnique: false) > 700)
  }

  @Test func `D4 Unique identifiers have the same changes, whether that is known or not`() {
    withEvery("seed", in: seeds(300)) { seed in
      var generator = SeededGenerator(seed: seed)
      let (old, new) = lists(of: Array(0..<Int.random(in: 0...300, using: &generator)), &generator)
      expectEqual(
        ListDiff(from: old, to: new, areIdentifiersUnique: true).changes,
        ListDiff(from: old, to: new).changes)
    }
  }

  @Test func `D3 If copies are called unique, the changes still lead to the new list`() {
    withEvery("seed", in: seeds(300)) { seed in
      var generator = SeededGenerator(seed: seed)
      let size = Int.random(in: 0...120, using: &generator)
      let ids = (0..<size).map { _ in Int.random(in: 0..<60, using: &generator) }
      let (old, new) = lists(of: ids, &generator)
      var shown = old
      ListDiff(from: old, to: new, areIdentifiersUnique: true).changes
        .apply(to: &shown) { new[$0.row] }
      expectEqual(shown, new)
    }
  }

  @Test func `D3 If copies in sections are called unique, the changes still lead to the new list`()
  {
    withEvery("seed", in: seeds(150)) { seed in
      var generator = SeededGenerator(seed: seed)
      func list() -> [ListSection<Int, Int>] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          let count = Int.random(in: 0...8, using: &generator)
          return ListSection(
            header: Int.random(in: 0..<3, using: &generator),
            rows: (0..<count).map { _ in Int.random(in: 0..<6, using: &generator) })
        }
      }
      let (old, new) = (list(), list())
      var shown = old
      SectionedListDiff(from: old, to: new, areIdentifiersUnique: true).changes
        .apply(to: &shown, header: { new[$0].header }, row: { new[$0] })
      expectEqual(shown, new)
    }
  }

  @Test func `D4 Sections and rows in them have the same changes`() {
    withEvery("seed", in: seeds(150)) { seed in
      var generator = SeededGenerator(seed: seed)
      func list() -> [ListSection<Int, Int>] {
        var rows = Array(0..<40).shuffled(using: &generator)
        return Array(0..<5).shuffled(using: &generator).map { header in
          let count = Int.random(in: 0...8, using: &generator)
          defer { rows.removeLast(count) }
          return ListSection(header: header, rows: Array(rows.suffix(count)))
        }
      }
      let (old, new) = (list(), list())
      expectEqual(
        SectionedListDiff(from: old, to: new, areIdentifiersUnique: true).changes,
        SectionedListDiff(from: old, to: new).changes)
    }
  }

  /// A list, and one that some edits have made of it.
  private func lists(of old: [Int], _ generator: inout SeededGenerator) -> (old: [Int], new: [Int])
  {
    var new = old
    for edit in 0..<Int.random(in: 0...12, using: &generator) where !new.isEmpty {
      let row = new.remove(at: Int.random(in: new.indices, using: &generator))
      new.insert(
        generator.chance(0.5) ? row : 1000 + edit,
        at: Int.random(in: 0...new.count, using: &generator))
    }
    if generator.chance(0.2) { new.shuffle(using: &generator) }
    return (old, new)
  }
}
