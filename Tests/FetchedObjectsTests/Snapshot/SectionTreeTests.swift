import EntityStore
import TestSupport
import Testing

@testable import FetchedObjects

@Suite(.oneThread) struct SectionTreeTests {
  /// A section that is told from others by a number, and has some rows.
  private static func section(_ number: Int, rows: Int) -> ResultSection {
    ResultSection(
      key: SectionKey(order: [.integer(Int64(number))], title: "\(number)"),
      rows: RankTree(
        sorted: ContiguousArray(
          (0..<rows).map { RankEntry(prefix: UInt64($0), slot: UInt32($0)) })))
  }

  private static func number(_ section: ResultSection) -> Int {
    Int(section.key.title) ?? -1
  }

  /// The tree holds what the array does, however it is asked.
  private func check(_ tree: SectionTree, _ array: [(number: Int, rows: Int)], _ note: String) {
    expectEqual(tree.array.map(Self.number), array.map(\.number), note)
    expectEqual(tree.count, array.count, note)
    expectEqual(tree.weight, array.reduce(0) { $0 + $1.rows }, note)
    var rows = 0
    for position in stride(from: 0, to: array.count, by: max(1, array.count / 40)) {
      rows = array[..<position].reduce(0) { $0 + $1.rows }
      expectEqual(Self.number(tree[position]), array[position].number, note)
      expectEqual(tree.weight(before: position), rows, note)
      for row in [0, array[position].rows - 1] {
        let found = tree.position(ofWeight: rows + row)
        expectEqual(found.position, position, note)
        expectEqual(found.rest, row, note)
      }
    }
    expectEqual(tree.weight(before: array.count), tree.weight, note)
  }

  @Test func `A tree of any size is read as it was built`() {
    for count in [0, 1, 2, 23, 24, 25, 31, 32, 33, 576, 577, 1000, 20_000] {
      let array = (0..<count).map { (number: $0, rows: 1 + $0 % 3) }
      let tree = SectionTree(array.map { Self.section($0.number, rows: $0.rows) })
      tree.checkInvariants()
      check(tree, array, "\(count) sections")
      for position in stride(from: 0, to: count, by: max(1, count / 50)) {
        #expect(tree.partitioningIndex { Self.number($0) >= position } == position)
      }
      #expect(tree.partitioningIndex { _ in false } == count)
    }
  }

  @Test func `It does what an array does, and copies keep what they had`() {
    for seed in seeds(4) {
      var random = SeededGenerator(seed: UInt64(seed))
      var array: [(number: Int, rows: Int)] = []
      var tree = SectionTree()
      var copies: [(tree: SectionTree, array: [(number: Int, rows: Int)])] = []
      // Grows, shrinks to nothing and grows again.
      for step in 0..<4000 {
        let grows = step % 2000 < 1000
        let rows = Int.random(in: 1...4, using: &random)
        if array.isEmpty || random.chance(grows ? 0.7 : 0.25) {
          let position = Int.random(in: 0...array.count, using: &random)
          array.insert((step, rows), at: position)
          tree.insert(Self.section(step, rows: rows), at: position)
        } else if random.chance(0.8) {
          let position = Int.random(in: 0..<array.count, using: &random)
          array.remove(at: position)
          tree.remove(at: position)
        } else {
          let position = Int.random(in: 0..<array.count, using: &random)
          array[position] = (-step, rows)
          tree.replace(at: position, with: Self.section(-step, rows: rows))
        }
        if step % 97 == 0 {
          tree.checkInvariants()
          copies.append((tree, array))
        }
      }
      for copy in copies { check(copy.tree, copy.array, "a copy, seed \(seed)") }
      check(tree, array, "seed \(seed)")
    }
  }
}
