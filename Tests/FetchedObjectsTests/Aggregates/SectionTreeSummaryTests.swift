import EntityStore
import TestSupport
import Testing

@testable import FetchedObjects

/// Summaries in the nodes of a tree of sections; what they hold here is the number in a section's title.
@Suite(.oneThread) struct SectionTreeSummaryTests {
  private static func section(_ number: Int) -> ResultSection {
    ResultSection(
      key: SectionKey(order: [.integer(Int64(number))], title: "\(number)"),
      rows: RankTree(sorted: [RankEntry(prefix: 0, slot: 0)]))
  }

  private static func summary(_ values: [Int]) -> ResultSummary {
    var field = FieldSummary()
    for value in values { field.add(.integer(Int64(value))) }
    return ResultSummary([field])
  }

  private static func combine(_ parts: [ResultSummary]) -> ResultSummary {
    var field = FieldSummary()
    for part in parts { field.add(part.fields[0]) }
    return ResultSummary([field])
  }

  private func summary(of tree: SectionTree, visits: inout Int) -> ResultSummary {
    tree.summary { section in
      Self.summary([Int(section.key.title) ?? 0])
    } combine: { parts in
      visits += 1
      return Self.combine(parts)
    }
  }

  private func check(_ tree: SectionTree, _ array: [Int], _ note: String) {
    var visits = 0
    expectEqual(summary(of: tree, visits: &visits), Self.summary(array), note)
    visits = 0
    _ = summary(of: tree, visits: &visits)
    expectEqual(visits, 0, note)
  }

  @Test func `A summary is that of the sections, whatever has changed, in copies and in place`() {
    withEvery("seed", in: 0..<4) { seed in
      var random = SeededGenerator(seed: seed)
      var array = Array(0..<100)
      var tree = SectionTree(array.map(Self.section), keepsSummaries: true)
      var copies: [(tree: SectionTree, array: [Int])] = []
      for step in 0..<1500 {
        let position = Int.random(in: 0..<max(1, array.count), using: &random)
        let number = Int.random(in: -1000...1000, using: &random)
        if array.isEmpty || random.chance(step % 1000 < 500 ? 0.5 : 0.2) {
          array.insert(number, at: position)
          tree.insert(Self.section(number), at: position)
        } else if random.chance(0.5) {
          array[position] = number
          tree.replace(at: position, with: Self.section(number))
        } else {
          array.remove(at: position)
          tree.remove(at: position)
        }
        if random.chance(0.3) { check(tree, array, "step \(step)") }
        if random.chance(0.02) { copies.append((tree, array)) }
      }
      for (tree, array) in copies { check(tree, array, "copy") }
    }
  }

  @Test func `A tree that isn't asked again keeps no summary, and gives the same one`() {
    let tree = SectionTree((0..<1000).map(Self.section))
    for _ in 0..<2 {
      var visits = 0
      #expect(summary(of: tree, visits: &visits) == Self.summary(Array(0..<1000)))
      #expect(visits > 30)
    }
  }
}
