#if DEBUG
@testable import ListDiffing
import TestSupport
import Testing

@MainActor
@Suite struct `Rules of the simulated hosts` {
  /// Two sections, of three rows and of two.
  private let list = [
    Section(header: Row(id: 1), rows: [Row(id: 10), Row(id: 11), Row(id: 12)]),
    Section(header: Row(id: 2), rows: [Row(id: 20), Row(id: 21)]),
  ]

  private func pass(_ change: (inout ListChanges) -> Void) -> ListPresentation.Pass {
    var changes = ListChanges()
    change(&changes)
    return ListPresentation.Pass(changes)
  }

  /// What a host says of a pass that is to lead from `list` to another one.
  private func refusal<Host: SimulatedHost>(
    _ type: Host.Type, to new: [Section], _ change: (inout ListChanges) -> Void
  ) -> String? {
    let screen = HostScreen(type, showing: list)
    screen.performBatchUpdates(pass(change), animated: true, updateData: { screen.data = new }) {
      expectTrue($0)
    }
    if !screen.violations.isEmpty { expectEqual(screen.drawn, list) }
    return screen.violations.first?.description
  }

  /// Expects both views of UIKit to refuse a pass with the same sentence.
  private func expectRefused(
    _ sentence: String, to new: [Section]? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout ListChanges) -> Void
  ) {
    for refusal in [
      refusal(SimulatedCollectionView.self, to: new ?? list, change),
      refusal(SimulatedTableView.self, to: new ?? list, change),
    ] { expectEqual(refusal, sentence, sourceLocation: sourceLocation) }
  }

  @Test func `An empty pass is refused by all`() {
    let sentence = "A pass must hold something."
    expectRefused(sentence) { _ in }
    expectEqual(refusal(SimulatedOutline.self, to: list) { _ in }, sentence)
    expectEqual(refusal(SimulatedTableColumn.self, to: list) { _ in }, sentence)
    expectEqual(refusal(SimulatedDiffableSource.self, to: list) { _ in }, sentence)
  }

  @Test func `Data that change before the batch are noticed`() {
    var new = list
    new[0].rows.remove(at: 1)
    let screen = HostScreen(SimulatedTableView.self, showing: list)
    screen.data = new
    screen.performBatchUpdates(
      pass { $0.deletes = [path(1)] }, animated: true, updateData: {}, completion: { _ in })
    expectEqual(
      screen.violations.map(\.description),
      ["The data changed before the batch: [3, 2] rows are shown and the data have [2, 2]."])
  }

  @Test func `A position outside its list is refused`() {
    expectRefused("The old list has no row 0.3.") { $0.deletes = [path(3)] }
    expectRefused("The old list has no row 2.0.") { $0.deletes = [path(2, 0)] }
    expectRefused("The old list has no row 0.-1.") { $0.deletes = [path(-1)] }
    expectRefused("The new list has no row 1.2.") { $0.inserts = [path(1, 2)] }
    expectRefused("The old list has no row 0.4.") { $0.moves = [change(4, 0)] }
    expectRefused("The new list has no row 0.4.") { $0.moves = [change(0, 4)] }
    expectRefused("The old list has no section 2.") { $0.deletedSections = [2] }
    expectRefused("The new list has no section 2.") { $0.insertedSections = [2] }
    expectRefused("The old list has no section 2.") { $0.movedSections = [.init(old: 2, new: 0)] }
    expectRefused("The new list has no section -1.") { $0.movedSections = [.init(old: 0, new: -1)] }
  }

  @Test func `A position in two changes is refused`() {
    expectRefused("Row 0.1 of the old list is in two changes.") { $0.deletes = [path(1), path(1)] }
    expectRefused("Row 0.1 of the new list is in two changes.") { $0.inserts = [path(1), path(1)] }
    expectRefused("Row 0.1 of the old list is in two changes.") {
      $0.deletes = [path(1)]
      $0.moves = [change(1, 0)]
    }
    expectRefused("Row 0.0 of the new list is in two changes.") {
      $0.inserts = [path(0)]
      $0.moves = [change(1, 0)]
    }
    expectRefused("Row 0.2 of the old list is in two changes.") {
      $0.moves = [change(2, 0), change(2, 1)]
    }
    expectRefused("Row 0.0 of the new list is in two changes.") {
      $0.moves = [change(1, 0), change(2, 0)]
    }
    expectRefused("Section 1 of the old list is in two changes.") { $0.deletedSections = [1, 1] }
    expectRefused("Section 1 of the new list is in two changes.") { $0.insertedSections = [1, 1] }
    expectRefused("Section 1 of the old list is in two changes.") {
      $0.deletedSections = [1]
      $0.movedSections = [.init(old: 1, new: 0)]
    }
    expectRefused("Section 0 of the new list is in two changes.") {
      $0.insertedSections = [0]
      $0.movedSections = [.init(old: 1, new: 0)]
    }
  }

  @Test func `A move to where it comes from is refused`() {
    expectRefused("Row 0.1 moves to where it is.") { $0.moves = [change(1, 1)] }
    expectRefused("Section 1 moves to where it is.") { $0.movedSections = [.init(old: 1, new: 1)] }
  }

  @Test func `A row of a section that goes, comes or moves is refused`() {
    expectRefused("Row 0.1 is listed although its section is deleted.") {
      $0.deletedSections = [0]
      $0.deletes = [path(1)]
    }
    expectRefused("Row 0.1 is listed although its section is deleted.") {
      $0.deletedSections = [0]
      $0.moves = [.init(old: path(0, 1), new: path(1, 0))]
    }
    expectRefused("Row 1.0 is listed although its section is inserted.") {
      $0.insertedSections = [1]
      $0.inserts = [path(1, 0)]
    }
    expectRefused("Row 1.0 is listed although its section is inserted.") {
      $0.insertedSections = [1]
      $0.moves = [.init(old: path(0, 1), new: path(1, 0))]
    }
    expectRefused("Row 1.1 of the old list is listed although its section moves.") {
      $0.movedSections = [.init(old: 1, new: 0)]
      $0.deletes = [path(1, 1)]
    }
    expectRefused("Row 0.1 of the new list is listed although its section moves.") {
      $0.movedSections = [.init(old: 1, new: 0)]
      $0.inserts = [path(0, 1)]
    }
    expectRefused("Row 1.0 of the old list is listed although its section moves.") {
      $0.movedSections = [.init(old: 1, new: 0)]
      $0.moves = [.init(old: path(1, 0), new: path(1, 1))]
    }
    expectRefused("Row 0.1 of the new list is listed although its section moves.") {
      $0.movedSections = [.init(old: 1, new: 0)]
      $0.moves = [.init(old: path(0, 0), new: path(0, 1))]
    }
  }

  @Test func `Counts that don't add up are refused`() {
    expectRefused("The changes make 1 sections and the data have 2.") { $0.deletedSections = [0] }
    expectRefused("The changes make 3 sections and the data have 2.") { $0.insertedSections = [0] }
    expectRefused("The changes make 2 rows in section 0 and the data have 3.") {
      $0.deletes = [path(0)]
    }
    expectRefused("The changes make 4 rows in section 0 and the data have 3.") {
      $0.inserts = [path(0)]
    }
    expectRefused("The changes make 2 rows in section 0 and the data have 3.") {
      $0.moves = [.init(old: path(0, 0), new: path(1, 0))]
    }
    var new = list
    new[0].rows.removeLast()
    expectRefused("The changes make 4 rows in section 1 and the data have 2.", to: new) {
      $0.deletes = [path(2)]
      $0.inserts = [path(1, 0), path(1, 1)]
    }
    expectRefused("The changes make 3 rows in section 1 and the data have 2.") {
      $0.movedSections = [.init(old: 1, new: 0)]
    }
  }

  @Test func `A row that isn't the one of the data is noticed`() {
    var new = list
    new[0].rows = [list[0].rows[1], list[0].rows[2]]
    expectRefused("Row 0.1 shows another row than the data: 10.0 instead of 12.0.", to: new) {
      $0.deletes = [path(2)]
      $0.moves = [change(1, 0), change(0, 1)]
    }
    expectRefused("Row 0.1 shows another row than the data: 11.0 instead of 12.0.", to: new) {
      $0.inserts = [path(0)]
      $0.deletes = [path(0), path(2)]
    }
    expectRefused(
      "Section 0 shows another header than the data: 1.0 instead of 2.0.",
      to: [Section(header: Row(id: 2), rows: []), Section(header: Row(id: 1), rows: list[0].rows)]
    ) {
      $0.deletedSections = [1]
      $0.insertedSections = [1]
      $0.deletes = [path(0), path(1), path(2)]
    }
  }

  @Test func `A moved row is drawn as before, and a reload redraws it`() {
    var new = [list[1], list[0]].map { section in
      Section(
        header: Row(id: section.header.id, version: 1),
        rows: section.rows.map { Row(id: $0.id, version: 1) })
    }
    let collection = HostScreen(SimulatedCollectionView.self, showing: list)
    let table = HostScreen(SimulatedTableView.self, showing: list)
    func run<Host: SimulatedHost>(_ screen: HostScreen<Host>) -> [String] {
      screen.performBatchUpdates(
        pass { $0.movedSections = [.init(old: 1, new: 0)] }, animated: true,
        updateData: { screen.data = new }, completion: { _ in })
      expectEqual(screen.drawn, [list[1], list[0]])
      screen.verifyDrawn()
      screen.reloadList(rows: [], headers: [0, 1], animated: true)
      screen.verifyDrawn()
      return screen.violations.map(\.description)
    }
    expectEqual(
      run(collection),
      [
        "The header of section 0 is stale: 2.0 instead of 2.1.",
        "Row 0.0 is stale: 20.0 instead of 20.1.",
      ])
    // A table reloads a section to reload its header.
    expectEqual(run(table), ["The header of section 0 is stale: 2.0 instead of 2.1."])
    expectEqual(table.drawn, new)
    new[0].rows.swapAt(0, 1)
    collection.data = new
    collection.reloadList(rows: [], headers: [], animated: true)
    expectEqual(
      collection.violations.last?.description,
      "Row 0.0 shows another row than the data: 20.0 instead of 21.1.")
    collection.reloadData()
    expectEqual(collection.drawn, new)
  }

  @Test func `A reload of what isn't there, or of anything twice, is refused`() {
    func refusals<Host: SimulatedHost>(_ type: Host.Type) -> [String] {
      let screen = HostScreen(type, showing: list)
      screen.reloadList(rows: [path(0, 1), path(0, 3)], headers: [], animated: true)
      screen.reloadList(rows: [path(0, 1), path(0, 1)], headers: [], animated: true)
      screen.reloadList(rows: [], headers: [2], animated: true)
      screen.reloadList(rows: [], headers: [1, 1], animated: true)
      expectEqual(screen.drawn, list)
      return screen.violations.map(\.description)
    }
    let sentences = [
      "The current list has no row 0.3.", "Row 0.1 of the current list is in two changes.",
      "The current list has no section 2.", "Section 1 of the current list is in two changes.",
    ]
    expectEqual(refusals(SimulatedCollectionView.self), sentences)
    expectEqual(refusals(SimulatedTableView.self), sentences)
    expectEqual(refusals(SimulatedOutline.self), sentences)
    expectEqual(refusals(SimulatedDiffableSource.self), sentences)
  }

  @Test func `A diffable source refuses copies that it can't distinguish`() throws {
    var new = list
    new[1].rows.append(Row(id: 10))
    let pass = pass { $0.inserts = [path(1, 2)] }
    var source = SimulatedDiffableSource(showing: list, isNumbering: false)
    let error = #expect(throws: HostViolation.self) { try source.carryOut(pass, data: new) }
    expectEqual(
      error?.description, "The supplied identifiers are not unique: 10 is there twice.")
    expectEqual(source.drawn, list)
    source = SimulatedDiffableSource(showing: list)
    try source.carryOut(pass, data: new)
    expectEqual(source.drawn, new)
  }

  @Test func `A diffable source keeps what it has drawn of an identifier`() throws {
    let new = list.renewed()
    var source = SimulatedDiffableSource(showing: list)
    try source.carryOut(pass { $0.inserts = [path(0, 1)] }, data: new)
    var drawn = list
    drawn[0].rows[1] = new[0].rows[1]
    expectEqual(source.drawn, drawn)
    let error = #expect(throws: HostViolation.self) { try source.verifyDrawn(new) }
    expectEqual(error?.description, "The header of section 0 is stale: 1.0 instead of 1.1.")
    try source.reload(rows: [path(1, 1)], headers: [0], data: new)
    expectEqual(source.drawn, new)
    try source.verifyDrawn(new)
  }

  @Test func `A diffable source doesn't redraw what is inserted outside the list`() {
    expectEqual(
      refusal(SimulatedDiffableSource.self, to: list) { $0.inserts = [path(0, 3)] },
      "The new list has no row 0.3.")
  }
}
#endif
