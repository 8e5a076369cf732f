import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

private let second = ListPath(section: 0, row: 1)

/// F5: an included object that comes or goes is a change, also if all that is included of it is nil.
@Suite struct IncludedComingTests {
  @Test(arguments: TestStorage.withServer)
  func `F6, F5: the difference of two queries has it`(_ storage: TestStorage) throws {
    let store = try makeChieflessFleet(storage)
    let model = try FetchedObjectsModel(driversByID, in: store)
    let events = Recorder(model.didChange)
    model.pause()
    try insertChief(store)
    try model.setQuery(driversByIDAndName)
    model.resume()
    let event = try #require(events.values.first)
    #expect(event.before[second].chief == nil && event.after[second].chief != nil)
    #expect(event.changes == ListChanges(updates: [PositionChange(old: second, new: second)]))
    model.pause()
    try store.commit { try $0.delete(Driver.self, 9) }
    try model.setQuery(driversByID)
    model.resume()
    #expect(events.values.last?.changes == event.changes)
    #expect(events.values.count == 2)
  }
}
