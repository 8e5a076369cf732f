import ListDiffing
import TestSupport
import Testing

@Suite struct `Guarantees of a presentation` {
  /// Calls `body` with differences of all kinds: small ones, random ones, and such that move too
  /// much.
  private func withCases(_ body: (Showing) -> Void) {
    for lists in [SmallLists.unique, SmallLists.flat] {
      withEvery("old", in: lists) { old in
        withEvery("new", in: lists) { new in body(Showing(old, new.renewed())) }
      }
    }
    withEvery("seed", in: seeds(1000)) { seed in
      let lists = SectionedCase(seed: seed)
      body(Showing(lists.old, lists.new))
      body(Showing(lists.old, lists.new, changes: lists.changes))
    }
  }

  @Test func `D5 One pass is enough for two styles, and three for stages`() {
    withCases { showing in
      expectTrue(showing.presentation(.singlePass).passes.count <= 1)
      expectTrue(showing.presentation(.passThenReload).passes.count <= 1)
      expectTrue(showing.presentation(.stages).passes.count <= 3)
      for style in ListPresentation.Style.allCases {
        let presentation = showing.presentation(style)
        expectTrue(!presentation.passes.contains(where: \.isEmpty))
        expectEqual(presentation.isEmpty, showing.changes.isEmpty)
        let lists = presentation.lists(from: showing.old, to: showing.new)
        expectEqual(lists.count, presentation.passes.count)
        expectTrue(lists.isEmpty || lists.last == showing.new)
      }
    }
  }

  @Test func `D5 A single pass leaves nothing to reload, and moves nothing that changed`() {
    withCases { showing in
      let presentation = showing.exactPresentation(.singlePass)
      expectEqual(presentation.reloadedRows, [])
      expectEqual(presentation.reloadedHeaders, [])
      for pass in presentation.passes {
        for move in pass.moves { expectEqual(showing.old[move.old], showing.new[move.new]) }
        for move in pass.movedSections {
          expectEqual(showing.old[move.old], showing.new[move.new])
        }
      }
    }
  }

  @Test func `D5 Stages show every move as one, except where its positions are equal`() {
    withCases { showing in
      let (presentation, changes) = (showing.presentation(.stages), showing.changes)
      let passes = presentation.passes
      let moves = passes.map(\.moves.count).reduce(0, +)
      let sectionMoves = passes.map(\.movedSections.count).reduce(0, +)
      guard presentation != showing.presentation(.passThenReload) else {
        expectEqual(moves, changes.moves.count { $0.old != $0.new })
        expectEqual(sectionMoves, changes.movedSections.count { $0.old != $0.new })
        return
      }
      // What stages replace is what they insert and the changes don't.
      let replaced = passes.map(\.inserts.count).reduce(0, +) - changes.inserts.count
      let deleted = passes.map(\.deletes.count).reduce(0, +) - changes.deletes.count
      let inPlace = passes.map { Set($0.deletes).intersection($0.inserts).count }.reduce(0, +)
      expectEqual(moves + replaced, changes.moves.count)
      expectEqual(deleted, replaced)
      expectTrue(replaced <= inPlace, "\(changes) as \(passes)")

      let replacedSections =
        passes.map(\.insertedSections.count).reduce(0, +) - changes.insertedSections.count
      let sectionsInPlace = passes.map {
        Set($0.deletedSections).intersection($0.insertedSections).count
      }.reduce(0, +)
      expectEqual(sectionMoves + replacedSections, changes.movedSections.count)
      expectTrue(replacedSections <= sectionsInPlace, "\(changes) as \(passes)")
    }
  }

