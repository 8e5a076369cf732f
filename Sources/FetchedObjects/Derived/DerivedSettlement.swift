internal import ListDiffing

/// The changes of a list that leaves out rows of its source.
///
/// F3 and F4 hold for the included rows. A row that moved only over rows that are left out hasn't
/// moved. So this decides again which rows stay, among the rows that the source's changes name. It
/// does the same for sections, which appear with their first row and disappear with their last.
struct DerivedSettlement<Row: Diffable & Sendable> {
  /// The changes in one section.
  private struct Section {
    /// The positions in the source, and in the derived list if the section is visible there.
    let oldSource: Int?
    let newSource: Int?
    let old: Int?
    let new: Int?
  }

  private let step: DerivationStep<Row>
  private var sections: [Section] = []
  /// The touched rows, by the positions of their sections in `sections`.
  private var tally = RowTally()
  private var byOld: [Int: Int] = [:]
  private var byNew: [Int: Int] = [:]

  init(_ step: DerivationStep<Row>) {
    self.step = step
    for row in step.touched { touch(row) }
    let source = step.source
    for section in source.deletedSections { _ = self.section(old: section) }
    for section in source.insertedSections { _ = self.section(new: section) }
    for change in source.movedSections { _ = self.section(old: change.old) }
    for change in source.updatedSections { _ = self.section(old: change.old) }
    if let movable = step.movable {
      for section in movable.before { _ = self.section(old: section) }
      for section in movable.after { _ = self.section(new: section) }
    }
  }

  // MARK: Touched sections

  private mutating func section(old: Int) -> Int {
    byOld[old] ?? add(old, step.positions.new(of: old))
  }

  private mutating func section(new: Int) -> Int {
    byNew[new] ?? add(step.positions.old(of: new), new)
  }

  private mutating func add(_ old: Int?, _ new: Int?) -> Int {
    let (before, after) = (step.before, step.after)
    sections.append(
      Section(
        oldSource: old, newSource: new,
        old: old.flatMap { before[$0].isIncluded ? before.includedCount(before: $0) : nil },
        new: new.flatMap { after[$0].isIncluded ? after.includedCount(before: $0) : nil }))
    tally.addSection()
    if let old { byOld[old] = sections.count - 1 }
    if let new { byNew[new] = sections.count - 1 }
    return sections.count - 1
  }

  // MARK: Rows

  private mutating func touch(_ row: DerivationStep<Row>.Touched) {
    let oldIndex = row.before == nil ? nil : row.oldPath.map { section(old: $0.section) }
    let newIndex = row.after == nil ? nil : row.newPath.map { section(new: $0.section) }
    let old = oldIndex.flatMap { index in
      row.oldPath.flatMap { place($0, index, at: sections[index].old, in: step.before) }
    }
    let new = newIndex.flatMap { index in
      row.newPath.flatMap { place($0, index, at: sections[index].new, in: step.after) }
    }
    tally.add(old, new, isSame: row.isSame, differs: !row.isEqual)
  }

  /// Returns the place of a row, or nil if its section isn't visible.
  private func place(
    _ path: ListPath, _ index: Int, at section: Int?, in list: CountedTree<DerivedCells<Row>>
  ) -> RowTally.Place? {
    let row = list[path.section].cells.includedCount(before: path.row)
    return section.map { (path: ListPath(section: $0, row: row), section: index) }
  }

  // MARK: The result

  mutating func result() -> ListChanges {
    tally.settleRows()
    var tallied = SectionTally()
    // A section that the source moves moves here, too, even if what is known of its order is from
    // an event long ago: one that changed nothing that is visible.
    let sourceMoves = Set(step.source.movedSections.map(\.old))
    for section in sections {
      let mayMove = section.oldSource.map(sourceMoves.contains) ?? false
      tallied.add(
        place(section.old, section.oldSource, in: step.before),
        place(section.new, section.newSource, in: step.after),
        mayMove: step.movable != nil || mayMove)
    }
    return tallied.changes(with: tally)
  }

  /// Returns the place of a section, or nil if it isn't visible.
  private func place(
    _ position: Int?, _ source: Int?, in list: CountedTree<DerivedCells<Row>>
  ) -> SectionTally.Place? {
    guard let position, let source else { return nil }
    return (position: position, key: list[source].header.key)
  }
}
