import ListDiffing
import TestSupport
import Testing

@MainActor
@Suite struct `Presentations on simulated hosts` {
  private func checkAll(_ lists: [[Section]], _ check: (Showing) -> Void) {
    withEvery("old", in: lists) { old in
      withEvery("new", in: lists) { new in check(Showing(old, new.renewed())) }
    }
  }

  @Test func `D5 Every difference of small lists with unique rows is shown by every host`() {
    checkAll(SmallLists.unique) { $0.check() }
  }

  @Test func `D5 Every difference of small lists with copies is shown by every host`() {
    checkAll(SmallLists.copies) { $0.check() }
  }

  @Test func `D5 Every difference of sections without rows is shown by every host`() {
    checkAll(SmallLists.headersOnly) { $0.check() }
  }

  @Test func `D5 Every difference of small flat lists is shown by every host`() {
    for lists in [SmallLists.flat, SmallLists.flatCopies] {
      checkAll(lists) {
        $0.check()
        $0.checkFlat()
      }
    }
  }

  @Test func `D5 Random differences are shown by every host`() {
    withEvery("seed", in: seeds(2000)) { seed in
      let lists = SectionedCase(seed: seed)
      Showing(lists.old, lists.new).check()
    }
  }

  @Test func `D5 Changes that move more than they have to are shown by every host`() {
    withEvery("seed", in: seeds(2000)) { seed in
      let lists = SectionedCase(seed: seed)
      Showing(lists.old, lists.new, changes: lists.changes).check()
    }
  }

  @Test func `D5 A list where all moves, also to where it is, is shown by every host`() {
    let orders = permutations(of: [0, 1, 2, 3])
    withEvery("new", in: orders) { order in
      let rows = order.enumerated().map { PositionChange(old: path($1), new: path($0)) }
      let sections = order.enumerated().map { PositionChange(old: $1, new: $0) }
      Showing(
        SmallLists.section([0, 1, 2, 3]), SmallLists.section(order), changes: .init(moves: rows)
      ).check()
      let old = (0..<4).map { Section(header: Row(id: $0), rows: [Row(id: $0), Row(id: 10 + $0)]) }
      Showing(old, order.map { old[$0] }.renewed(), changes: renewing(sections, old: old)).check()
    }
  }

  @Test func `D5 A row that a pass replaces isn't reloaded, not even in a diffable source`() {
    let old = [Section(header: Row(id: 1), rows: [Row(id: 5)])]
    let new = [
      Section(header: Row(id: 1), rows: []),
      Section(header: Row(id: 2), rows: [Row(id: 5, version: 1)]),
    ]
    let presentation = Showing(old, new).presentation(.passThenReload)
    expectEqual("\(presentation.passes)", "[insert section 1, delete 0.0]")
    expectEqual(presentation.reloadedRows, [])
    // So a source that keeps what it has drawn of an identifier looks at what the pass inserts.
    let screen = HostScreen(SimulatedDiffableSource.self, showing: old)
    screen.performBatchUpdates(
      presentation.passes[0], animated: true, updateData: { screen.data = new }
    ) { _ in }
    expectEqual(screen.drawn, new)
    expectEqual(screen.shownRowCounts, [0, 1])
  }

  /// Changes in which all sections move, each row of them being updated if it has an odd identity.
  private func renewing(_ sections: [PositionChange<Int>], old: [Section]) -> ListChanges {
    let updates = sections.flatMap { section in
      old[section.old].rows.indices.filter { old[section.old].rows[$0].id % 2 == 1 }.map {
        PositionChange(old: path(section.old, $0), new: path(section.new, $0))
      }
    }
    return ListChanges(movedSections: sections, updates: updates)
  }
}
