import ListDiffing
import TestSupport
import Testing

@Suite struct `Validating changes` {
  private typealias Parts = (
    deletedSections: [Int], insertedSections: [Int], movedSections: [PositionChange<Int>],
    updatedSections: [PositionChange<Int>], deletes: [ListPath], inserts: [ListPath],
    moves: [PositionChange<ListPath>], updates: [PositionChange<ListPath>]
  )

  /// A way to spoil valid changes; false if there is nothing to spoil.
  private typealias Spoil = @Sendable (inout Parts, inout SeededGenerator) -> Bool

  private static let spoils: [(name: String, spoil: Spoil)] = [
    ("drop a delete", { parts, generator in drop(from: &parts.deletes, using: &generator) }),
    ("drop an insert", { parts, generator in drop(from: &parts.inserts, using: &generator) }),
    (
      "drop an inserted section",
      { parts, generator in drop(from: &parts.insertedSections, using: &generator) }
    ),
    (
      "drop a deleted section",
      { parts, generator in drop(from: &parts.deletedSections, using: &generator) }
    ),
    ("repeat a delete", { parts, generator in copy(in: &parts.deletes, using: &generator) }),
    ("repeat a move", { parts, generator in copy(in: &parts.moves, using: &generator) }),
    ("repeat an update", { parts, generator in copy(in: &parts.updates, using: &generator) }),
    (
      "repeat a moved section",
      { parts, generator in copy(in: &parts.movedSections, using: &generator) }
    ),
    (
      "delete a row that is updated",
      { parts, generator in
        guard let update = parts.updates.randomElement(using: &generator) else { return false }
        parts.deletes.append(update.old)
        return true
      }
    ),
    (
      "move a section that is updated",
      { parts, generator in
        guard let update = parts.updatedSections.randomElement(using: &generator) else {
          return false
        }
        parts.movedSections.append(update)
        return true
      }
    ),
    ("an old path beyond the list", { parts, _ in set(&parts.deletes) { $0.row = 1000 } }),
    ("a new path beyond the list", { parts, _ in set(&parts.inserts) { $0.section = 50 } }),
    ("an old path below zero", { parts, _ in set(&parts.moves) { $0.old.row = -1 } }),
    ("a new section beyond the list", { parts, _ in set(&parts.insertedSections) { $0 = 50 } }),
    ("an old section below zero", { parts, _ in set(&parts.movedSections) { $0.old = -1 } }),
    ("an update that ends elsewhere", { parts, _ in set(&parts.updates) { $0.new.row += 1 } }),
    (
      "an update in another section", { parts, _ in set(&parts.updates) { $0.new.section += 1 } }
    ),
    (
      "an updated section elsewhere", { parts, _ in set(&parts.updatedSections) { $0.new += 1 } }
    ),
    (
      "two updates that change places",
      { parts, _ in
        guard
          let second = parts.updates.indices.dropFirst().first(where: {
            parts.updates[$0].old.section == parts.updates[$0 - 1].old.section
          })
        else { return false }
        let new = parts.updates[second].new
        parts.updates[second].new = parts.updates[second - 1].new
        parts.updates[second - 1].new = new
        return true
      }
    ),
    (
      "two updated sections that change places",
      { parts, _ in
        guard parts.updatedSections.count > 1 else { return false }
        let new = parts.updatedSections[0].new
        parts.updatedSections[0].new = parts.updatedSections[1].new
        parts.updatedSections[1].new = new
        return true
      }
    ),
  ]

