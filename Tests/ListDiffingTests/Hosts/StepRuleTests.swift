import ListDiffing
import TestSupport
import Testing

@Suite struct `Rules of the simulated views of AppKit` {
  /// Two sections, of three rows and of two.
  private let list = [
    Section(header: Row(id: 1), rows: [Row(id: 10), Row(id: 11), Row(id: 12)]),
    Section(header: Row(id: 2), rows: [Row(id: 20), Row(id: 21)]),
  ]

  /// What an outline says of steps that are to lead from `list` to another one.
  private func refusal(_ steps: [ListPresentation.Step], to new: [Section]? = nil) -> String? {
    var outline = SimulatedOutline(showing: list)
    do {
      try outline.carryOut(steps, data: new ?? list)
      return nil
    } catch {
      expectEqual(outline.drawn, list)
      return error.description
    }
  }

  @Test func `A step names what is there at that moment`() {
    let sentence = "The current list has no row 0.2."
    expectEqual(refusal([.deleteRow(at: path(1)), .deleteRow(at: path(2))]), sentence)
    expectEqual(
      refusal([.deleteRow(at: path(1)), .moveRow(from: path(2), to: path(0))]), sentence)
    expectEqual(
      refusal([.deleteRow(at: path(1)), .moveRow(from: path(0), to: path(2))]), sentence)
    expectEqual(
      refusal([
        .deleteRow(at: path(1)), .deleteRow(at: path(0)), .insertRow(at: path(2)),
      ]), sentence)
    expectEqual(refusal([.deleteRow(at: path(2, 0))]), "The current list has no row 2.0.")
  }

  @Test func `A step names a section that is there at that moment`() {
    let sentence = "The current list has no section 1."
    expectEqual(refusal([.deleteSection(at: 0), .deleteSection(at: 1)]), sentence)
    expectEqual(refusal([.deleteSection(at: 0), .moveSection(from: 1, to: 0)]), sentence)
    expectEqual(refusal([.deleteSection(at: 0), .moveSection(from: 0, to: 1)]), sentence)
    expectEqual(
      refusal([.deleteSection(at: 0), .deleteSection(at: 0), .insertSection(at: 1)]), sentence)
  }

  @Test func `What is inserted comes from the data`() {
    expectEqual(refusal([.insertSection(at: 2)]), "The new list has no section 2.")
    expectEqual(refusal([.insertRow(at: path(3))]), "The new list has no row 0.3.")
    expectEqual(refusal([.insertRow(at: path(2, 0))]), "The new list has no row 2.0.")
    var new = list
    new[0].rows.insert(Row(id: 9, version: 3), at: 1)
    var outline = SimulatedOutline(showing: list)
    #expect(throws: Never.self) {
      try outline.carryOut([ListPresentation.Step.insertRow(at: path(1))], data: new)
    }
    expectEqual(outline.drawn, new)
  }

  @Test func `The last step ends at the data`() {
    expectEqual(
      refusal([.deleteSection(at: 0)]), "The changes make 1 sections and the data have 2.")
    expectEqual(
      refusal([.deleteRow(at: path(0))]),
      "The changes make 2 rows in section 0 and the data have 3.")
    expectEqual(
      refusal([.moveRow(from: path(0), to: path(1))]),
      "Row 0.0 shows another row than the data: 11.0 instead of 10.0.")
    expectEqual(
      refusal([.moveSection(from: 0, to: 1)]),
      "Section 0 shows another header than the data: 2.0 instead of 1.0.")
  }

  @Test func `A move is a removal and an insertion that draws nothing`() throws {
    var outline = SimulatedOutline(showing: list)
    var new = list.renewed()
    new[1].rows.append(new[0].rows.remove(at: 1))
    try outline.carryOut(
      [ListPresentation.Step.moveRow(from: path(0, 1), to: path(1, 2))], data: new)
    expectEqual(outline.drawn[1].rows.last, Row(id: 11))
    let error = #expect(throws: HostViolation.self) { try outline.verifyDrawn(new) }
    expectEqual(error?.description, "The header of section 0 is stale: 1.0 instead of 1.1.")
  }

  @Test func `A table without sections refuses them`() {
    func refusal(_ step: ListPresentation.Step) -> String? {
      var column = SimulatedTableColumn(showing: list)
      let error = #expect(throws: HostViolation.self) {
        try column.carryOut([step], data: list)
      }
      return error?.description
    }
    let start = "A table without sections can't"
    expectEqual(refusal(.deleteSection(at: 0)), "\(start) delete section 0.")
    expectEqual(refusal(.insertSection(at: 0)), "\(start) insert section 0.")
    expectEqual(refusal(.moveSection(from: 0, to: 1)), "\(start) move section 0 → 1.")
    expectEqual(refusal(.deleteRow(at: path(1, 0))), "\(start) delete 1.0.")
    expectEqual(refusal(.insertRow(at: path(1, 0))), "\(start) insert 1.0.")
    expectEqual(
      refusal(.moveRow(from: path(0, 0), to: path(1, 0))), "\(start) move 0.0 → 1.0.")
    var column = SimulatedTableColumn(showing: list)
    let header = #expect(throws: HostViolation.self) {
      try column.reload(rows: [], headers: [0], data: list)
    }
    expectEqual(header?.description, "\(start) reload the header of section 0.")
    let row = #expect(throws: HostViolation.self) {
      try column.reload(rows: [path(1, 0)], headers: [], data: list)
    }
    expectEqual(row?.description, "\(start) reload 1.0.")
  }
}
