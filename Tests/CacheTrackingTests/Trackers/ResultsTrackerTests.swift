import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

private struct CarCell: Hashable, Sendable {
  var title: String
}

private final class Interactor: CacheTrackerDelegate {
  let received = Relay<CacheTransactionBatch<CarCell>>()
  func cacheTracker(_ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<CarCell>) {
    received.send(batch)
  }
}

private func makeTracker(_ store: Store) -> FetchedObjectsCacheTracker<Car, CarCell> {
  FetchedObjectsCacheTracker(in: store) { CarCell(title: "\($0.model) \($0.year)") }
}

private let request = CacheRequest(
  query: Query<Car>().filter { $0.year > 1990 }.sorted { [$0.model.ascending] },
  filterValue: "recent")

@Suite struct ResultsTrackerTests {
  @Test func `The first batch inserts every object, in order, with the type and the tag`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    let batch = tracker.transactionBatchFromCurrentCache()
    #expect(
      batch.insertTransactions.map(\.object.title) == [
        "Fiat 2004", "Skoda 2018", "Tesla 2014", "Volvo 1994",
      ])
    #expect(batch.insertTransactions.allSatisfy { $0.objectType == "Car" })
    #expect(batch.filterValue == "recent")
  }

  @Test
  func `A consumer that applies every batch has the list, and the delegate is notified first`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    let interactor = Interactor()
    tracker.delegate = interactor
    let delegated = Recorder(interactor.received.signal)
    let batches = Recorder(tracker.batches)
    var cells: [CarCell] = []
    tracker.transactionBatchFromCurrentCache().apply(to: &cells)
    try store.commit { draft in
      try draft.update(Car.self, 1) { $0.model = "Aston" }
      try draft.delete(Car.self, 2)
      try draft.insert(Car(id: 5, model: "Saab", year: 2000, owner: nil))
    }
    try store.commit { try $0.update(Car.self, 3) { $0.year = 1980 } }
    try store.commit { try $0.insert(Person(id: 7, name: "", age: 0)) }
    try #require(batches.values.count == 2)
    #expect(delegated.values.count == 2)
    for batch in batches.values { batch.apply(to: &cells) }
    #expect(cells.map(\.title) == ["Aston 1994", "Saab 2000", "Skoda 2018"])
    // A deletion carries what the object was last.
    #expect(batches.values[0].deleteTransactions.map(\.object.title) == ["Fiat 2004"])
    #expect(batches.values[0].moveTransactions.map(\.object.title) == ["Aston 1994"])
  }

  @Test func `A batch continues from a pull in an earlier callback, and no change comes twice`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    let early = try FetchedObjectsModel(Query<Car>(), in: store)
    try tracker.setup(with: request)
    let batches = Recorder(tracker.batches)
    let pulled = Locked<[CarCell]>([])
    let token = early.didChange.subscribe { _ in
      pulled.withLock { cells in
        guard cells.isEmpty else { return }
        tracker.transactionBatchFromCurrentCache().apply(to: &cells)
      }
    }
    try store.commit { try $0.insert(Car(id: 6, model: "Seat", year: 2020, owner: nil)) }
    #expect(batches.values.isEmpty)
    try store.commit { try $0.delete(Car.self, 1) }
    var cells = pulled.withLock { $0 }
    for batch in batches.values { batch.apply(to: &cells) }
    #expect(cells.map(\.title) == ["Fiat 2004", "Seat 2020", "Skoda 2018", "Tesla 2014"])
    token.cancel()
  }

  @Test func `A new request in an earlier callback loses no undelivered change`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    let early = try FetchedObjectsModel(Query<Car>(), in: store)
    try tracker.setup(with: request)
    var cells: [CarCell] = []
    tracker.transactionBatchFromCurrentCache().apply(to: &cells)
    let batches = Recorder(tracker.batches)
    let token = early.didChange.subscribe { _ in
      try? tracker.setup(
        with: CacheRequest(query: Query<Car>().sorted { [$0.model.descending] }))
    }
    try store.commit { try $0.insert(Car(id: 6, model: "Seat", year: 2020, owner: nil)) }
    for batch in batches.values { batch.apply(to: &cells) }
    #expect(
      cells.map(\.title) == [
        "Volvo 1994", "Tesla 2014", "Skoda 2018", "Seat 2020", "Fiat 2004",
      ])
    token.cancel()
  }

  @Test @MainActor func `The difference to a new request is delivered in the tracker's context`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = FetchedObjectsCacheTracker<Car, CarCell>(in: store, delivery: .mainActor) {
      CarCell(title: $0.model)
    }
    try tracker.setup(with: request)
    let batches = Recorder(tracker.batches)
    TestThread { try? tracker.setup(with: CacheRequest(query: Query<Car>())) }.join()
    #expect(batches.values.isEmpty)
    // A commit here delivers what waits here, and then itself.
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(batches.values.map(\.deleteTransactions.count) == [0, 1])
  }

  @Test func `Setting up again delivers the difference`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    let batches = Recorder(tracker.batches)
    var cells: [CarCell] = []
    tracker.transactionBatchFromCurrentCache().apply(to: &cells)
    try tracker.setup(
      with: CacheRequest(
        query: Query<Car>().filter { $0.year > 2010 }.sorted { [$0.model.descending] }))
    try store.commit { try $0.insert(Car(id: 6, model: "Seat", year: 2020, owner: nil)) }
    for batch in batches.values { batch.apply(to: &cells) }
    #expect(cells.map(\.title) == ["Tesla 2014", "Skoda 2018", "Seat 2020"])
    #expect(batches.values.count == 2)
  }
}
