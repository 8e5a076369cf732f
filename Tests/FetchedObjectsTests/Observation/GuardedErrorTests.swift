import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

/// Cars of a few years, with their owners: a commit to a car of other years doesn't concern them.
private let recent = Query<Car>().filter {
  $0.year > 1990
  $0.owner.name != nil
}
.sorted { [$0.model.ascending] }
.including { $0.owner.name }

/// F11: the commit after one that couldn't be read reads anew, though it concerns nothing that the query finds.
@Suite struct GuardedErrorTests {
  private let storage = FlakyStorage()
  private let store: Store

  init() throws {
    let storage = storage
    store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    try store.commit { try $0.insert(Car(id: 7, model: "Opel", year: 1960, owner: nil)) }
  }

  /// A commit that nobody can read, and then one to a car that isn't found.
  private func commitUnread() throws {
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 2000, owner: Ref(bob))) }
    storage.isFailing.store(0)
    try touchOther(1)
  }

  private func touchOther(_ year: Int) throws {
    try store.commit { try $0.update(Car.self, 7) { $0.year = year } }
  }

  @Test(arguments: [nil, 10])
  func `F11: a model and a window read anew with any commit to their entities`(
    _ limit: Int?
  ) throws {
    let query = limit.map { recent.limit($0) } ?? recent
    let model = try FetchedObjectsModel(query, in: store)
    let errors = Recorder(model.errors)
    let events = Recorder(model.didChange)
    try commitUnread()
    #expect(errors.values.count == 1)
    #expect(model.error == nil)
    #expect(model.fetchedObjects.map(\.id) == [2, 5, 3, 1])
    #expect(events.values.count == 1)
    // From then on it is asked only if it may be concerned.
    let work = model.work.commits
    try touchOther(2)
    #expect(model.work.commits == work)
    try store.commit { try $0.update(Car.self, 5) { $0.model = "Arosa" } }
    #expect(model.fetchedObjects.map(\.id) == [5, 2, 3, 1])
  }

  @Test func `F11: an index-only model reads anew with any commit to its entities`() throws {
    let model = try IndexedObjectsModel(recent, in: store)
    try commitUnread()
    #expect(model.error == nil)
    #expect(model.count == 4)
    #expect(try model.object(at: ListPath(section: 0, row: 1))?.id == 5)
    let work = model.work.commits
    try touchOther(2)
    #expect(model.work.commits == work)
  }
}
