@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// S3 in every kind of callback there is: a commit made inside comes after the current one, for everybody.
@Suite struct CommitInCallbackTests {
  @Test(arguments: CallbackKind.all)
  func `S3: a commit inside a callback comes after the current one`(_ kind: CallbackKind)
    async throws
  {
    try await checkCommitInside(kind, .memory, .immediate)
    try await checkCommitInside(kind, .file, .immediate)
  }

  @Test(arguments: CallbackKind.ofModels)
  func `S3: on the main actor a commit inside a callback comes after the current one`(
    _ kind: CallbackKind
  ) async throws {
    try await checkCommitInside(kind, .memory, .mainActor)
  }

  @Test(arguments: CallbackKind.ofModels)
  func `S3: on an actor a commit inside a callback comes after the current one`(
    _ kind: CallbackKind
  ) async throws {
    actor Place {}
    let place = Place()
    try await checkCommitInside(kind, .memory, .on(place))
    withExtendedLifetime(place) {}
  }

  @Test func `S3, F11: a commit inside the callback of an error comes after the current one`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let committer = Committer(store)
    let events = Recorder(cars.didChange.map(\.versions))
    let errors = cars.errors.subscribe { _ in
      storage.isFailing.store(0)
      committer { !events.values.isEmpty }
    }
    committer.arm()
    storage.isFailing.store(1)
    let version = try store.read { $0.version }
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    #expect(committer.count == 1 && !committer.wasToldAtOnce)
    #expect(cars.error == nil && events.values.map(\.upperBound) == [version + 2])
    #expect(cars.fetchedObjects.count == 4)
    withExtendedLifetime(errors) {}
  }

  @Test func `S3: a commit in the body of an async loop is like any other, and the loop continues`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let values = cars.didChange.prefix(4).values()
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    var seen: [Int] = []
    for await event in values {
      let year = event.after.row(for: 1)?.year ?? 0
      seen.append(year)
      if year < 4 { try store.commit { try $0.update(Car.self, 1) { $0.year = year + 1 } } }
    }
    #expect(seen == [1, 2, 3, 4])
    withExtendedLifetime(cars) {}
  }
}