  @Test func `D5 One pass moves all that it may move`() {
    withCases { showing in
      let changes = showing.changes
      for pass in showing.presentation(.passThenReload).passes {
        let (goes, comes) = (Set(pass.deletedSections), Set(pass.insertedSections))
        expectEqual(
          pass.moves,
          changes.moves.filter {
            !goes.contains($0.old.section) && !comes.contains($0.new.section) && $0.old != $0.new
          })
        let oldTouched = Set((changes.deletes + changes.moves.map(\.old)).map(\.section))
        let newTouched = Set((changes.inserts + changes.moves.map(\.new)).map(\.section))
        expectEqual(
          pass.movedSections,
          changes.movedSections.filter {
            !oldTouched.contains($0.old) && !newTouched.contains($0.new) && $0.old != $0.new
          })
      }
    }
  }

  @Test func `D5 Each part is sorted, and no change is listed twice`() {
    withCases { showing in
      for style in ListPresentation.Style.allCases {
        let presentation = showing.presentation(style)
        expectAscending(presentation.reloadedRows)
        expectAscending(presentation.reloadedHeaders)
        for pass in presentation.passes {
          expectAscending(pass.deletedSections)
          expectAscending(pass.insertedSections)
          expectAscending(pass.movedSections.map(\.new))
          expectAscending(pass.deletes)
          expectAscending(pass.inserts)
          expectAscending(pass.moves.map(\.new))
        }
      }
    }
  }

  private func expectAscending(_ positions: [some Comparable]) {
    expectTrue(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, "\(positions)")
  }

  @Test func `D5 What comes in a pass isn't reloaded after it`() {
    withCases { showing in
      let presentation = showing.presentation(.passThenReload)
      guard let pass = presentation.passes.first else { return }
      let fresh = Set(pass.inserts)
      for path in presentation.reloadedRows {
        expectTrue(
          !fresh.contains(path) && !pass.insertedSections.contains(path.section), "\(path)")
      }
      for section in presentation.reloadedHeaders {
        expectTrue(!pass.insertedSections.contains(section), "\(section)")
      }
    }
  }

  @Test @MainActor
  func `D5 What the passes have drawn in its newest version isn't reloaded`() {
    withCases { showing in
      for style in ListPresentation.Style.allCases {
        let presentation = showing.exactPresentation(style)
        let (shown, new) = (drawn(presentation, of: showing), showing.new)
        guard shown.map(\.rows.count) == new.map(\.rows.count) else {
          return recordIssue("\(shown) is drawn of \(new).")
        }
        for path in presentation.reloadedRows {
          expectTrue(shown[path] != new[path], "\(path), \(style)")
        }
        for section in presentation.reloadedHeaders {
          expectTrue(shown[section].header != new[section].header, "\(section), \(style)")
        }
      }
    }
  }

  /// Returns what a host has drawn after the passes of a presentation.
  @MainActor
  private func drawn(_ presentation: ListPresentation, of showing: Showing) -> [Section] {
    let screen = HostScreen(SimulatedCollectionView.self, showing: showing.old)
    let lists = presentation.lists(from: showing.old, to: showing.new)
    for (pass, list) in zip(presentation.passes, lists) {
      screen.performBatchUpdates(pass, animated: false, updateData: { screen.data = list }) { _ in }
    }
    return screen.drawn
  }

  @Test func `D5 A section that stages replace is reloaded neither in its rows nor in its header`()
  {
    let old = [
      Section(header: Row(id: 10), rows: [Row(id: 2)]), Section(header: Row(id: 11), rows: []),
      Section(header: Row(id: 12), rows: [Row(id: 1)]), Section(header: Row(id: 13), rows: []),
      Section(header: Row(id: 14), rows: []),
    ]
    let new = [
      Section(header: Row(id: 13), rows: [Row(id: 2)]), Section(header: Row(id: 14), rows: []),
      Section(header: Row(id: 12, version: 1), rows: [Row(id: 1, version: 1)]),
    ]
    let shown = ListPresentation(of: SectionedListDiff(from: old, to: new), style: .stages)
    expectEqual(shown.passes.last?.insertedSections, [2])
    expectEqual(shown.reloadedRows, [])
    expectEqual(shown.reloadedHeaders, [])
  }

