import ListDiffing
import Testing

@Suite struct `Preconditions of lists` {
  @Test func `D2 An old row beyond the list traps and is named`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var list = [1, 2]
      ListChanges(deletes: [path(9)]).apply(to: &list) { $0.row }
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      message.contains("These changes don't fit the list. Rule a: the old list has no row 0.9"))
  }

  @Test func `D2 A new row beyond the list traps`() async {
    await #expect(processExitsWith: .failure) {
      var list = [1, 2]
      ListChanges(inserts: [path(3)]).apply(to: &list) { $0.row }
    }
  }

  @Test func `D2 An update beyond the list traps`() async {
    await #expect(processExitsWith: .failure) {
      var list = [1, 2]
      ListChanges(updates: [change(2, 1)]).apply(to: &list) { $0.row }
    }
    await #expect(processExitsWith: .failure) {
      var list = [1, 2]
      ListChanges(updates: [change(1, 2)]).apply(to: &list) { $0.row }
    }
  }

  @Test func `D1 A row in two changes traps`() async {
    await #expect(processExitsWith: .failure) {
      var list = [1, 2]
      ListChanges(deletes: [path(0)], moves: [change(0, 0)]).apply(to: &list) { $0.row }
    }
  }

  @Test func `A flat list refuses changes of sections`() async {
    await #expect(processExitsWith: .failure) {
      var list = [1, 2]
      ListChanges(insertedSections: [0]).apply(to: &list) { $0.row }
    }
  }

  @Test func `A flat list refuses paths outside section 0`() async {
    await #expect(processExitsWith: .failure) {
      var list = [1, 2]
      ListChanges(inserts: [path(1, 0)]).apply(to: &list) { $0.row }
    }
  }

  @Test func `D2 Sections beyond a sectioned list trap`() async {
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(deletedSections: [1]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(insertedSections: [2]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(updatedSections: [PositionChange(old: 0, new: 1)])
        .apply(to: &list, header: { $0 }, row: { $0.row })
    }
  }

  @Test func `D1 A section in two changes traps`() async {
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(
        deletedSections: [0], movedSections: [PositionChange(old: 0, new: 0)], deletes: [path(0)]
      ).apply(to: &list, header: { $0 }, row: { $0.row })
    }
  }

  @Test func `D1 A section that goes or comes twice traps`() async {
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1]), ListSection(header: 1, rows: [])]
      ListChanges(deletedSections: [1, 1]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [])]
      ListChanges(deletedSections: [0, 0]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
    await #expect(processExitsWith: .failure) {
      var list = [
        ListSection(header: 0, rows: []), ListSection(header: 1, rows: [1]),
        ListSection(header: 2, rows: []),
      ]
      ListChanges(deletedSections: [0, 0]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(insertedSections: [1, 1]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
  }

  @Test func `D2 Rows beyond a section trap`() async {
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(deletes: [path(0, 1)]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(inserts: [path(1, 0)]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
  }

  @Test func `D1 A deleted section whose rows are not listed traps`() async {
    await #expect(processExitsWith: .failure) {
      var list = [ListSection(header: 0, rows: [1])]
      ListChanges(deletedSections: [0]).apply(to: &list, header: { $0 }, row: { $0.row })
    }
  }
}
