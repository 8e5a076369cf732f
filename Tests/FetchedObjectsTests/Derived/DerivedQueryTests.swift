import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

private func car(_ id: Int, _ year: Int) -> Car {
  Car(id: id, model: "\(id)", year: year, owner: nil)
}

@Suite struct `Other queries of derived lists` {
  /// A row whose content is its title alone.
  private struct Titled: Diffable, Sendable {
    let diffIdentifier: Int
    let title: String
    let hidden: Int

    func isContentEqual(to other: Titled) -> Bool { title == other.title }
  }

  @Test func `F6: a row that another query moves in the source alone keeps its value`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...4 { try draft.insert(car(id, 2000 + id)) }
      try draft.insert(car(5, 2020))
    }
    let source = try FetchedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    let some = source.compactMap {
      $0.id == 3 || $0.id == 4
        ? nil : Titled(diffIdentifier: $0.id, title: $0.model, hidden: $0.year)
    }
    let late = some.filter { $0.hidden >= 2010 }
    let events = Recorder(some.didChange)
    source.pause()
    try store.commit { try $0.update(Car.self, 2) { $0.year = 2010 } }
    try source.setQuery(Query<Car>().sorted { [$0.year.ascending] })
    source.resume()
    #expect(source.snapshot.objects.map(\.id) == [1, 3, 4, 2, 5])
    // It has moved over rows that are left out, and its title is the same. So nothing is reported,
    // and a list that is derived further agrees with this one.
    #expect(events.values.isEmpty && some.snapshot.rows.map(\.hidden) == [2001, 2002, 2020])
    #expect(late.snapshot.rows.map(\.diffIdentifier) == [5])
    try store.commit { try $0.update(Car.self, 2) { $0.model = "new" } }
    #expect(events.values.map { "\($0.changes)" } == ["update 0.1 → 0.1"])
    #expect(some.snapshot.rows.map(\.hidden) == [2001, 2010, 2020])
    #expect(late.snapshot.rows.map(\.diffIdentifier) == [2, 5])
  }

  @Test func `F3: after another query of a part, any of its rows may move in a filter`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 1...7 { try draft.insert(car(id, id < 4 ? 2010 : 2000)) }
    }
    let first = try FetchedObjectsModel(Query<Car>().filter { $0.id > 5 }, in: store)
    let second = try FetchedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    let whole = first.concatenated(with: second)
    let lists = [
      whole.filter { $0.id < 5 }, whole.map { $0 }.filter { $0.id < 5 },
      whole.filter { $0.id < 7 }.filter { $0.id < 5 },
      first.concatenated(with: whole).filter { $0.id < 5 },
    ]
    let ofWhole = Recorder(whole.didChange)
    let events = lists.map { Recorder($0.didChange) }
    try second.setQuery(Query<Car>().sorted { [$0.year.ascending] })
    // Four cars pass three, so the three move. Without three of the four, the fourth moves.
    #expect(ofWhole.values.map { $0.changes.moves.map(\.old.row) } == [[0, 1, 2]])
    for (index, recorder) in events.enumerated() {
      let section = index == 3 ? 2 : 1
      let move = PositionChange(
        old: ListPath(section: section, row: 3), new: ListPath(section: section, row: 0))
      #expect(recorder.values.map(\.changes) == [ListChanges(moves: [move])])
    }
  }

  @Test func `F6: a part shows another query while the other part is paused`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in for id in 1...4 { try draft.insert(car(id, 2000 + id % 2)) } }
    let first = try FetchedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    let second = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.id.ascending] }.sectioned { $0.year }, in: store)
    let even = first.map { $0 }.concatenated(with: second.map { $0 }).filter { $0.id % 2 == 0 }
    let events = Recorder(even.didChange)
    first.pause()
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(even.snapshot.rowCounts == [2, 1])
    try second.setQuery(Query<Car>().sorted { [$0.id.descending] })
    #expect(even.snapshot.rowCounts == [2, 1])
    first.resume()
    #expect(even.snapshot.rows.map { $0.id } == [4, 4])
    #expect(
      events.values.map(\.changes) == [
        ListChanges(deletes: [ListPath(section: 1, row: 0)]),
        ListChanges(
          deletedSections: [1], insertedSections: [1],
          moves: [
            PositionChange(
              old: ListPath(section: 1, row: 0), new: ListPath(section: 1, row: 0))
          ]),
        ListChanges(deletes: [ListPath(section: 0, row: 0)]),
      ])
  }
}
