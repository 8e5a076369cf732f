import ListDiffing
import TestSupport
import Testing

@Suite struct `ListDiff of flat lists` {
  @Test func `D4 A diff leads from any list of unique ids to any other, with the fewest moves`() {
    let lists = subsets(of: [0, 1, 2, 3]).flatMap { permutations(of: $0) }.map {
      $0.map { Row(id: $0) }
    }
    withEvery("old", in: lists) { old in
      withEvery("new", in: lists) { new in
        check(from: old, to: new.renewed())
        check(from: old, to: new)
        expectEqual(moves(from: old, to: new), fewestMoves(from: old, to: new))
      }
    }
  }

  @Test func `D4 A diff of lists with copies leads from any to any other`() {
    for domain in [sequences(of: [0, 1, 2], upTo: 4), sequences(of: [0, 1], upTo: 6)] {
      let lists = domain.map { $0.map { Row(id: $0) } }
      withEvery("old", in: lists) { old in
        withEvery("new", in: lists) { new in
          check(from: old, to: new.renewed())
        }
      }
    }
  }

  @Test func `D4 Blocks of rows change places with the fewest moves`() {
    // Blocks of so many rows, in each order, with single rows between them in each order.
    let weights = [40, 25, 1, 33, 8]
    let starts = weights.indices.map { weights[..<$0].reduce(0, +) }
    let old = (0..<weights.reduce(0, +)).map { Row(id: $0) }
    withEvery("order", in: permutations(of: Array(weights.indices))) { order in
      let blocks = order.map { block in (starts[block]..<starts[block] + weights[block]) }
      let new = blocks.joined().map { Row(id: $0) }
      check(from: old, to: new.renewed())
      expectEqual(moves(from: old, to: new), fewestMoves(from: old, to: new))
      // Rows that come and go inside and between blocks don't part them.
      var other = new
      for place in [90, 60, 30, 10] {
        other.insert(Row(id: 1000 + place), at: place)
        other.remove(at: place + 5)
      }
      check(from: old, to: other.renewed())
      expectEqual(moves(from: old, to: other), fewestMoves(from: old, to: other))
    }
  }

  @Test func `D4 A few rows and blocks of a long list change places with the fewest moves`() {
    withEvery("seed", in: seeds(150)) { seed in
      var generator = SeededGenerator(seed: seed)
      let old = (0..<Int.random(in: 100...400, using: &generator)).map { Row(id: $0) }
      var new = old
      for step in 0..<Int.random(in: 1...8, using: &generator) {
        let start = Int.random(in: new.indices, using: &generator)
        let end = min(new.count, start + Int.random(in: 1...30, using: &generator))
        let block = Array(new[start..<end])
        new.removeSubrange(start..<end)
        if generator.chance(0.8) {
          new.insert(contentsOf: block, at: Int.random(in: 0...new.count, using: &generator))
        }
        new.insert(Row(id: 1000 + step), at: Int.random(in: 0...new.count, using: &generator))
      }
      check(from: old, to: new.renewed())
      expectEqual(moves(from: old, to: new), fewestMoves(from: old, to: new))
    }
  }

