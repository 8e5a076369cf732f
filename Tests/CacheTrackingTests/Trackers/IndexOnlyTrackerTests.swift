import CacheTracking
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

private let request = CacheRequest(
  query: Query<Car>().sorted { [$0.model.ascending] }.including { $0.owner.name })

private func makeTracker(
  _ store: Store, capacity: Int = 200, _ counter: Counter = Counter()
) -> IndexOnlyCacheTracker<Car, PlainRow> {
  IndexOnlyCacheTracker(in: store, cacheCapacity: capacity) { car in
    counter.add()
    return plain(car, includesOwner: true)
  }
}

@Suite struct IndexOnlyTrackerTests {
  @Test func `Batches carry no objects, and none is made for them`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let counter = Counter()
    let tracker = makeTracker(store, counter)
    let batches = Recorder(tracker.batches)
    try tracker.start(with: request)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(type(of: tracker).Output.self == Void.self)
    #expect(batches.values.map(\.count) == [4, 1])
    #expect(counter.value == 0)
    #expect(tracker.cachedObjectCount == 0)
  }

  @Test(arguments: TestStorage.withServer)
  func `Objects are read when asked for, with what is included`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    let first = try tracker.object(at: path(0))
    #expect(first == PlainRow(id: 2, model: "Fiat", year: 2004, owner: 1, ownerName: "Ann"))
    #expect(try tracker.objects(at: [path(3), path(1)]).map { $0?.id } == [1, 4])
    #expect(tracker.rowCounts == [4])
  }

  @Test func `The last few objects are kept, and no more`() throws {
    let storage = CountedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(
        contentsOf: (0..<1000).map { Car(id: $0, model: "\($0)", year: $0, owner: Ref(ann)) })
    }
    let tracker = makeTracker(store, capacity: 20)
    try tracker.setup(with: request)
    let before = storage.rows.load()
    for row in 0..<1000 {
      _ = try tracker.object(at: path(row))
      #expect(tracker.cachedObjectCount <= 20)
    }
    #expect(storage.rows.load() - before == 1000)
    // Those asked for last are there still.
    _ = try tracker.objects(at: (990..<1000).map(path))
    #expect(storage.rows.load() - before == 1000)
    _ = try tracker.object(at: path(0))
    #expect(storage.rows.load() - before == 1001)
  }

  @Test(arguments: TestStorage.withServer)
  func `An object that has changed is read again, also through a reference`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    #expect(try tracker.object(at: path(3))?.year == 1994)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(try tracker.object(at: path(3))?.year == 1)
    let batches = Recorder(tracker.batches)
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    #expect(try tracker.object(at: path(3))?.ownerName == "Amy")
    #expect(batches.values.first?.updateTransactions.count == 2)
    // What isn't included isn't watched.
    try store.commit { try $0.update(Person.self, 1) { $0.age = 31 } }
    #expect(batches.values.count == 1)
  }

  @Test @MainActor func `An object that was deleted before its batch came is nil`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = IndexOnlyCacheTracker<Car, Int>(in: store, delivery: .mainActor) { $0.id }
    try tracker.setup(with: request)
    #expect(try tracker.object(at: path(0)) == 2)
    let batches = Recorder(tracker.batches)
    // From another thread, so that the batch waits for the main actor.
    TestThread { try? store.commit { try $0.delete(Car.self, 2) } }.join()
    #expect(batches.values.isEmpty)
    #expect(tracker.rowCounts == [4])
    #expect(try tracker.object(at: path(0)) == nil)
    #expect(try tracker.object(at: path(1)) == 4)
  }

  @Test func `A table asks its presenter, that the interactor, and that the tracker`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    let presenter = Forwarder(Forwarder(tracker))
    #expect(try presenter.object(at: path(2))?.model == "Tesla")
  }

  @Test func `Reading fails with a typed error, and works again`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) { try tracker.object(at: path(0)) }
    storage.isFailing.store(0)
    #expect(try tracker.object(at: path(0))?.id == 2)
  }

  @Test func `What was read before a commit isn't kept after it`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    // The commit comes between the reader's choice of a version and its reading.
    storage.interruption.withLock {
      $0 = { try? store.commit { try $0.update(Car.self, 2) { $0.year = 7 } } }
    }
    let year = try tracker.object(at: path(0))?.year
    #expect(year == 2004 || year == 7)
    #expect(try tracker.object(at: path(0))?.year == 7)
  }

  @Test func `Reading while others commit never keeps what is out of date`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<8).map { Car(id: $0, model: "\($0)", year: 0, owner: nil) })
    }
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    onThreads(3) { thread in
      for round in 1...500 {
        if thread == 0 {
          try? store.commit { try $0.update(Car.self, round % 8) { $0.year = round } }
        } else {
          _ = try? tracker.objects(at: (0..<8).map(path))
        }
      }
    }
    let years = try tracker.objects(at: (0..<8).map(path)).map { $0?.year }
    #expect(years == (try store.fetch(request.query).map(\.year)))
  }

  @Test func `F10: during a pause, paths are those of the list that is shown`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    tracker.pause()
    try store.commit { try $0.insert(Car(id: 9, model: "Audi", year: 2001, owner: nil)) }
    #expect(tracker.rowCounts == [4])
    #expect(try tracker.objects(at: (0..<4).map(path)).map { $0?.id } == [2, 4, 3, 1])
    tracker.resume()
    #expect(tracker.rowCounts == [5])
    #expect(try tracker.object(at: path(0))?.id == 9)
  }

  @Test @MainActor func `F7: an object that leaves the filter before the list shows it isn't kept`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = IndexOnlyCacheTracker<Car, Int>(in: store, delivery: .mainActor) { $0.id }
    try tracker.setup(
      with: CacheRequest(
        query: Query<Car>().filter { $0.year > 1990 }.sorted { [$0.model.ascending] }))
    // From another thread, so that the batches wait for the main actor.
    TestThread { try? store.commit { try $0.update(Car.self, 2) { $0.year = 1900 } } }.join()
    #expect(try tracker.object(at: path(0)) == 2)
    #expect(tracker.cachedObjectCount == 0)
    TestThread { try? store.commit { try $0.delete(Car.self, 2) } }.join()
    #expect(try tracker.object(at: path(0)) == nil)
  }

  @Test @MainActor func `F7: an object of the list before isn't kept for another request`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let names = IndexOnlyCacheTracker<Car, StoredValue?>(in: store, delivery: .mainActor) {
      FeedValues($0)["owner.name"]
    }
    let plainRequest = CacheRequest(query: Query<Car>().sorted { [$0.model.ascending] })
    try names.setup(with: plainRequest)
    TestThread { try? names.setup(with: request) }.join()
    #expect(try names.object(at: path(0)) == .some(nil))
    // The place comes to the other request.
    try store.commit { try $0.update(Car.self, 4) { $0.year = 1 } }
    #expect(try names.object(at: path(0)) == .text("Ann"))
  }

  @Test func `F7, F11: a commit that can't be read leaves nothing behind that it may concern`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    #expect(try tracker.object(at: path(3))?.year == 1994)
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 7 } }
    #expect(try tracker.object(at: path(3))?.year == 7)
  }

  @Test func `P5, F7: what a tracker has read between isn't kept`() throws {
    let file = temporaryPath("garage")
    let entities: [any Entity.Type] = [Person.self, Car.self]
    let here = try Store(.sqlite(path: file, watching: .none), entities: entities)
    try here.fillGarage()
    let there = try Store(.sqlite(path: file, watching: .none), entities: entities)
    let tracker = makeTracker(here)
    try tracker.setup(with: request)
    try there.commit { try $0.update(Car.self, 2) { $0.model = "z" } }
    #expect(try tracker.object(at: path(0))?.model == "z")
    try there.commit { try $0.update(Car.self, 2) { $0.model = "Fiat" } }
    try here.refresh()
    #expect(try tracker.object(at: path(0))?.model == "Fiat")
  }

  @Test func `a path out of range and a negative capacity are named`() async {
    let outOfRange = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(.inMemory, entities: [Person.self, Car.self])
      let tracker = IndexOnlyCacheTracker<Car, Int>(in: store) { $0.id }
      try tracker.setup(with: CacheRequest(Car.self))
      _ = try tracker.object(at: ListPath(section: 0, row: 0))
    }
    let text = outOfRange.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("There is no row at 0.0; the tracker's list has [0] rows"))
    await #expect(processExitsWith: .failure) {
      let store = try Store(.inMemory, entities: [Person.self, Car.self])
      _ = IndexOnlyCacheTracker<Car, Int>(in: store, cacheCapacity: -1) { $0.id }
    }
  }

  @Test func `F6: after requests of several threads objects are kept as they were`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    for round in 0..<rounds(400) {
      onThreads(2) { thread in
        try? tracker.setup(with: CacheRequest(query: request.query.filter { $0.id != thread + 1 }))
      }
      _ = try tracker.object(at: path(0))
      #expect(tracker.cachedObjectCount == 1, "round \(round)")
    }
  }
}

private final class Forwarder: IndexedObjectSource {
  private let source: any IndexedObjectSource<PlainRow>
  init(_ source: any IndexedObjectSource<PlainRow>) { self.source = source }
  func object(at path: ListPath) throws -> PlainRow? { try source.object(at: path) }
}
