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

/// What a screen asks a provider to do: reloads, edits, and what they leave in the store.
@Suite struct ProviderRequestTests {
  @Test(arguments: TestStorage.withServer)
  func `Each reload fetches and is published`(_ storage: TestStorage) throws {
    let provider = makeProvider(try storage.makeShowroom())
    let listener = ProviderListener(provider)
    try provider.reloadData()
    try #require(listener.reasons == [.reload])
    #expect(listener.list == readOut(provider))
    #expect(listener.events[0].before == nil)
    try provider.reloadData()
    #expect(listener.reasons == [.reload, .reload])
    #expect(listener.list == readOut(provider))
    #expect(listener.list.map(\.rows.count) == [2, 1, 1])
  }

  @Test(arguments: TestStorage.withServer)
  func `An empty list is published, then seeded, and the seed comes as a change`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom(isEmpty: true)
    let provider = makeProvider(store, seed: seedShowroom)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    try #require(listener.reasons == [.reload, .change])
    #expect(listener.events[0].batch.isEmpty)
    #expect(listener.list.map(\.header) == ["Ann", "Bob", "Cid"])
    try provider.reloadData()
    #expect(listener.reasons == [.reload, .change, .reload])
    #expect(try store.count(Query<Auto>()) == 4)
  }

  @Test(arguments: TestStorage.withServer)
  func `A store is seeded once, though a filter leaves nothing over`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom()
    let provider = makeProvider(store) { _ in Issue.record("It is seeded") }
    try provider.filter { $0.model == "none of these" }
    try provider.reloadData()
    #expect(provider.objects == [])
    #expect(try store.version == 1)
  }

  @Test func `A filter that leaves nothing over waits for no writer`() throws {
    let storage = FaultyStorage(InMemoryStorage())
    let store = try Store(.custom { storage }, entities: [Auto.self, Holder.self, Maker.self])
    try store.commit { try seedShowroom($0) }
    let provider = makeProvider(store) { _ in Issue.record("It is seeded") }
    try provider.filter { $0.model == "none of these" }
    storage.fail(at: .begin)
    try provider.reloadData()
    #expect(provider.objects == [])
  }

  @Test func `A failed seed throws, and the reload is published all the same`() throws {
    let provider = makeProvider(try TestStorage.memory.makeShowroom(isEmpty: true)) { _ in
      throw CancellationError()
    }
    let listener = ProviderListener(provider)
    #expect(throws: CancellationError.self) { try provider.reloadData() }
    #expect(listener.reasons == [.reload])
    #expect(provider.objects == [])
  }

  @Test(arguments: TestStorage.withServer)
  func `Each request is one commit, published as any other`(_ storage: TestStorage) throws {
    let store = try storage.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    let commits = Recorder(store.commits)
    try provider.reloadData()
    try provider.deleteObject(Ownership(4, "", "", ""))
    try provider.deleteObject(at: path(0, 1))
    try provider.updateObject(at: path(0, 0), by: Ownership(1, "Bob", "VW", "Golf GTI", 20))
    try provider.insertObject(by: Ownership(5, "Dan", "VW", "Up"))
    try provider.updateObject(with: 3, by: Ownership(3, "Bob", "VW", "Polo", 7))
    #expect(commits.values.count == 5)
    #expect(listener.reasons == [.reload, .change, .change, .change, .change, .change])
    #expect(listener.list == readOut(provider))
    #expect(
      provider.objects == [
        Ownership(1, "Bob", "VW", "Golf GTI", 20), Ownership(3, "Bob", "VW", "Polo", 7),
        Ownership(5, "Dan", "VW", "Up"),
      ])
    try provider.deleteObject(with: 5)
    #expect(listener.list == readOut(provider))
    #expect(throws: StoreError.notFound(ObjectID(Auto.self, 5))) {
      try provider.deleteObject(with: 5)
    }
    #expect(throws: StoreError.notFound(ObjectID(Auto.self, 5))) {
      try provider.updateObject(with: 5, by: Ownership(5, "Dan", "VW", "Up"))
    }
  }

  @Test func `Each request can be named, and is undone by that name`() throws {
    let store = try TestStorage.memory.makeShowroom()
    store.historyLimit = 10
    let provider = makeProvider(store)
    try provider.reloadData()
    let before = readOut(provider)
    try provider.deleteObject(Ownership(4, "", "", ""), named: "a")
    try provider.deleteObject(at: path(0, 1), named: "b")
    try provider.updateObject(
      at: path(0, 0), by: Ownership(1, "Bob", "VW", "Golf GTI", 20), named: "c")
    try provider.insertObject(by: Ownership(5, "Dan", "VW", "Up"), named: "d")
    try provider.updateObject(with: 3, by: Ownership(3, "Bob", "VW", "Polo", 7), named: "e")
    try provider.deleteObject(with: 5, named: "f")
    #expect(store.undoNames == ["a", "b", "c", "d", "e", "f"])
    for name in ["f", "e", "d", "c", "b", "a"] { #expect(try store.undo() == name) }
    #expect(readOut(provider) == before)
    let auto = try ObservedEntity<Auto>(1, in: store)
    try auto.update(named: "g") { $0.mileage += 1 }
    #expect(try store.undo() == "g")
  }

  @Test func `A filter is part of the query until it is removed`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let query = provider.query
    try provider.reloadData()
    let before = readOut(provider)
    try provider.filter { $0.id == 1 }
    #expect(readOut(provider).flatMap(\.rows).count == 1)
    #expect(provider.query == query.filter { $0.id == 1 })
    try provider.removeFilter()
    #expect(readOut(provider) == before)
    #expect(provider.query == query)
  }

  @Test func `An object that was just read can be deleted by its own identity`() throws {
    let provider = makeProvider(try TestStorage.memory.makeShowroom())
    try provider.reloadData()
    let object = try #require(provider.object(at: path(1, 0)))
    try provider.deleteObject(object)
    #expect(provider.objects?.contains(object) == false)
  }

  @Test func `An update updates, and an insert finds owner and maker by their names`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    try provider.reloadData()
    let (holders, makers) = (
      try store.count(Query<Holder>()), try store.count(Query<Maker>())
    )
    try provider.updateObject(at: path(0, 0), by: Ownership(1, "Ann", "VW", "Golf", 11))
    try provider.insertObject(by: Ownership(5, "Bob", "VW", "Up"))
    #expect(try store.find(Auto.self, 1)?.mileage == 11)
    #expect(try store.count(Query<Auto>()) == 5)
    #expect(try store.count(Query<Holder>()) == holders)
    #expect(try store.count(Query<Maker>()) == makers)
    #expect(throws: StoreError.alreadyExists(ObjectID(Auto.self, 5))) {
      try provider.insertObject(by: Ownership(5, "Eve", "Opel", "Corsa"))
    }
    // What failed has left nothing behind.
    #expect(try store.count(Query<Holder>()) == holders)
  }

  @Test(arguments: TestStorage.withServer)
  func `An edit by id on another screen reaches the list, also of what isn't shown`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom()
    let list = makeProvider(store, ownerships.filter { $0.mileage < 100 })
    let edit = makeProvider(store)
    let listener = ProviderListener(list)
    try list.reloadData()
    // The other screen has fetched no list at all.
    var car = try #require(try edit.object(with: 1))
    #expect(car == Ownership(1, "Ann", "VW", "Golf", 10))
    car.mileage = 100
    try edit.updateObject(with: 1, by: car)
    #expect(listener.list.flatMap(\.rows).map { $0?.id } == [2, 3, 4])
    #expect(try list.object(with: 1)?.mileage == 100)
    #expect(try edit.object(with: 77) == nil)
  }

  @Test func `A commit that changes nothing is no event`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    let commits = Recorder(store.commits)
    try provider.reloadData()
    try provider.updateObject(at: path(0, 0), by: Ownership(1, "Ann", "VW", "Golf", 10))
    #expect(listener.events.count == 1)
    #expect(commits.values.isEmpty)
  }

  @Test func `The store reports the ids that a request inserted, updated and deleted`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    try provider.reloadData()
    let commits = Recorder(store.commits)
    try provider.insertObject(by: Ownership(5, "Ann", "VW", "Up"))
    try provider.updateObject(with: 5, by: Ownership(5, "Ann", "VW", "Up", 5))
    try provider.deleteObject(with: 5)
    let changes = commits.values.map { $0.changes(of: Auto.self) }
    #expect(changes.map { $0.inserted.map(\.id) } == [[5], [], []])
    #expect(changes.map { $0.updated.map(\.new.id) } == [[], [5], []])
    #expect(changes.map { $0.deleted.map(\.id) } == [[], [], [5]])
  }

  @Test func `A request that has returned is in the file`() throws {
    let path = temporaryPath("fleet")
    let entities: [any Entity.Type] = [Auto.self, Holder.self, Maker.self]
    do {
      let store = try Store(.sqlite(path: path), entities: entities)
      try makeProvider(store).insertObject(by: Ownership(5, "Ann", "VW", "Up"))
    }
    let store = try Store(.sqlite(path: path), entities: entities)
    let provider = makeProvider(store)
    try provider.reloadData()
    #expect(provider.objects == [Ownership(5, "Ann", "VW", "Up")])
  }

  @Test func `Data that can't be read throw, and what was shown stays`() throws {
    let storage = FlakyStorage()
    let store = try Store(
      .custom { storage }, entities: [Auto.self, Holder.self, Maker.self])
    try store.commit { try seedShowroom($0) }
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) { try provider.reloadData() }
    #expect(provider.objects == nil)
    storage.isFailing.store(0)
    try provider.reloadData()
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) { try provider.filter { $0.mileage > 1 } }
    #expect(throws: FlakyStorage.ReadFailure.self) { _ = try provider.object(with: 1) }
    storage.isFailing.store(0)
    #expect(provider.query.description == ownerships.description)
    try provider.deleteObject(with: 4)
    #expect(listener.reasons == [.reload, .change])
    #expect(listener.list == readOut(provider))
  }
}