  @Test func `D4 Long random lists keep the promises too`() {
    withEvery("seed", in: seeds(600)) { seed in
      var generator = SeededGenerator(seed: seed)
      let isUnique = seed.isMultiple(of: 2)
      let size = Int.random(in: 0...60, using: &generator)
      let ids = isUnique ? size : Int.random(in: 1...20, using: &generator)
      var old = (0..<size).map { Row(id: $0 % ids) }
      if generator.chance(0.5) { old.shuffle(using: &generator) }
      var new = old
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        edit(&new, isUnique: isUnique, using: &generator)
      }
      check(from: old, to: new)
      if isUnique { expectEqual(moves(from: old, to: new), fewestMoves(from: old, to: new)) }
    }
  }

  @Test func `D4 Copies are matched in order and the rest of them inserted or deleted`() {
    let old = [Row(id: 1, version: 1), Row(id: 2), Row(id: 1, version: 2)]
    let new = [
      Row(id: 2), Row(id: 1, version: 1), Row(id: 3), Row(id: 1, version: 2), Row(id: 1),
      Row(id: 4),
    ]
    let changes = ListDiff(from: old, to: new).changes
    expectEqual(changes.moves.count, 1)
    expectEqual(changes.inserts, [path(2), path(4), path(5)])
    expectEqual(changes.updates, [])
    expectEqual(changes.deletes, [])
  }

  @Test func `D4 The first copy is the first also where the lists run side by side at a later one`()
  {
    let changes = ListDiff(from: [1, 2, 3, 4, 5, 0, 6], to: [0, 7, 8, 9, 10, 0, 11]).changes
    expectEqual(changes.deletes, [0, 1, 2, 3, 4, 6].map { path($0) })
    expectEqual(changes.inserts, (1...6).map { path($0) })
    expectEqual(sources(changes, old: 7, new: 7), [5] + Array(repeating: nil, count: 6))
  }

  @Test func `D4 Copies keep their order wherever a diff without moves is possible`() {
    let lists = sequences(of: [0, 1], upTo: 5)
    withEvery("list", in: lists) { list in
      withEvery("others", in: subsets(of: Array(list.indices))) { kept in
        let part = kept.map { list[$0] }
        let changes = ListDiff(from: list, to: part).changes
        expectEqual(changes.inserts, [])
        expectEqual(changes.updates, [])
        expectEqual(changes.deletes.count, list.count - part.count)
      }
    }
  }

  @Test func `D4 Duplicates are data`() {
    let diff = ListDiff(from: [7, 8, 7, 9], to: [9, 8, 9, 5, 5, 5])
    expectEqual(diff.duplicates.map(\.identifier), [7, 9, 5])
    expectEqual(diff.duplicates.map(\.oldPositions), [[0, 2], [3], []])
    expectEqual(diff.duplicates.map(\.newPositions), [[], [0, 2], [3, 4, 5]])
    #expect(ListDiff(from: [1, 2], to: [2, 3]).duplicates.isEmpty)
  }

  @Test func `Lists that are equal have no changes, and their ids are not hashed`() {
    let counter = Counter()
    let list = (0..<1000).map { Counted(id: $0, counter: counter) }
    #expect(ListDiff(from: list, to: list).changes.isEmpty)
    expectEqual(counter.hashes, 0)
    expectEqual(counter.comparisons, 1000)
  }

  @Test(arguments: [1, 100, 50_000, 100_000])
  func `The cost is not quadratic, however few ids there are`(distinct: Int) {
    let counter = Counter()
    var generator = SeededGenerator(seed: distinct)
    let size = 100_000
    func list() -> [Counted] {
      (0..<size).map { _ in
        Counted(id: Int.random(in: 0..<distinct, using: &generator), counter: counter)
      }
    }
    let changes = ListDiff(from: list(), to: list()).changes
    #expect(changes.moves.count + changes.deletes.count + changes.inserts.count <= 2 * size)
    #expect(counter.hashes <= 4 * size)
    #expect(counter.comparisons <= 16 * size)
  }

  @Test func `Identifiers with equal hashes are distinguished`() {
    struct Alike: Hashable, Sendable {
      let id: Int
      func hash(into hasher: inout Hasher) {}
    }
    let lists = subsets(of: [0, 1, 2, 3]).flatMap { permutations(of: $0) }
    withEvery("old", in: lists) { old in
      withEvery("new", in: lists) { new in
        let changes = ListChanges(from: old, to: new, identifiedBy: { Alike(id: $0) }) { $0 == $1 }
        expectEqual(changes, ListDiff(from: old, to: new).changes)
      }
    }
  }

  @Test func `Closures can replace a conformance`() {
    let old = [(id: 1, name: "a"), (id: 2, name: "b")]
    let new = [(id: 2, name: "B")]
    let changes = ListChanges(from: old, to: new, identifiedBy: \.id) { $0.name == $1.name }
    expectEqual(changes, ListChanges(deletes: [path(0)], updates: [change(1, 0)]))
    expectEqual(
      ListDiff(from: ["a", "b"], to: ["b", "a"]).changes.moves.count, 1)
  }

  /// Applies the changes and their inverse, and holds them to the rules.
  private func check(from old: [Row], to new: [Row]) {
    let changes = ListDiff(from: old, to: new).changes
    do {
      try changes.validate(old: [old.count], new: [new.count])
      try changes.inverted.validate(old: [new.count], new: [old.count])
    } catch {
      return recordIssue("\(changes) is refused: \(error)")
    }
    var list = old
    changes.apply(to: &list) { new[$0.row] }
    expectEqual(list, new)
    changes.inverted.apply(to: &list) { old[$0.row] }
    expectEqual(list, old)

    expectEqual(
      sources(changes, old: old.count, new: new.count),
      naiveSources(from: old.map(\.id), to: new.map(\.id)))
    for change in changes.updates {
      expectTrue(
        old[change.old.row] != new[change.new.row], "An update of \(change) changes nothing.")
    }
  }

  /// For each new row the old row it was, as the changes say.
  private func sources(_ changes: ListChanges, old: Int, new: Int) -> [Int?] {
    let moved = Dictionary(uniqueKeysWithValues: changes.moves.map { ($0.new, $0.old.row) })
    let updated = Dictionary(uniqueKeysWithValues: changes.updates.map { ($0.new, $0.old.row) })
    var list: [Int?] = Array(0..<old)
    changes.apply(to: &list) { moved[$0] ?? updated[$0] }
    return list
  }

  private func moves(from old: [Row], to new: [Row]) -> Int {
    ListDiff(from: old, to: new).changes.moves.count
  }

  private func fewestMoves(from old: [Row], to new: [Row]) -> Int {
    let old = old.map(\.id)
    let new = new.map(\.id)
    return Set(old).intersection(new).count - commonLength(old, new)
  }

  private func edit(
    _ list: inout [Row], isUnique: Bool, using generator: inout SeededGenerator
  ) {
    let position = Int.random(in: 0...list.count, using: &generator)
    let id =
      isUnique ? 1000 + list.count * 100 + position : Int.random(in: 0..<20, using: &generator)
    if position == list.count || generator.chance(0.25) {
      guard !list.contains(where: { $0.id == id }) || !isUnique else { return }
      list.insert(Row(id: id), at: position)
    } else if generator.chance(0.33) {
      list.remove(at: position)
    } else if generator.chance(0.5) {
      list[position].version += 1
    } else {
      let row = list.remove(at: position)
      list.insert(row, at: Int.random(in: 0...list.count, using: &generator))
    }
  }
}

/// Counts what is done with identifiers.
private final class Counter: @unchecked Sendable {  // used by one thread
  var hashes = 0
  var comparisons = 0
}

private struct Counted: Diffable {
  struct Identifier: Hashable, Sendable {
    let id: Int
    let counter: Counter

    static func == (left: Self, right: Self) -> Bool {
      left.counter.comparisons += 1
      return left.id == right.id
    }

    func hash(into hasher: inout Hasher) {
      counter.hashes += 1
      hasher.combine(id)
    }
  }

  let diffIdentifier: Identifier

  init(id: Int, counter: Counter) {
    diffIdentifier = Identifier(id: id, counter: counter)
  }

  func isContentEqual(to other: Self) -> Bool { true }
}