  @Test(arguments: spoils.map(\.name))
  func `D3 Spoiled changes are refused`(name: String) throws {
    let spoil = try #require(Self.spoils.first { $0.name == name }?.spoil)
    var spoiled = 0
    withEvery("seed", in: 0..<1500) { seed in
      let test = SectionedCase(seed: seed)
      var generator = SeededGenerator(seed: seed)
      let changes = test.changes
      var parts: Parts = (
        changes.deletedSections, changes.insertedSections, changes.movedSections,
        changes.updatedSections, changes.deletes, changes.inserts, changes.moves, changes.updates
      )
      guard spoil(&parts, &generator) else { return }
      spoiled += 1
      let wrong = ListChanges(
        deletedSections: parts.0, insertedSections: parts.1, movedSections: parts.2,
        updatedSections: parts.3, deletes: parts.4, inserts: parts.5, moves: parts.6,
        updates: parts.7)
      do throws(ListChangesError) {
        try wrong.validate(old: test.old.map(\.rows.count), new: test.new.map(\.rows.count))
        recordIssue("\(wrong) passes.")
      } catch {
        expectTrue(error.description.hasSuffix("."), error.description)
      }
    }
    #expect(spoiled > 50)
  }

  @Test(arguments: [
    (
      ListChanges(deletes: [path(3)]), [3], [2],
      ListChangesError.oldRowOutOfRange(path(3), counts: PositionChange(old: 3, new: 2))
    ),
    (
      ListChanges(inserts: [path(1, 0)]), [3], [4],
      .newRowOutOfRange(path(1, 0), counts: PositionChange(old: nil, new: nil))
    ),
    (
      ListChanges(deletedSections: [1]), [3], [],
      .oldSectionOutOfRange(1, counts: PositionChange(old: 1, new: 0))
    ),
    (
      ListChanges(insertedSections: [-1]), [], [0],
      .newSectionOutOfRange(-1, counts: PositionChange(old: 0, new: 1))
    ),
    (
      ListChanges(deletes: [path(1)], updates: [change(1, 0)]), [2], [1], .oldRowRepeated(path(1))
    ),
    (ListChanges(inserts: [path(1)], moves: [change(0, 1)]), [2], [3], .newRowRepeated(path(1))),
    (
      ListChanges(deletedSections: [0], updatedSections: [PositionChange(old: 0, new: 0)]),
      [0, 0], [0], .oldSectionRepeated(0)
    ),
    (ListChanges(insertedSections: [0, 0]), [], [0, 0], .newSectionRepeated(0)),
    (ListChanges(), [0], [0, 0], .sectionCount(expected: 1, found: 2)),
    (
      ListChanges(updatedSections: [
        PositionChange(old: 0, new: 1), PositionChange(old: 1, new: 0),
      ]), [0, 0], [0, 0],
      .sectionsReordered(PositionChange(old: 0, new: 1), PositionChange(old: 1, new: 0))
    ),
    (
      ListChanges(insertedSections: [0], updatedSections: [PositionChange(old: 0, new: 2)]),
      [0, 0], [0, 0, 0],
      .sectionUpdateMisplaced(PositionChange(old: 0, new: 2), expected: 1)
    ),
    (ListChanges(deletedSections: [0]), [2], [], .deletedSectionKeepsRows(section: 0, count: 2)),
    (ListChanges(insertedSections: [0]), [], [2], .insertedSectionLacksRows(section: 0, count: 2)),
    (
      ListChanges(deletes: [path(0)]), [3], [3],
      .rowCount(section: PositionChange(old: 0, new: 0), expected: 2, found: 3)
    ),
    (
      ListChanges(updates: [change(0, 1), change(1, 0)]), [2], [2],
      .rowsReordered(change(0, 1), change(1, 0))
    ),
    (
      ListChanges(inserts: [path(0), path(1)], updates: [change(0, 3)]), [2], [4],
      .updateMisplaced(change(0, 3), expected: path(2))
    ),
    (
      ListChanges(inserts: [path(0), path(1, 0)], updates: [change(0, 2)]), [2, 1], [3, 2],
      .updateMisplaced(change(0, 2), expected: path(1))
    ),
    (
      ListChanges(deletes: [path(0)], inserts: [path(0), path(1)]), [3], [5],
      .rowCount(section: PositionChange(old: 0, new: 0), expected: 4, found: 5)
    ),
  ])
  func `D3 The error names the rule and the place`(
    changes: ListChanges, old: [Int], new: [Int], expected: ListChangesError
  ) {
    #expect(throws: expected) { try changes.validate(old: old, new: new) }
  }

