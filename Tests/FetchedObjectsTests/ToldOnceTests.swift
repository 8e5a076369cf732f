@_spi(Storage) import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

/// What reviewers found to be told twice, late or not at all.
@Suite struct ToldOnceTests {
  actor Place {}

  final class Holder<Value: Sendable>: Sendable {
    let value: Locked<Value?>

    init(_ value: Value) { self.value = Locked(value) }

    func drop() {
      let old = value.withLock { $0.take() }
      withExtendedLifetime(old) {}
    }
  }

  @Test func `F9: a reader of a section's sum is notified of its changes outside the window`()
    throws
  {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      for id in 1...4 { try draft.insert(Item(id, name: "a", stock: 10)) }
    }
    let query = Query<Item>().sectioned { $0.name }.sorted { [$0.id.ascending] }
      .aggregating { $0.stock }.limit(2)
    let model = try FetchedObjectsModel(query, in: store)
    let section = timesTold { _ = try? model.section(for: SectionID("a"))?.sum { $0.stock } }
    let whole = timesTold { _ = try? model.sections[0].sum { $0.stock } }
    try store.commit { try $0.update(Item.self, 4) { $0.stock = 50 } }
    #expect(try model.section(for: SectionID("a"))?.sum { $0.stock } == 80)
    #expect(whole.value == 1)
    #expect(section.value == 1)
  }

  @Test func `F2: resuming a model that isn't paused merges nothing`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let events = Recorder(model.didChange)
    let isFirst = AtomicWord(1)
    let token = model.didChange.subscribe { _ in
      guard isFirst.exchange(0) == 1 else { return }
      for year in 1...3 { try? store.commit { try $0.update(Car.self, 1) { $0.year = year } } }
      model.resume()
    }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 100 } }
    token.cancel()
    #expect(events.values.map(\.versions) == [2...2, 3...3, 4...4, 5...5])
  }

  @Test func `F14: a page is made once though another query has the same rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>().filter { $0.year > 1900 }, in: store)
    let made = Counter()
    let feed = FetchedObjectsFeed(
      of: model, row: { $0.id },
      page: { page in
        made.add()
        return page
      })
    let first = try feed.page(after: nil)
    try model.setQuery(Query<Car>().filter { $0.year > 1901 })
    let before = made.value
    for _ in 0..<10 { _ = try feed.page(after: first.cursor) }
    #expect(made.value - before <= 1)
  }

  @Test func `F11: an error is over once another query has been read`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    storage.isFailing.store(0)
    #expect(model.error != nil)
    try model.setQuery(Query<Car>().filter { $0.year < 1000 })
    #expect(model.fetchedObjects.map(\.id) == [5])
    #expect(model.error == nil)
    try store.commit { try $0.update(Car.self, 1) { $0.model = "X" } }
    #expect(model.error == nil)
  }

  @Test func `F12: a paused index-only model keeps no versions between`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.year.ascending] }
    func follower() throws -> IndexFollower {
      try IndexFollower(
        query.description, in: store, delivery: .immediate, policy: nil, cacheCapacity: 10,
        FollowerReceiver())
    }
    let quick = try follower()
    let slow = try follower()
    slow.pause()
    struct Held { weak var index: IndexSnapshot? }
    var held: [Held] = []
    for year in 0..<100 {
      try store.commit { try $0.update(Car.self, 1) { $0.year = 1990 + year } }
      held.append(Held(index: quick.shown.index))
    }
    #expect(held.filter { $0.index != nil }.count <= 3)
    slow.resume()
    #expect(held.filter { $0.index != nil }.count <= 1)
  }

  @Test(arguments: [true, false])
  func `F13: a model that is released in a callback publishes nothing`(_ isIndexed: Bool) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let first = try FetchedObjectsModel(Query<Car>(), in: store)
    let told = Counter()
    let drop: @Sendable () -> Void
    let tokens: [SubscriptionToken]
    if isIndexed {
      let holder = Holder(try IndexedObjectsModel(Query<Car>(), in: store))
      tokens = holder.value.withLock {
        [$0?.didChange.subscribe { _ in told.add() }].compactMap(\.self)
      }
      drop = { holder.drop() }
    } else {
      let holder = Holder(try FetchedObjectsModel(Query<Car>(), in: store))
      tokens = holder.value.withLock {
        [$0?.didChange.subscribe { _ in told.add() }].compactMap(\.self)
      }
      drop = { holder.drop() }
    }
    let token = first.didChange.subscribe { _ in drop() }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(told.value == 0)
    token.cancel()
    for token in tokens { token.cancel() }
  }

  /// Nothing is delivered to it, so it shows for good what it showed first.
  private func modelWhoseActorHasGone(_ store: Store) throws -> IndexedObjectsModel<Car> {
    let place = Place()
    return try IndexedObjectsModel(
      Query<Car>().sorted { [$0.model.ascending] }, in: store, delivery: .on(place))
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: an index-only model of a deallocated actor gives the newest object, or nil`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try modelWhoseActorHasGone(store)
    let path = ListPath(section: 0, row: 0)
    let old = try model.object(at: path)
    #expect(old?.id == 2)
    try store.commit { try $0.update(Car.self, 2) { $0.year = 7 } }
    #expect(try model.object(at: path)?.year == 7)
    let last = ListPath(section: 0, row: 1)
    #expect(try model.object(at: last)?.id == 4)
    try store.commit { try $0.delete(Car.self, 4) }
    try store.commit { try $0.insert(Car(id: 99, model: "Zonda", year: 1, owner: nil)) }
    let now = try model.object(at: last)
    #expect(now == nil || now?.id == 4)
    #expect(now == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: with a deallocated actor, a row number that is used again gives no other row`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try modelWhoseActorHasGone(store)
    let last = ListPath(section: 0, row: 1)
    try store.commit { try $0.delete(Car.self, 4) }
    try store.commit { try $0.insert(Car(id: 99, model: "Zonda", year: 1, owner: nil)) }
    let now = try model.object(at: last)
    #expect(now == nil || now?.id == 4)
  }

  @Test func `F13: a derived model that is released in a callback publishes nothing`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let first = cars.filter { _ in true }
    let second = Locked<DerivedModel<EntityView<Car>>?>(cars.filter { _ in true })
    let told = Counter()
    let other = second.withLock { $0?.didChange.subscribe { _ in told.add() } }
    let token = first.didChange.subscribe { _ in
      let old = second.withLock { $0.take() }
      _ = old
    }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(told.value == 0)
    token.cancel()
    other?.cancel()
  }

  @Test func `F9: a sum that is what it was is no change`() throws {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      for id in 1...4 { try draft.insert(Item(id, name: "a", stock: 10, price: 2)) }
    }
    let query = Query<Item>().sectioned { $0.name }.sorted { [$0.id.ascending] }.aggregating {
      $0.stock
      $0.price
    }
    let model = try FetchedObjectsModel(query, in: store, policy: .coalesced)
    // Two versions of one sum whose rows are net the same: nothing is to be told.
    let section = timesTold { _ = try? model.section(for: SectionID("a"))?.sum { $0.stock } }
    model.pause()
    try store.commit { try $0.update(Item.self, 4) { $0.stock = 50 } }
    try store.commit { try $0.update(Item.self, 4) { $0.stock = 10 } }
    model.resume()
    #expect(section.value == 0)
    #expect(try model.section(for: SectionID("a"))?.sum { $0.stock } == 40)
  }

  @Test(arguments: TestStorage.withServer)
  func `F4, S8: a title of which only the bytes change is shown and published`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Ren\u{e9}" } }
    let query = Query<Car>().filter { $0.owner.name != nil }
      .sectioned(by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.id.ascending })
    let model = try FetchedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Rene\u{301}" } }
    let anew = try FetchedObjectsModel(query.including { $0.owner.age }, in: store)
    #expect(Array(model.sections[0].name.utf8) == Array("Rene\u{301}".utf8))
    #expect(Array(anew.sections[0].name.utf8) == Array("Rene\u{301}".utf8))
    #expect(events.values.first?.changes.updatedSections.count == 1)
  }

  @Test func `F11: a paused model keeps a few errors only`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let errors = Recorder(model.errors)
    model.pause()
    storage.isFailing.store(1)
    for year in 0..<500 { try store.commit { try $0.update(Car.self, 1) { $0.year = year } } }
    storage.isFailing.store(0)
    model.resume()
    #expect((1...32).contains(errors.values.count))
  }
}
