import ListDiffing
import TestSupport
import Testing

@Suite struct `A difference of lists with sections` {
  /// D1 to D3, and that carrying the changes out and back gives the lists.
  private func check(_ old: [Section], _ new: [Section]) {
    let changes = SectionedListDiff(from: old, to: new).changes
    do {
      try changes.validate(old: old.map(\.rows.count), new: new.map(\.rows.count))
    } catch {
      Issue.record("\(old) to \(new): \(error)")
      return
    }
    var list = old
    changes.apply(to: &list, header: { new[$0].header }) { new[$0] }
    expectEqual(list, new)
    changes.inverted.apply(to: &list, header: { old[$0].header }) { old[$0] }
    expectEqual(list, old)
    expectEqual(SectionedListDiff(from: old, to: old).changes.isEmpty, true)
  }

  /// The fewest moves of sections, and given these of rows, for unique identifiers.
  private func fewestMoves(_ old: [Section], _ new: [Section]) -> [Int] {
    let (oldHeaders, newHeaders) = (old.map(\.header.id), new.map(\.header.id))
    let sections =
      Set(oldHeaders).intersection(newHeaders).count - commonLength(oldHeaders, newHeaders)
    let rows = Set(old.flatMap(\.rows).map(\.id)).intersection(new.flatMap(\.rows).map(\.id)).count
    let staying = old.map { section -> Int in
      guard let other = new.first(where: { $0.header.id == section.header.id }) else { return 0 }
      return commonLength(section.rows.map(\.id), other.rows.map(\.id))
    }
    return [sections, rows - staying.reduce(0, +)]
  }

  private func moves(_ old: [Section], _ new: [Section]) -> [Int] {
    let changes = SectionedListDiff(from: old, to: new).changes
    return [changes.movedSections.count, changes.moves.count]
  }

  @Test func `D4 Unique rows in unique sections go anywhere, with the fewest moves`() {
    let all = SmallLists.unique
    withEvery("old", in: all) { old in
      withEvery("new", in: all) { new in
        check(old, new.renewed())
        expectEqual(moves(old, new), fewestMoves(old, new))
      }
    }
  }

  @Test func `D4 Copies of rows and of sections lead from any list to any other`() {
    let all = SmallLists.copies
    withEvery("old", in: all) { old in
      withEvery("new", in: all) { new in check(old, new.renewed()) }
    }
  }

  @Test func `D4 Copies are matched in their section first, the rest in the order of the sections`()
  {
    let all = SmallLists.copies
    withEvery("old", in: all) { old in
      withEvery("new", in: all) { new in
        expectEqual(sources(old, new.renewed()), naiveSources(old, new))
      }
    }
  }

  @Test func `D4 A row that left the first section is the first copy, wherever the sections go`() {
    func section(_ id: Int, _ rows: [Row]) -> Section { Section(header: Row(id: id), rows: rows) }
    let old = [section(1, []), section(2, [Row(id: 7)]), section(3, [Row(id: 7, version: 1)])]
    for new in [
      [section(1, [Row(id: 7)]), section(3, [])], [section(3, []), section(1, [Row(id: 7)])],
    ] {
      let changes = SectionedListDiff(from: old, to: new).changes
      expectEqual(changes.moves.map(\.old), [path(1, 0)])
      expectEqual(changes.deletes, [path(2, 0)])
    }
  }

  @Test func `Content is compared once where nothing moved, the old with the new, else never`() {
    withEvery("seed", in: seeds(1000)) { seed in
      let lists = SectionedCase(seed: seed)
      var (headers, rows): ([[Row]], [[Row]]) = ([], [])
      let changes = ListChanges(
        from: lists.old, to: lists.new, sectionsIdentifiedBy: \.id, rowsIdentifiedBy: \.id,
        isHeaderEqual: {
          headers.append([$0, $1])
          return $0 == $1
        },
        isContentEqual: {
          rows.append([$0, $1])
          return $0 == $1
        })
      expectPairs(
        headers, lists.old.map(\.header), lists.new.map(\.header),
        moved: Set(changes.movedSections.map { lists.new[$0.new].header }))
      let (old, new) = (lists.old.flatMap(\.rows), lists.new.flatMap(\.rows))
      expectPairs(rows, old, new, moved: Set(changes.moves.map { lists.new[$0.new] }))
      rows = []
      let flat = ListChanges(from: old, to: new, identifiedBy: \.id) {
        rows.append([$0, $1])
        return $0 == $1
      }
      expectPairs(rows, old, new, moved: Set(flat.moves.map { new[$0.new.row] }))
    }
  }

  /// Expects that each row of both lists that isn't moved has been compared with its newer self.
  private func expectPairs(_ found: [[Row]], _ old: [Row], _ new: [Row], moved: Set<Row>) {
    let older = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    let pairs = new.filter { !moved.contains($0) }.compactMap { row in
      older[row.id].map { [$0, row] }
    }
    func sorted(_ pairs: [[Row]]) -> [[Row]] { pairs.sorted { $0[0].id < $1[0].id } }
    expectEqual(sorted(found), sorted(pairs))
  }

  /// For each new row the old path it had, as the changes say.
  private func sources(_ old: [Section], _ new: [Section]) -> [[ListPath?]] {
    let changes = SectionedListDiff(from: old, to: new).changes
    let sources = Dictionary(
      uniqueKeysWithValues: (changes.moves + changes.updates).map { ($0.new, $0.old) })
    var list = old.enumerated().map { section, content in
      ListSection(
        header: 0, rows: content.rows.indices.map { Optional(path(section, $0)) })
    }
    changes.apply(to: &list, header: { $0 }) { sources[$0] }
    return list.map(\.rows)
  }