  @Test(arguments: [
    (
      ListChanges(insertedSections: [0, 0], deletes: [path(9)]), [1], [0, 1],
      ListChangesError.newSectionRepeated(0)
    ),
    (ListChanges(deletes: [path(9)]), [1], [1, 1], .sectionCount(expected: 1, found: 2)),
    (
      ListChanges(updatedSections: [PositionChange(old: 0, new: 1)], deletes: [path(9)]),
      [1, 1], [1, 1], .sectionUpdateMisplaced(PositionChange(old: 0, new: 1), expected: 0)
    ),
    (ListChanges(deletes: [path(0), path(0)]), [2], [2], .oldRowRepeated(path(0))),
    (
      ListChanges(deletedSections: [1], inserts: [path(5)]), [1, 1], [2],
      .newRowOutOfRange(path(5), counts: PositionChange(old: 1, new: 2))
    ),
    (
      ListChanges(updates: [change(0, 0), change(1, 1), change(2, 0)]), [3], [2],
      .newRowRepeated(path(0))
    ),
    (
      ListChanges(updatedSections: (0..<3).map { PositionChange(old: $0, new: $0 % 2) }),
      [0, 0, 0], [0, 0], .newSectionRepeated(0)
    ),
    (
      ListChanges(updates: [change(0, 1)]), [2], [3],
      .rowCount(section: PositionChange(old: 0, new: 0), expected: 2, found: 3)
    ),
  ])
  func `D3 Of two broken rules that of sections is named, or else a or c before the others`(
    changes: ListChanges, old: [Int], new: [Int], expected: ListChangesError
  ) {
    #expect(throws: expected) { try changes.validate(old: old, new: new) }
  }