  @Test func `D5 A row that stages replace isn't reloaded`() {
    let changes = ListChanges(
      deletedSections: [1],
      moves: [change(0, 0), PositionChange(old: path(1, 0), new: path(0, 1))])
    let shown = ListPresentation(of: changes, sectionCount: 2, style: .stages)
    expectEqual(shown.passes.first?.inserts, [path(0)])
    expectEqual(shown.reloadedRows, [path(1)])
  }

  @Test func `D5 Only what looks different is reloaded, if the lists are asked`() {
    withCases { showing in
      let (old, new) = (showing.old, showing.new)
      let sameRows = Set(
        showing.changes.moves.filter { old[$0.old] == new[$0.new] }.map(\.new))
      let sameHeaders = Set(
        showing.changes.movedSections.filter { old[$0.old].header == new[$0.new].header }
          .map(\.new))
      for style in [ListPresentation.Style.passThenReload, .stages] {
        let all = showing.presentation(style)
        let exact = showing.exactPresentation(style)
        expectEqual(exact.passes, all.passes)
        expectEqual(exact.reloadedRows, all.reloadedRows.filter { !sameRows.contains($0) })
        expectEqual(exact.reloadedHeaders, all.reloadedHeaders.filter { !sameHeaders.contains($0) })
      }
    }
  }

  @Test func `D5 No changes are an empty presentation`() {
    for style in ListPresentation.Style.allCases {
      for count in [0, 1, 3] {
        let presentation = ListPresentation(of: ListChanges(), sectionCount: count, style: style)
        #expect(presentation.isEmpty)
        #expect(presentation.passes.isEmpty)
        #expect(presentation.reloadedRows.isEmpty && presentation.reloadedHeaders.isEmpty)
      }
    }
  }

  @Test func `D5 Each move is asked about once, whatever the style`() {
    let changes = ListDiff(from: [1, 2, 3, 4], to: [4, 3, 2, 1]).changes
    for style in ListPresentation.Style.allCases {
      var asked: [PositionChange<ListPath>] = []
      _ = ListPresentation(
        of: changes, style: style,
        isMovedRowChanged: {
          asked.append($0)
          return false
        })
      expectEqual(asked.count, 3)
      expectEqual(Set(asked).count, 3)
    }
  }

  @Test func `D5 Of a difference only what has fresh content is reloaded`() {
    let old = [1, 2, 3].map { Row(id: $0) }
    let new = [Row(id: 3), Row(id: 1, version: 1), Row(id: 2)]
    let shown = ListPresentation(of: ListDiff(from: old, to: new))
    expectEqual("\(shown.passes)", "[move 0.2 → 0.0]")
    expectEqual(shown.reloadedRows, [path(1)])
    let replaced = ListPresentation(of: ListDiff(from: old, to: new), style: .singlePass)
    expectEqual("\(replaced.passes)", "[delete 0.0, insert 0.1, move 0.2 → 0.0]")

    let before = [
      Section(header: Row(id: 1), rows: [Row(id: 1)]), Section(header: Row(id: 2), rows: []),
    ]
    let after = [Section(header: Row(id: 2, version: 1), rows: []), before[0]]
    let sections = ListPresentation(of: SectionedListDiff(from: before, to: after))
    expectEqual("\(sections.passes)", "[move section 1 → 0]")
    expectEqual(sections.reloadedHeaders, [0])
    expectEqual(sections.reloadedRows, [])
  }

  @Test func `Changes of more sections than there are trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = ListPresentation(of: ListChanges(inserts: [path(3, 0)]))
    }
    await #expect(processExitsWith: .failure) {
      _ = ListPresentation(
        of: ListChanges(updates: [PositionChange(old: path(1, 0), new: path(1, 0))]))
    }
    await #expect(processExitsWith: .failure) {
      _ = ListPresentation(of: ListChanges(updatedSections: [PositionChange(old: 1, new: 1)]))
    }
    await #expect(processExitsWith: .failure) {
      _ = ListPresentation(
        of: ListChanges(movedSections: [PositionChange(old: 0, new: 2)]), sectionCount: 2)
    }
  }
}
