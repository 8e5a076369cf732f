import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// F11: the commit after one that couldn't be read reads anew, though it concerns nothing that the query finds.
@Suite struct GuardedErrorTests {
  private let garage: UnreadCommits
  private var store: Store { garage.store }

  init() throws { garage = try UnreadCommits() }

  @Test(arguments: [nil, 10])
  func `F11: after an unread commit a model and a window fetch again with any to their entities`(
    _ limit: Int?
  ) throws {
    let query = limit.map { recentCarsWithOwners.limit($0) } ?? recentCarsWithOwners
    let model = try FetchedObjectsModel(query, in: store)
    let errors = Recorder(model.errors)
    let events = Recorder(model.didChange)
    try garage.commitUnread()
    #expect(errors.values.count == 1)
    #expect(model.error == nil)
    #expect(model.fetchedObjects.map(\.id) == [2, 5, 3, 1])
    #expect(events.values.count == 1)
    // From then on it is asked only if it may be concerned.
    let work = model.work.commits
    try garage.touchOther(2)
    #expect(model.work.commits == work)
    try store.commit { try $0.update(Car.self, 5) { $0.model = "Arosa" } }
    #expect(model.fetchedObjects.map(\.id) == [5, 2, 3, 1])
  }

  @Test
  func `F11: after an unread commit an index-only model fetches again with any to its entities`()
    throws
  {
    let model = try IndexedObjectsModel(recentCarsWithOwners, in: store)
    try garage.commitUnread()
    #expect(model.error == nil)
    #expect(model.count == 4)
    #expect(try model.object(at: ListPath(section: 0, row: 1))?.id == 5)
    let work = model.work.commits
    try garage.touchOther(2)
    #expect(model.work.commits == work)
  }
}
