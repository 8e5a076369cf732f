import EntityStore
import FetchedObjects
import Relays
import TestSupport
import Testing

@Suite struct `What lives in a store can be looked at` {
  @Test(arguments: TestStorage.allCases)
  func `Results are told with their models, rows and work, and go with them`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fill()
    let query = Query<Car>().sorted { [$0.model.ascending] }
    #expect(store.liveResults.isEmpty)
    do {
      let first = try FetchedObjectsModel(query, in: store)
      let second = try FetchedObjectsModel(query, in: store)
      let window = try FetchedObjectsModel(query.limit(1), in: store)
      let count = try store.count(Query<Car>())
      let rows = try #require(store.liveResults.first { $0.kind == .rows })
      #expect(rows.modelCount == 2 && rows.rowCount == count && rows.work.fetches == 1)
      #expect(store.liveResults.first { $0.kind == .window }?.rowCount == 1)
      #expect(store.liveResults.first { $0.kind == .index }?.rowCount == count)
      #expect(store.liveResults.count == 3)
      withExtendedLifetime((first, second, window)) {}
    }
    #expect(store.liveResults.isEmpty)
  }

  @Test func `F6: the work of a model counts on when its query or window changes`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let byModel = Query<Car>().sorted { [$0.model.ascending] }
    let byYear = Query<Car>().sorted { [$0.year.descending] }
    let other = try FetchedObjectsModel(byYear, in: store)
    let model = try FetchedObjectsModel(byModel, in: store)
    let events = Recorder(model.didChange)
    try store.commit { try $0.update(Car.self, 1) { $0.model = "Z" } }
    #expect(events.values.count == 1)
    let before = model.work
    #expect(before.commits == 1 && before.fetches == 1 && before.differences == 1)
    // Somebody has this one already.
    try model.setQuery(byYear)
    var work = model.work
    #expect(work.commits == 1 && work.fetches == 1)
    try store.commit { try $0.update(Car.self, 1) { $0.model = "Y" } }
    #expect(model.work.commits == 2)
    try model.setQuery(byModel)
    #expect(model.work.fetches == 2)
    // A window and its index are read, and the index is that of the next one.
    try model.setWindow(offset: 0, limit: 1)
    work = model.work
    #expect(work.fetches == 4 && work.commits == 2)
    try model.setWindow(offset: 1, limit: 1)
    #expect(model.work.fetches == 5 && model.work.commits == 2)
    try store.commit { try $0.update(Car.self, 1) { $0.model = "X" } }
    #expect(model.work.commits > 2 && model.work.commits <= 4)
    #expect(other.work.commits == 3)
  }

  @Test func `Subscriptions are counted until they are cancelled`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fill()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let car = try ObservedEntity<Car>(1, in: store)
    let tokens = [
      model.didChange.subscribe { _ in }, model.willChange.subscribe { _ in },
      model.steps.subscribe { _ in }, model.errors.subscribe { _ in },
    ]
    let observed = [car.didChange.subscribe { _ in }, car.errors.subscribe { _ in }]
    #expect(model.subscriptionCount == 4 && car.subscriptionCount == 2)
    for token in tokens + observed { token.cancel() }
    #expect(model.subscriptionCount == 0 && car.subscriptionCount == 0)
  }
}