  /// The same from the identities: sections, then the rows in each, then all that are left, in order.
  private func naiveSources(_ old: [Section], _ new: [Section]) -> [[ListPath?]] {
    var free = old.enumerated().flatMap { section, content in
      content.rows.indices.map { path(section, $0) }
    }
    let origins = ListDiffingTests.naiveSources(
      from: old.map(\.header.id), to: new.map(\.header.id))
    var sources = zip(new, origins).map { content, origin -> [ListPath?] in
      guard let origin else { return content.rows.map { _ in nil } }
      return ListDiffingTests.naiveSources(
        from: old[origin].rows.map(\.id), to: content.rows.map(\.id)
      ).map { row in row.map { path(origin, $0) } }
    }
    let taken = Set(sources.joined().compactMap(\.self))
    free.removeAll { taken.contains($0) }
    for section in new.indices {
      for (row, value) in new[section].rows.enumerated() where sources[section][row] == nil {
        guard let first = free.firstIndex(where: { old[$0].id == value.id }) else { continue }
        sources[section][row] = free.remove(at: first)
      }
    }
    return sources
  }

  @Test func `D4 Random lists keep the promises too`() {
    withEvery("seed", in: seeds(3000)) { seed in
      let lists = SectionedCase(seed: seed)
      check(lists.old, lists.new)
      expectEqual(moves(lists.old, lists.new), fewestMoves(lists.old, lists.new))
    }
  }

  @Test func `A row that changes section is a move, also where its paths are equal`() {
    let old = [
      Section(header: Row(id: 1), rows: [Row(id: 10)]), Section(header: Row(id: 2), rows: []),
    ]
    let new = [
      Section(header: Row(id: 2), rows: [Row(id: 10)]), Section(header: Row(id: 1), rows: []),
    ]
    let changes = SectionedListDiff(from: old, to: new).changes
    expectEqual(changes.movedSections.count, 1)
    expectEqual(changes.moves, [PositionChange(old: path(0, 0), new: path(0, 0))])
  }

  @Test func `The rows of a moved section are listed only if they change`() {
    let old = (0..<3).map { id in
      Section(header: Row(id: id), rows: (0..<3).map { Row(id: id * 10 + $0) })
    }
    var new = [old[2], old[0], old[1]]
    new[0].rows[1].version = 1
    let changes = SectionedListDiff(from: old, to: new).changes
    expectEqual(changes.movedSections, [PositionChange(old: 2, new: 0)])
    expectEqual(changes.updates, [PositionChange(old: path(2, 1), new: path(0, 1))])
    expectEqual(changes.count, 2)
  }

  @Test func `Duplicates are data, with their paths`() {
    let old = [
      Section(header: Row(id: 1), rows: [Row(id: 7), Row(id: 8)]),
      Section(header: Row(id: 2), rows: [Row(id: 7)]),
    ]
    let new = [
      Section(header: Row(id: 1), rows: [Row(id: 8)]), Section(header: Row(id: 1), rows: []),
    ]
    let diff = SectionedListDiff(from: old, to: new)
    expectEqual(diff.duplicates.map(\.identifier), [7])
    expectEqual(diff.duplicates.first?.oldPaths, [path(0, 0), path(1, 0)])
    expectEqual(diff.duplicates.first?.newPaths, [])
    expectEqual("\(diff.duplicates)", "[7 at [0.0, 1.0], then at []]")
    expectEqual("\(ListDiff(from: [1], to: [1, 1]).duplicates)", "[1 at [0], then at [0, 1]]")
    expectEqual(diff.duplicateSections.map(\.identifier), [1])
    expectEqual(diff.duplicateSections.first?.newPositions, [0, 1])
    check(old, new)
  }

  @Test func `It reads as its documentation says`() {
    let old = [ListSection(header: "Ann", rows: [1, 2]), ListSection(header: "Bob", rows: [3])]
    let new = [ListSection(header: "Bob", rows: [3, 1]), ListSection(header: "Ann", rows: [2])]
    let diff = SectionedListDiff(from: old, to: new)
    expectEqual("\(diff.changes)", "move section 1 → 0, move 0.0 → 0.1")
    var list = old
    diff.changes.apply(to: &list, header: { new[$0].header }) { new[$0] }
    expectEqual(list, new)
  }

  @Test func `An identifier leads to its paths, the first of its copies`() {
    let old = [
      Section(header: Row(id: 1), rows: [Row(id: 7), Row(id: 8)]),
      Section(header: Row(id: 2), rows: [Row(id: 7), Row(id: 9)]),
    ]
    let new = [Section(header: Row(id: 2), rows: [Row(id: 5), Row(id: 9)])]
    let paths = SectionedListDiff(from: old, to: new).paths
    expectEqual(
      [7, 8, 9, 5].map { paths.oldPath(for: $0) }, [path(0, 0), path(0, 1), path(1, 1), nil])
    expectEqual([7, 8, 9, 5].map { paths.newPath(for: $0) }, [nil, nil, path(0, 1), path(0, 0)])
    let flat = ListDiff(from: [1, 2], to: [2, 3]).paths
    expectEqual(flat.oldPath(for: 2), path(1))
    expectEqual(flat.newPath(for: 2), path(0))
    expectEqual(flat.newPath(for: 1), nil)
  }

  @Test func `Closures can replace a conformance`() {
    let changes = ListChanges(
      from: [ListSection(header: "A", rows: [1.0, 2.0])],
      to: [ListSection(header: "a", rows: [2.0])], sectionsIdentifiedBy: { $0.lowercased() },
      rowsIdentifiedBy: { $0 }, isHeaderEqual: { $0 == $1 }, isContentEqual: { $0 == $1 })
    expectEqual("\(changes)", "update section 0 → 0, delete 0.0")
  }
}
