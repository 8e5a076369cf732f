import ListDiffing
import TestSupport
import Testing

@Suite struct `Steps of a pass` {
  /// Carries out the steps of all passes, and looks at what they promise.
  private func check(_ showing: Showing, _ style: ListPresentation.Style = .passThenReload) {
    let presentation = showing.presentation(style)
    var outline = SimulatedOutline(showing: showing.old)
    for (pass, list) in zip(
      presentation.passes, presentation.lists(from: showing.old, to: showing.new))
    {
      checkOrder(pass)
      do {
        try outline.carryOut(pass.steps, data: list)
      } catch {
        return recordIssue("\(error) \(pass) as \(pass.steps). From \(showing.old).")
      }
    }
  }

  /// Looks at the order of the steps and at their number.
  private func checkOrder(_ pass: ListPresentation.Pass) {
    let steps = pass.steps
    let ranks = steps.map(rank)
    expectEqual(ranks, ranks.sorted(), "\(steps)")
    var rows = (deleted: [ListPath](), inserted: [ListPath](), moved: 0)
    var sections = (deleted: [Int](), inserted: [Int](), moved: 0)
    for step in steps {
      switch step {
      case .deleteRow(let path): rows.deleted.append(path)
      case .insertRow(let path): rows.inserted.append(path)
      case .deleteSection(let section): sections.deleted.append(section)
      case .insertSection(let section): sections.inserted.append(section)
      case .moveRow(let old, let new):
        rows.moved += 1
        expectTrue(old != new, "\(step) goes nowhere.")
      case .moveSection(let old, let new):
        sections.moved += 1
        expectTrue(old != new, "\(step) goes nowhere.")
      }
    }
    expectEqual(rows.deleted, pass.deletes.reversed())
    expectEqual(rows.inserted, pass.inserts)
    expectEqual(sections.deleted, pass.deletedSections.reversed())
    expectEqual(sections.inserted, pass.insertedSections)
    expectTrue(rows.moved <= pass.moves.count, "\(steps)")
    expectTrue(sections.moved <= pass.movedSections.count, "\(steps)")
  }

  /// Rows go; sections go, move and come; rows move; rows come.
  private func rank(_ step: ListPresentation.Step) -> Int {
    switch step {
    case .deleteRow: 0
    case .deleteSection: 1
    case .moveSection: 2
    case .insertSection: 3
    case .moveRow: 4
    case .insertRow: 5
    }
  }

  /// All orders of some of `ids`.
  private func arrangements(of ids: [Int]) -> [[Int]] {
    subsets(of: ids).flatMap { permutations(of: $0) }
  }

  @Test func `D5 Steps lead from six rows to any of them in any order`() {
    let old = SmallLists.section(Array(0..<6))
    withEvery("new", in: arrangements(of: Array(0..<6))) { new in
      check(Showing(old, SmallLists.section(new)))
    }
  }

  @Test func `D5 Steps lead from four rows to any of them among two others`() {
    let old = SmallLists.section(Array(0..<4))
    withEvery("new", in: arrangements(of: [0, 1, 2, 3, 8, 9])) { new in
      check(Showing(old, SmallLists.section(new)))
    }
  }

  @Test func `D5 Steps lead to the new list although more rows move than have to`() {
    for size in 0...6 {
      let old = SmallLists.section(Array(0..<size))
      withEvery("new", in: permutations(of: Array(0..<size))) { new in
        let moves = new.enumerated().map { PositionChange(old: path($1), new: path($0)) }
        check(Showing(old, SmallLists.section(new), changes: ListChanges(moves: moves)))
      }
    }
  }

  @Test func `D5 Steps lead from five sections to any of them among others`() {
    let old = (0..<5).map { Section(header: Row(id: $0), rows: [Row(id: $0)]) }
    withEvery("new", in: arrangements(of: [0, 1, 2, 3, 4, 9])) { new in
      check(Showing(old, new.map { Section(header: Row(id: $0), rows: [Row(id: $0)]) }))
    }
  }

  @Test func `D5 Steps move rows between two sections in any way`() {
    let lists = SmallLists.sectioned(
      rows: permutations(of: [1, 2, 3, 4]), headers: [[1, 2], [1, 2, 3]])
    let old = [
      Section(header: Row(id: 1), rows: [Row(id: 1), Row(id: 2)]),
      Section(header: Row(id: 2), rows: [Row(id: 3), Row(id: 4), Row(id: 5)]),
    ]
    withEvery("new", in: lists) { new in
      check(Showing(old, new))
      check(Showing(new, old), .stages)
    }
  }

  @Test func `D5 Steps of long random lists lead to the new list`() {
    withEvery("seed", in: seeds(1000)) { seed in
      let lists = LongLists(seed: seed)
      check(Showing(lists.old, lists.new))
      if seed.isMultiple(of: 4) { check(Showing(lists.old, lists.new), .stages) }
    }
  }

  @Test func `Steps that are written down are those of the documentation`() {
    let changes = ListDiff(from: "abcd".map(String.init), to: ["c", "b", "x"]).changes
    let pass = ListPresentation(of: changes).passes[0]
    expectEqual("\(pass.steps)", "[delete 0.3, delete 0.0, move 0.1 → 0.0, insert 0.2]")
  }

  @Test func `Steps read as sentences`() {
    let steps: [ListPresentation.Step] = [
      .deleteRow(at: path(0, 1)), .deleteSection(at: 2), .moveSection(from: 1, to: 0),
      .insertSection(at: 3), .moveRow(from: path(0, 1), to: path(1, 0)), .insertRow(at: path(2)),
    ]
    expectEqual(
      "\(steps)",
      "[delete 0.1, delete section 2, move section 1 → 0, insert section 3, move 0.1 → 1.0, "
        + "insert 0.2]")
  }
}

/// Up to 300 rows in up to six sections, and the same after some edits, few or many.
private struct LongLists {
  let old: [Section]
  let new: [Section]

  init(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let size = Int.random(in: 0...300, using: &generator)
    let headers = Array(0..<Int.random(in: 1...6, using: &generator))
    let ids = Array(0..<size)
    var kept = ids.filter { _ in !generator.chance(0.1) }
    if generator.chance(0.3) {
      kept.shuffle(using: &generator)
    } else {
      for _ in 0..<Int.random(in: 0...20, using: &generator) where !kept.isEmpty {
        let row = kept.remove(at: Int.random(in: kept.indices, using: &generator))
        kept.insert(row, at: Int.random(in: 0...kept.count, using: &generator))
      }
    }
    for id in 0..<Int.random(in: 0...20, using: &generator) {
      kept.insert(1000 + id, at: Int.random(in: 0...kept.count, using: &generator))
    }
    old = Self.list(ids, headers, using: &generator)
    let newHeaders = headers.filter { _ in !generator.chance(0.1) } + [9]
    new = Self.list(
      kept, generator.chance(0.5) ? headers : newHeaders.shuffled(using: &generator),
      using: &generator)
  }

  /// Cuts rows into sections at random places.
  private static func list(
    _ ids: [Int], _ headers: [Int], using generator: inout SeededGenerator
  ) -> [Section] {
    var cuts = [0, ids.count]
    for _ in headers.dropFirst() { cuts.append(Int.random(in: 0...ids.count, using: &generator)) }
    cuts.sort()
    return zip(headers, zip(cuts, cuts.dropFirst())).map { header, cut in
      Section(header: Row(id: header), rows: ids[cut.0..<cut.1].map { Row(id: $0) })
    }
  }
}