  @Test func `D3 Whatever passes can be applied and gives the new shape`() {
    let shapes: [[Int]] = [[], [0], [1], [2], [1, 1], [2, 1], [0, 2], [1, 0, 1]]
    var passed = 0
    withEvery("seed", in: seeds(60_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      guard let old = shapes.randomElement(using: &generator) else { return }
      let changes = Self.anyChanges(using: &generator)
      for new in shapes where (try? changes.validate(old: old, new: new)) != nil {
        passed += 1
        var list = old.enumerated().map { section, count in
          ListSection(header: section, rows: (0..<count).map { path(section, $0) })
        }
        changes.apply(to: &list, header: { -1 - $0 }, row: { path(-1 - $0.section, $0.row) })
        expectEqual(list.map(\.rows.count), new, "\(changes)")
        for update in changes.updates {
          expectEqual(
            list[update.new], path(-1 - update.new.section, update.new.row), "\(changes)")
        }
        for update in changes.updatedSections {
          expectEqual(list[update.new].header, -1 - update.new, "\(changes)")
        }
      }
    }
    #expect(passed > rounds(4_000))
  }

  @Test func `D3 An error names the rule, the place and both counts`() {
    let wrong = PositionChange<Int?>(old: 3, new: 1)
    let sentences: [(ListChangesError, String)] = [
      (
        .oldRowOutOfRange(path(7), counts: wrong),
        "Rule a: the old list has no row 0.7 (section 0: 3 rows before, 1 row after)."
      ),
      (
        .newRowOutOfRange(path(2, 7), counts: PositionChange(old: nil, new: 0)),
        "Rule a: the new list has no row 2.7 (section 2: none before, 0 rows after)."
      ),
      (
        .oldSectionOutOfRange(4, counts: PositionChange(old: 1, new: 2)),
        "Rule a: the old list has no section 4 (1 section before, 2 after)."
      ),
      (
        .rowsReordered(change(0, 1), change(1, 0)),
        "Rule b: rows 0.0 → 0.1 and 0.1 → 0.0 change their order, so one of them must be a move."
      ),
      (
        .newSectionOutOfRange(4, counts: PositionChange(old: 2, new: 1)),
        "Rule a: the new list has no section 4 (2 sections before, 1 after)."
      ),
      (
        .sectionsReordered(PositionChange(old: 0, new: 1), PositionChange(old: 1, new: 0)),
        "Rule b: sections 0 → 1 and 1 → 0 change their order, so one of them must be a move."
      ),
      (.oldRowRepeated(path(7)), "Rule c: row 0.7 of the old list is in two changes."),
      (.newRowRepeated(path(7)), "Rule c: row 0.7 of the new list is in two changes."),
      (.oldSectionRepeated(7), "Rule c: section 7 of the old list is in two changes."),
      (.newSectionRepeated(7), "Rule c: section 7 of the new list is in two changes."),
      (
        .sectionsOfFlatList,
        """
        Rule d: a flat list has no sections to change, so apply these changes to a sectioned list.
        """
      ),
      (
        .rowCount(section: PositionChange(old: 1, new: 0), expected: 3, found: 2),
        "Rule d: the changes leave 3 rows in section 1 → 0, and the new list has 2 there."
      ),
      (
        .insertedSectionLacksRows(section: 1, count: 4),
        "Rule e: section 1 is inserted, and 4 of its rows are neither inserted nor moved."
      ),
      (
        .sectionUpdateMisplaced(PositionChange(old: 0, new: 1), expected: 0),
        "Rule f: the updated section 0 → 1 did not move, so it is at 0."
      ),
      (
        .sectionCount(expected: 1, found: 2),
        "Rule d: the changes lead to 1 section, and the new list has 2."
      ),
      (
        .deletedSectionKeepsRows(section: 1, count: 4),
        "Rule e: section 1 is deleted, and 4 of its rows are neither deleted nor moved."
      ),
      (
        .updateMisplaced(change(0, 3), expected: path(2)),
        "Rule f: the updated row 0.0 → 0.3 did not move, so it is at 0.2."
      ),
    ]
    for (error, sentence) in sentences { expectEqual("\(error)", sentence) }
  }

  private static func drop<Value>(
    from values: inout [Value], using generator: inout SeededGenerator
  ) -> Bool {
    guard let position = values.indices.randomElement(using: &generator) else { return false }
    values.remove(at: position)
    return true
  }

  private static func copy<Value>(
    in values: inout [Value], using generator: inout SeededGenerator
  ) -> Bool {
    guard let value = values.randomElement(using: &generator) else { return false }
    values.append(value)
    return true
  }

  private static func set<Value>(_ values: inout [Value], _ change: (inout Value) -> Void) -> Bool {
    guard !values.isEmpty else { return false }
    change(&values[values.count - 1])
    return true
  }

  /// Some changes at small positions, seldom valid.
  private static func anyChanges(using generator: inout SeededGenerator) -> ListChanges {
    func some<Value>(_ make: () -> Value) -> [Value] {
      generator.chance(0.3)
        ? (0..<Int.random(in: 1...2, using: &generator)).map { _ in make() } : []
    }
    func section() -> Int { Int.random(in: 0...2, using: &generator) }
    func row() -> ListPath {
      ListPath(section: generator.chance(0.6) ? 0 : section(), row: section())
    }
    return ListChanges(
      deletedSections: some(section), insertedSections: some(section),
      movedSections: some { PositionChange(old: section(), new: section()) },
      updatedSections: some { PositionChange(old: section(), new: section()) },
      deletes: some(row), inserts: some(row),
      moves: some { PositionChange(old: row(), new: row()) },
      updates: some { PositionChange(old: row(), new: row()) })
  }
}
