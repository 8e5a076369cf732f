import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

private let second = ListPath(section: 0, row: 1)

private let byID = Query<Driver>().filter { $0.id < 9 }.sorted { [$0.id.ascending] }.including {
  $0.chief.age
}
private let alsoByName = Query<Driver>().filter { $0.id < 9 }
  .sorted { [$0.id.ascending, $0.name.ascending] }.including { $0.chief.age }

/// F5: an included object that comes or goes is a change, also if all that is included of it is nil.
@Suite struct IncludedComingTests {
  /// Drivers 1 and 2; the chief of 2 is missing.
  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeDriverFleet()
    try store.commit { draft in
      try draft.insert(Driver(id: 1, name: "Ann", age: 30, firm: nil, chief: nil))
      try draft.insert(Driver(id: 2, name: "Bob", age: 40, firm: nil, chief: Ref(9)))
    }
    return store
  }

  private static func insertChief(_ store: Store) throws {
    try store.commit {
      try $0.insert(Driver(id: 9, name: "Eve", age: nil, firm: nil, chief: nil))
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `F6, F5: the difference of two queries has it`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let model = try FetchedObjectsModel(byID, in: store)
    let events = Recorder(model.didChange)
    model.pause()
    try Self.insertChief(store)
    try model.setQuery(alsoByName)
    model.resume()
    let event = try #require(events.values.first)
    #expect(event.before[second].chief == nil && event.after[second].chief != nil)
    #expect(event.changes == ListChanges(updates: [PositionChange(old: second, new: second)]))
    model.pause()
    try store.commit { try $0.delete(Driver.self, 9) }
    try model.setQuery(byID)
    model.resume()
    #expect(events.values.last?.changes == event.changes)
    #expect(events.values.count == 2)
  }
}
