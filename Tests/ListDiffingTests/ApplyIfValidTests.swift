import Foundation
import ListDiffing
import TestSupport
import Testing

@Suite struct `Changes that may not fit their list` {
  private struct Refusal: Error {}

  @Test func `D3 Changes that fit a flat list are applied, others throw and leave it untouched`() {
    withEvery("seed", in: seeds(4000)) { seed in
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...3, using: &generator)
      func some(_ chance: Double) -> [ListPath] {
        (0..<4).filter { _ in generator.chance(chance) }.map { path($0) }
      }
      let changes = ListChanges(
        deletes: some(0.2), inserts: some(0.2),
        updates: some(0.1).map { PositionChange(old: $0, new: $0) })
      let old = Array(100..<100 + count)
      let newCount = count - changes.deletes.count + changes.inserts.count
      let isValid =
        newCount >= 0 && (try? changes.validate(old: [count], new: [newCount])) != nil
      var list = old
      var isApplied = true
      do {
        try changes.applyIfValid(to: &list) { $0.row }
      } catch {
        isApplied = false
        expectTrue(error is ListChangesError, "\(error)")
      }
      expectEqual(isApplied, isValid, "\(changes)")
      expectEqual(list.count, isValid ? newCount : count)
      if !isValid { expectEqual(list, old) }
    }
  }

  @Test func `D3 Changes that fit sections are applied, others throw and leave them untouched`() {
    withEvery("seed", in: seeds(1500)) { seed in
      let lists = SectionedCase(seed: seed)
      let other = SectionedCase(seed: seed + 1).old
      let shape = lists.new.map(\.rows.count)
      for old in [lists.old, other] {
        var list = old
        let isApplied =
          (try? lists.changes.applyIfValid(
            to: &list, header: { lists.new[$0].header }, row: { lists.new[$0] })) != nil
        if isApplied {
          expectEqual(list.map(\.rows.count).count, old.count - lists.old.count + shape.count)
        } else {
          expectEqual(list, old)
        }
        if old == lists.old { expectEqual(list, lists.new) }
      }
    }
  }

  @Test func `A flat list has no sections to change`() {
    var list = [1]
    for changes in [
      ListChanges(insertedSections: [1]),
      ListChanges(updatedSections: [PositionChange(old: 0, new: 0)]),
    ] {
      #expect(throws: ListChangesError.sectionsOfFlatList) {
        try changes.applyIfValid(to: &list) { $0.row }
      }
    }
    expectEqual(list, [1])
  }

  @Test func `What the closures throw passes through, and the list is as it was`() {
    var list = [1, 2]
    #expect(throws: Refusal.self) {
      try ListChanges(inserts: [path(0)]).applyIfValid(to: &list) { _ in throw Refusal() }
    }
    expectEqual(list, [1, 2])
    var sections = [ListSection(header: 1, rows: [1])]
    #expect(throws: Refusal.self) {
      try ListChanges(insertedSections: [0]).applyIfValid(
        to: &sections, header: { _ in throw Refusal() }, row: { $0.row })
    }
    expectEqual(sections, [ListSection(header: 1, rows: [1])])
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test func `A written part of another name is refused and named, one that is missing is empty`()
    throws
  {
    #expect(try decode(ListChanges.self, "{}").isEmpty)
    let changes = try decode(ListChanges.self, #"{"deletes": [{"section": 0, "row": 1}]}"#)
    expectEqual(changes, ListChanges(deletes: [path(1)]))
    for text in [#"{"insert": []}"#, #"{"inserts": [], "delets": []}"#] {
      let name = text.contains("delets") ? "delets" : "insert"
      let error = #expect(throws: DecodingError.self) { try decode(ListChanges.self, text) }
      #expect("\(String(describing: error))".contains("There is no part \"\(name)\""))
    }
  }

  @Test func `D2 In debug an update that ends elsewhere traps in apply too`() async throws {
    #if DEBUG
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = [1, 2]
      ListChanges(updates: [change(0, 1)]).apply(to: &list) { $0.row }
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("Rule f: the updated row 0.0 → 0.1 did not move, so it is at 0.0."))
    #endif
  }

  @Test func `Offsets lead into a host's section and row`() {
    withEvery("seed", in: seeds(500)) { seed in
      let lists = SectionedCase(seed: seed)
      let (sections, rows) = (seed % 3, lists.changes.hasSectionChanges ? 0 : seed % 2)
      func shown(_ list: [Section]) -> [Section] {
        let before = (0..<sections).map { Section(header: Row(id: -1 - $0), rows: [Row(id: -9)]) }
        return before
          + list.map { section in
            Section(
              header: section.header,
              rows: Array(repeating: Row(id: -9), count: rows) + section.rows)
          }
      }
      var list = shown(lists.old)
      let changes = lists.changes.offset(sections: sections, rows: rows)
      changes.apply(
        to: &list, header: { lists.new[$0 - sections].header },
        row: { lists.new[$0.offset(sections: -sections, rows: -rows)] })
      expectEqual(list, shown(lists.new))
    }
  }

  @Test func `An offset below zero traps`() async {
    await #expect(processExitsWith: .failure) { _ = ListChanges().offset(rows: -1) }
    await #expect(processExitsWith: .failure) { _ = ListChanges().offset(sections: -1) }
  }
}
