@_spi(Storage) import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct DerivedLifetimeTests {
  @Test func `A derived model holds its sources, and is deallocated when it is released`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    weak var weakSource: FetchedObjectsModel<Car>?
    weak var weakMap: DerivedModel<CarRow>?
    weak var weakWhole: DerivedModel<CarRow>?
    var whole: DerivedModel<CarRow>?
    do {
      let source = try FetchedObjectsModel(byOwner, in: store)
      let map = source.map { CarRow(diffIdentifier: $0.id, title: $0.model, band: 0) }
      whole = map.filter { $0.title != "" }.concatenated(with: map)
      weakSource = source
      weakMap = map
      weakWhole = whole
    }
    #expect(weakSource != nil && weakMap != nil)
    let events = Recorder(try #require(whole).didChange)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(events.values.count == 1)
    whole = nil
    #expect(weakSource == nil && weakMap == nil && weakWhole == nil)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(events.values.count == 1)
  }

  @Test func `Captures of closures are released with the model, though the source stays`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let source = try FetchedObjectsModel(byOwner, in: store)
    try LifetimeTracker.check { tracker in
      let object = tracker.track()
      let mapped = source.map { car in
        _ = object
        return CarRow(diffIdentifier: car.id, title: car.model, band: 0)
      }
      let filtered = mapped.filter { row in
        _ = object
        return row.title != ""
      }
      let token = filtered.didChange.subscribe { _ in _ = object }
      try store.commit { try $0.update(Car.self, 1) { $0.model = "Saab" } }
      token.cancel()
    }
    try store.commit { try $0.update(Car.self, 1) { $0.model = "Seat" } }
  }

  @Test func `A subscription keeps no derived model alive`() throws {
    let store = try TestStorage.memory.makeGarage()
    let source = try FetchedObjectsModel(Query<Car>(), in: store)
    weak var weakModel: DerivedModel<EntityView<Car>>?
    let token: SubscriptionToken
    do {
      let model = source.filter { $0.year > 0 }
      weakModel = model
      token = model.didChange.subscribe { _ in }
    }
    #expect(weakModel == nil)
    try store.fillGarage()
    withExtendedLifetime(token) {}
  }

  @Test func `R6: the errors of a derived list end with it, though its source stays`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let source = try FetchedObjectsModel(byOwner, in: store)
    var rows: DerivedModel<EntityView<Car>>? = source.filter { $0.year > 2000 }
    let errors = Recorder(try #require(rows).errors)
    #expect(rows?.subscriptionCount == 1)
    #expect(source.subscriptionCount == 0)
    let others = Recorder(source.errors)
    rows = nil
    #expect(errors.hasEnded)
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    #expect(errors.values.isEmpty)
    #expect(others.values.count == 1)
  }

  @Test func `F11: lists that are derived from two lists of one model have each error once`() throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let source = try FetchedObjectsModel(byOwner, in: store)
    let whole = source.filter { $0.year > 2000 }.concatenated(with: source)
    let part = whole.filter { $0.year > 2010 }
    let all = part.concatenated(with: whole)
    let errors = [whole, part, all].map { Recorder($0.errors) }
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    #expect(errors.map(\.values.count) == [1, 1, 1])
  }

  @Test func `A derived model may be released in a callback, its own or its source's`() throws {
    let store = try TestStorage.memory.makeGarage()
    let source = try FetchedObjectsModel(Query<Car>(), in: store)
    final class Owner: @unchecked Sendable {  // used on one thread
      var models: [DerivedModel<EntityView<Car>>] = []
      var tokens: [SubscriptionToken] = []
      var told = 0
    }
    let owner = Owner()
    owner.models = [source.filter { _ in true }, source.filter { _ in true }]
    owner.tokens = owner.models.map { model in
      model.didChange.subscribe { [weak owner] _ in
        owner?.told += 1
        owner?.models = []
      }
    }
    try store.fillGarage()
    // The second one is told too: the event had come when the first one's subscriber dropped both.
    #expect(owner.told >= 1)
    owner.models = [source.filter { _ in true }]
    owner.told = 0
    let token = source.didChange.subscribe { [weak owner] _ in owner?.models = [] }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(owner.told == 0 && owner.models.isEmpty)
    withExtendedLifetime(token) {}
  }
}
