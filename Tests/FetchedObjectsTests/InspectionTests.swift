import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import Relays
import Testing

@Suite struct `Live results and subscriptions of a store can be inspected` {
  @Test(arguments: TestStorage.withServer)
  func `Results are listed with their models, rows and work, and end with the models`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.model.ascending] }
    #expect(store.liveResults.isEmpty)
    do {
      let first = try FetchedObjectsModel(query, in: store)
      let second = try FetchedObjectsModel(query, in: store)
      let near = try FetchedObjectsModel(query.limit(1), in: store)
      let far = try FetchedObjectsModel(query.limit(1, offset: 4000), in: store)
      let count = try store.count(Query<Car>())
      let rows = try #require(store.liveResults.first { $0.kind == .rows })
      #expect(rows.modelCount == 2 && rows.rowCount == count && rows.work.fetches == 1)
      #expect(store.liveResults.first { $0.kind == .nearRows }?.rowCount == count)
      #expect(store.liveResults.first { $0.kind == .window }?.rowCount == 0)
      #expect(store.liveResults.first { $0.kind == .index }?.rowCount == count)
      #expect(store.liveResults.count == 4)
      withExtendedLifetime((first, second, near, far)) {}
    }
    #expect(store.liveResults.isEmpty)
  }

  @Test func `Subscriptions are counted until they are cancelled`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let car = try ObservedEntity<Car>(1, in: store)
    let tokens = [
      model.didChange.subscribe { _ in }, model.willChange.subscribe { _ in },
      model.steps.subscribe { _ in }, model.errors.subscribe { _ in },
    ]
    let observed = [car.didChange.subscribe { _ in }, car.errors.subscribe { _ in }]
    let index = try IndexedObjectsModel(Query<Car>(), in: store)
    let indexed = [index.didChange.subscribe { _ in }, index.errors.subscribe { _ in }]
    let state = StateRelay(1)
    let stated = [state.subscribe { _ in }, state.subscribe { _ in }, state.subscribe { _ in }]
    #expect(model.subscriptionCount == 4 && car.subscriptionCount == 2)
    #expect(index.subscriptionCount == 2 && state.subscriptionCount == 3)
    for token in tokens + observed + indexed + stated { token.cancel() }
    #expect(model.subscriptionCount == 0 && car.subscriptionCount == 0)
    #expect(index.subscriptionCount == 0 && state.subscriptionCount == 0)
  }
}
