extension ListPresentation.Pass {
  /// The pass as steps that are carried out one by one.
  ///
  ///     let diff = ListDiff(from: ["a", "b", "c", "d"], to: ["c", "b", "x"])
  ///     ListPresentation(of: diff).passes[0].steps
  ///     // [delete 0.3, delete 0.0, move 0.1 → 0.0, insert 0.2]
  ///
  /// First, rows are deleted, from the last to the first. Then sections are deleted, moved and
  /// inserted. Then rows are moved. Finally, rows are inserted, from the first to the last. A flat
  /// list has only steps of rows. A move is omitted if the other steps make it unnecessary.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of changes.
  public var steps: [ListPresentation.Step] {
    var steps: [ListPresentation.Step] = deletes.reversed().map { .deleteRow(at: $0) }

    steps += deletedSections.reversed().map { .deleteSection(at: $0) }
    let sections = movedSections.map { section in
      PositionChange(
        old: ListPath(section: 0, row: section.old - deletedSections._count(below: section.old)),
        new: ListPath(section: 0, row: section.new - insertedSections._count(below: section.new)))
    }
    steps += StepwiseMoves(sections).result.map { .moveSection(from: $0.old.row, to: $0.new.row) }
    steps += insertedSections.map { .insertSection(at: $0) }

    let removed = _merged(deletedSections, movedSections.map(\.old).sorted())
    // For each added section, the number of other sections before it.
    let gaps = _merged(insertedSections, movedSections.map(\.new)).enumerated().map { $1 - $0 }
    // A section that contains a moved row is neither deleted nor moved.
    func newSection(of section: Int) -> Int {
      let place = section - removed._count(below: section)
      return place + partitionPoint(gaps.count) { gaps[$0] > place }
    }
    let rows = moves.map { row in
      PositionChange(
        old: ListPath(
          section: newSection(of: row.old.section),
          row: row.old.row - deletes._rows(before: row.old)),
        new: ListPath(section: row.new.section, row: row.new.row - inserts._rows(before: row.new)))
    }
    steps += StepwiseMoves(rows).result.map { .moveRow(from: $0.old, to: $0.new) }
    steps += inserts.map { .insertRow(at: $0) }
    return steps
  }
}
