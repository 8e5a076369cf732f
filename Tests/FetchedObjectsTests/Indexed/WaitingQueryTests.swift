@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

/// A row is read by its number, which a commit may give to another object.
///
/// The model doesn't follow the commits of the shown query any more.
@Suite struct `While another query of an index-only list waits` {
  private let query = Query<Car>().sorted { [$0.id.ascending] }
  private let none = Query<Car>().filter { $0.year > 100 }
  private let last = ListPath(section: 0, row: 3)

  private func car(_ id: Int) -> Car { Car(id: id, model: "m", year: id, owner: nil) }

  private func garage(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeGarage()
    try store.commit { try $0.insert(contentsOf: (1...4).map(car)) }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: no object is shown at the place of another one`(
    _ storage: TestStorage
  ) throws {
    let store = try garage(storage)
    let model = try IndexedObjectsModel(query, in: store, cacheCapacity: 0)
    model.pause()
    // No commit concerns a query without rows. The new row gets the number of the deleted one.
    try model.setQuery(none)
    try store.commit { try $0.delete(Car.self, 4) }
    try store.commit { try $0.insert(car(5)) }
    let paths = (0..<4).map { ListPath(section: 0, row: $0) }
    #expect(try model.objects(at: paths).map { $0?.id } == [1, 2, 3, nil])
    #expect(try (1...5).map { try model.path(for: $0)?.row } == [0, 1, 2, nil, nil])
    // Another one meanwhile, and the first one again.
    try model.setQuery(none.sorted { [$0.year.ascending] })
    try store.commit { try $0.delete(Car.self, 1) }
    try store.commit { try $0.insert(car(6)) }
    try model.setQuery(query)
    #expect(try model.objects(at: paths).map { $0?.id } == [nil, 2, 3, nil])
    model.resume()
    #expect(try model.objects(at: paths).map { $0?.id } == [2, 3, 5, 6])
    #expect(try (1...6).map { try model.path(for: $0)?.row } == [nil, 0, 1, nil, 2, 3])
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: no kept object stays that is deleted meanwhile`(_ storage: TestStorage) throws {
    let store = try garage(storage)
    // Another model keeps the index of the first query.
    let other = try IndexedObjectsModel(query, in: store)
    let model = try IndexedObjectsModel(query, in: store)
    #expect(try model.object(at: last)?.id == 4)
    model.pause()
    try model.setQuery(none)
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(try model.object(at: last) == nil)
    try store.commit { try $0.insert(car(5)) }
    try model.setQuery(query)
    model.resume()
    #expect(try model.object(at: last)?.id == 5)
    withExtendedLifetime(other) {}
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: what comes meanwhile is read once it is shown`(_ storage: TestStorage) throws {
    let store = try garage(storage)
    let model = try IndexedObjectsModel(query, in: store, cacheCapacity: 0)
    let ids = Locked<[Int?]>([])
    let token = model.didChange.subscribe { event in
      let end = ListPath(section: 0, row: event.after.count - 1)
      let id = try? model.object(at: end)?.id
      ids.withLock { $0.append(id) }
    }
    // Deliveries wait for the end of the other store's commit.
    let another = try TestStorage.memory.makeGarage()
    try another.commit { _ in
      try model.setQuery(query.filter { $0.year > 0 })
      try store.commit { try $0.insert(car(5)) }
      try store.commit { try $0.insert(car(6)) }
    }
    #expect(ids.withLock { $0.last } == 6)
    #expect(ids.withLock { !$0.contains(nil) })
    withExtendedLifetime(token) {}
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: rows that were deleted before it was set stay deleted`(_ storage: TestStorage) throws {
    let store = try garage(storage)
    let model = try IndexedObjectsModel(
      query.filter { $0.model == "m" }, in: store, cacheCapacity: 0)
    model.pause()
    try store.commit { try $0.delete(Car.self, 4) }
    try store.commit { try $0.insert(Car(id: 5, model: "x", year: 5, owner: nil)) }
    try model.setQuery(none)
    // Only now the object with the number of the deleted one belongs to the shown query.
    try store.commit { try $0.update(Car.self, 5) { $0.model = "m" } }
    #expect(try model.object(at: last) == nil)
    #expect(try model.path(for: 5) == nil)
    model.resume()
    #expect(model.count == 0)
  }

  @Test(arguments: TestStorage.withServer, [true, false])
  func `F6: what changes meanwhile is named once the first query is back`(
    _ storage: TestStorage, _ isCommitting: Bool
  ) throws {
    let store = try garage(storage)
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    model.pause()
    try model.setQuery(none)
    // The row isn't in that query.
    if isCommitting { try store.commit { try $0.update(Car.self, 2) { $0.model = "n" } } }
    try model.setQuery(query)
    model.resume()
    let updated = events.values.flatMap { $0.changes.updates.map(\.new.row) }
    #expect(isCommitting ? updated.contains(1) : updated.isEmpty)
  }

  @Test func `F11: so do those of a commit that couldn't be read`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    func car(_ id: Int) -> Car { Car(id: id, model: "m", year: id, owner: Ref(1)) }
    try store.commit { draft in
      try draft.insert(Person(id: 1, name: "Ann"))
      try draft.insert(contentsOf: (1...4).map(car))
    }
    let model = try IndexedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.ascending] }, in: store, cacheCapacity: 0)
    model.pause()
    try store.commit { try $0.delete(Car.self, 4) }
    storage.isFailing.store(1)
    try store.commit { try $0.insert(car(5)) }
    storage.isFailing.store(0)
    try model.setQuery(none)
    #expect(try model.object(at: last) == nil)
    #expect(try model.object(at: ListPath(section: 0, row: 2))?.id == 3)
  }

  @Test func `F7: nor do they come back after many changes of which nothing is known`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    func car(_ id: Int, _ model: String = "m") -> Car {
      Car(id: id, model: model, year: id, owner: Ref(1))
    }
    try store.commit { draft in
      try draft.insert(Person(id: 1, name: "Ann"))
      try draft.insert(contentsOf: (1...4).map { car($0) })
    }
    let model = try IndexedObjectsModel(
      Query<Car>().filter { $0.model == "m" }.sorted { [$0.owner.name.ascending] }, in: store,
      cacheCapacity: 0)
    model.pause()
    storage.isFailing.store(1)
    try store.commit { try $0.insert(contentsOf: (5...7).map { car($0) }) }
    storage.isFailing.store(0)
    try store.commit { try $0.insert(car(8)) }
    // The next row gets the number of the deleted one, and belongs to the query only later.
    try store.commit { try $0.delete(Car.self, 4) }
    try store.commit { try $0.insert(car(9, "x")) }
    try model.setQuery(none)
    try store.commit { try $0.update(Car.self, 9) { $0.model = "m" } }
    #expect(try model.object(at: last) == nil)
    #expect(try (1...9).map { try model.path(for: $0)?.row }.prefix(3) == [0, 1, 2])
    #expect(try model.path(for: 9) == nil)
    model.resume()
    #expect(model.count == 0)
  }

  @Test(arguments: [false, true])
  func `F11: no path is that of another object after a commit that couldn't be read`(
    _ isChanging: Bool
  ) throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    func car(_ id: Int) -> Car { Car(id: id, model: "m", year: id, owner: Ref(1)) }
    try store.commit { draft in
      try draft.insert(Person(id: 1, name: "Ann"))
      try draft.insert(contentsOf: (1...4).map(car))
    }
    let model = try IndexedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.ascending] }, in: store, cacheCapacity: 0)
    model.pause()
    storage.isFailing.store(1)
    try store.commit { draft in
      try draft.delete(Car.self, 4)
      // It gets the number of the one that has gone.
      try draft.insert(car(5))
    }
    storage.isFailing.store(0)
    if isChanging { try model.setQuery(none) }
    #expect(try (1...5).map { try model.path(for: $0)?.row } == [0, 1, 2, nil, nil])
  }

  @Test func `F6: a commit that failed meanwhile names nothing once the query is back`() throws {
    let storage = FaultyStorage(InMemoryStorage())
    let store = try storage.makeGarage()
    try store.commit { try $0.insert(contentsOf: (1...4).map(car)) }
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    model.pause()
    try model.setQuery(none)
    storage.fail(at: .commit)
    #expect(throws: FaultyStorage.Fault()) {
      try store.commit { draft in
        try draft.update(Car.self, 2) { $0.model = "n" }
        try draft.insert(car(5))
      }
    }
    #expect(try (1...5).map { try model.path(for: $0)?.row } == [0, 1, 2, 3, nil])
    try model.setQuery(query)
    model.resume()
    #expect(events.values.isEmpty)
  }

  @Test(arguments: TestStorage.withServer)
  func `F6: rows that are shown keep their paths, whatever a commit changes`(
    _ storage: TestStorage
  ) throws {
    let store = try garage(storage)
    let model = try IndexedObjectsModel(
      Query<Car>().sorted { [$0.model.ascending, $0.year.ascending] }, in: store, cacheCapacity: 0)
    model.pause()
    try model.setQuery(none)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 50 } }
    #expect(try model.object(at: ListPath(section: 0, row: 0))?.id == 1)
    #expect(try (1...4).map { try model.path(for: $0)?.row } == [0, 1, 2, 3])
  }

  @Test func `P5: so they do before a commit of another store is merged`() throws {
    let path = temporaryPath("waiting")
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none),
        entities: [Person.self, Car.self])
    }
    let (here, there) = (try open(), try open())
    try here.commit { try $0.insert(contentsOf: (1...4).map(car)) }
    let model = try IndexedObjectsModel(
      Query<Car>().filter { $0.year < 60 }.sorted { [$0.model.ascending, $0.year.ascending] },
      in: here, cacheCapacity: 0)
    // The first row goes to the end, and the second one leaves the result.
    try there.commit { draft in
      try draft.update(Car.self, 1) { $0.year = 50 }
      try draft.update(Car.self, 2) { $0.year = 70 }
    }
    #expect(try model.object(at: ListPath(section: 0, row: 0))?.id == 1)
    #expect(try (1...4).map { try model.path(for: $0)?.row } == [0, 1, 2, 3])
    try here.refresh()
    #expect(try (1...4).map { try model.path(for: $0)?.row } == [2, nil, 0, 1])
  }

  @Test func `F11: so they do after a commit that couldn't be read`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(contentsOf: [Person(id: 1, name: "Ann"), Person(id: 2, name: "Zoe")])
      try draft.insert(
        contentsOf: (1...4).map { Car(id: $0, model: "m", year: $0, owner: Ref(1)) })
    }
    let model = try IndexedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.ascending] }, in: store, cacheCapacity: 0)
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { $0.owner = Ref(2) } }
    storage.isFailing.store(0)
    #expect(try model.object(at: ListPath(section: 0, row: 0))?.id == 1)
    #expect(try (1...4).map { try model.path(for: $0)?.row } == [0, 1, 2, 3])
  }

  /// Makes a paused model of the cars 1 to 4, and gives the number of the last one to another car.
  ///
  /// The model has read the order again, after a commit that couldn't be read. Then car 4 is
  /// deleted, and car 5, outside the filter, gets its number.
  private func makeTaken() throws -> (FlakyStorage, Store, IndexedObjectsModel<Car>) {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    func car(_ id: Int, _ model: String) -> Car {
      Car(id: id, model: model, year: id, owner: Ref(1))
    }
    try store.commit { draft in
      try draft.insert(Person(id: 1, name: "Ann"))
      try draft.insert(contentsOf: (1...4).map { car($0, "m") })
    }
    let model = try IndexedObjectsModel(
      Query<Car>().filter { $0.model == "m" }.sorted { [$0.owner.name.ascending] }, in: store,
      cacheCapacity: 0)
    model.pause()
    // After a commit that couldn't be read, the next one reads the order again.
    storage.isFailing.store(1)
    try store.commit { try $0.insert(car(9, "m")) }
    storage.isFailing.store(0)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 7 } }
    try store.commit { try $0.delete(Car.self, 4) }
    try store.commit { try $0.insert(car(5, "x")) }
    return (storage, store, model)
  }

  @Test func `F7: nothing takes the place of a row that left before the query was set`() throws {
    let (_, store, model) = try makeTaken()
    // Car 5 comes into the result when nobody looks.
    try model.setQuery(none)
    try store.commit { try $0.update(Car.self, 5) { $0.model = "m" } }
    #expect(try model.object(at: last) == nil)
    #expect(try (1...5).map { try model.path(for: $0)?.row } == [0, 1, 2, nil, nil])
  }

  @Test func `F7: nothing takes the place of a row that left, by a commit that isn't known`() throws
  {
    let (storage, store, model) = try makeTaken()
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 5) { $0.model = "m" } }
    storage.isFailing.store(0)
    #expect(try model.object(at: last) == nil)
    #expect(try model.path(for: 5) == nil)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 8 } }
    #expect(try model.object(at: last) == nil)
    #expect(try model.path(for: 5) == nil)
  }
}
