import ListDiffing
import TestSupport
import Testing

@Suite struct `Preconditions of lists` {
  private static let words = "These changes don't fit the list."

  @Test func `D2 An old row beyond the list traps and is named`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var list = [1, 2]
      ListChanges(deletes: [path(9)]).apply(to: &list) { $0.row }
    }
    trap.expectMessage("\(Self.words) Rule a: the old list has no row 0.9", inRelease: true)
  }

  @Test(arguments: [
    ListChanges(inserts: [path(3)]),
    ListChanges(updates: [change(2, 1)]),
    ListChanges(updates: [change(1, 2)]),
    ListChanges(deletes: [path(0)], moves: [change(0, 0)]),
    ListChanges(insertedSections: [0]),
    ListChanges(inserts: [path(1, 0)]),
  ])
  func `D1 D2 Changes that don't fit a flat list trap`(_ changes: ListChanges) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [changes = changes as ListChanges] in
      var list = [1, 2]
      changes.apply(to: &list) { $0.row }
    }
    trap.expectMessage(Self.words, inRelease: true)
  }

  /// Changes, each with the numbers of rows of the sections it is applied to.
  private static let sectioned: [([Int], ListChanges)] = [
    ([1], ListChanges(deletedSections: [1])),
    ([1], ListChanges(insertedSections: [2])),
    ([1], ListChanges(updatedSections: [PositionChange(old: 0, new: 1)])),
    (
      [1],
      ListChanges(
        deletedSections: [0], movedSections: [PositionChange(old: 0, new: 0)], deletes: [path(0)])
    ),
    ([1, 0], ListChanges(deletedSections: [1, 1])),
    ([0], ListChanges(deletedSections: [0, 0])),
    ([0, 1, 0], ListChanges(deletedSections: [0, 0])),
    ([1], ListChanges(insertedSections: [1, 1])),
    ([1], ListChanges(deletes: [path(0, 1)])),
    ([1], ListChanges(inserts: [path(1, 0)])),
    // Its row isn't listed.
    ([1], ListChanges(deletedSections: [0])),
  ]

  @Test(arguments: sectioned)
  func `D1 D2 Changes that don't fit a sectioned list trap`(
    _ counts: [Int], _ changes: ListChanges
  ) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [counts = counts as [Int], changes = changes as ListChanges] in
      var list = counts.enumerated().map {
        ListSection(header: $0.offset, rows: Array(repeating: 1, count: $0.element))
      }
      changes.apply(to: &list, header: { $0 }, row: { $0.row })
    }
    trap.expectMessage(Self.words, inRelease: true)
  }
}
