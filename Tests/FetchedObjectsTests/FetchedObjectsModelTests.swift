import EntityStore
import FetchedObjects
import ListDiffing
import Relays
import Testing

@Suite struct FetchedObjectsModelTests {
  @Test(arguments: TestStorage.allCases)
  func `F1: the first result is there when init returns`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fill()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    #expect(cars.sections.map(\.name) == ["Ann", "Bob"])
    #expect(cars.fetchedObjects.map(\.model) == ["Fiat", "Volvo", "Tesla"])
    #expect(cars.snapshot[ListPath(section: 0, row: 0)].owner?.name == "Ann")
    #expect(cars.path(for: 3) == ListPath(section: 1, row: 0))
    #expect(cars.path(for: 4) == nil)
  }

  @Test(arguments: TestStorage.allCases)
  func `F5: renaming an owner moves the section and updates its rows`(_ storage: TestStorage) throws
  {
    let store = try storage.makeGarage()
    try store.fill()
    let query = Query<Car>()
      .filter { $0.owner.name != nil }
      .sorted { [$0.model.ascending] }
      .sectioned(by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending })
    let cars = try FetchedObjectsModel(query, in: store)
    let events = Recorder(cars.didChange)
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    let event = try #require(events.values.first)
    #expect(events.values.count == 1)
    #expect(event.after.sections.map(\.name) == ["Bob", "Zoe"])
    #expect(event.changes.movedSections == [PositionChange(old: 0, new: 1)])
    #expect(event.changes.updates.count == 2)
    #expect(event.changes.moves.isEmpty)
  }
}
