import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

private let request = CacheRequest(Car.self, orderings: { [$0.model.ascending] })

private func makeTracker(
  _ store: Store, _ delivery: Delivery = .immediate
) -> any CacheTracker<Car, String> {
  RefetchingCacheTracker<Car, String>(in: store, delivery: delivery) { $0.model }
}

@Suite struct TrackerDelegateTests {
  @Test func `Through the protocol, a delegate learns which tracker notifies it`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let trackers: [any CacheTracker<Car, String>] = [
      FetchedObjectsCacheTracker<Car, String>(in: store) { $0.model }, makeTracker(store),
    ]
    let listener = Listener()
    for tracker in trackers {
      tracker.delegate = listener
      try tracker.setup(with: request)
    }
    try store.commit { try $0.delete(Car.self, 1) }
    // One that fetches again delivers with `commits`, and so before models do.
    #expect(listener.tellers.withLock { $0 } == trackers.reversed().map(ObjectIdentifier.init))
    #expect(listener.deleted.withLock { $0 } == ["Volvo", "Volvo"])
  }

  @Test func `A delegate is held weakly and notified before subscribers`() throws {
    let store = try TestStorage.memory.makeGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    let order = Locked<[String]>([])
    let token = tracker.batches.subscribe { _ in order.withLock { $0.append("subscriber") } }
    var listener: Listener? = Listener { order.withLock { $0.append("delegate") } }
    tracker.delegate = listener
    try store.fillGarage()
    weak let gone = listener
    listener = nil
    #expect(gone == nil)
    #expect(tracker.delegate == nil)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(order.withLock { $0 } == ["delegate", "subscriber", "subscriber"])
    token.cancel()
  }

  @Test @MainActor func `A class of the main actor is a delegate`() throws {
    let store = try TestStorage.memory.makeGarage()
    let tracker = makeTracker(store, .mainActor)
    let screen = MainScreen()
    tracker.delegate = screen
    try tracker.start(with: request)
    try store.fillGarage()
    #expect(screen.rows == ["Fiat", "Skoda", "Tesla", "Volvo"])
  }

  @Test func `An actor is a delegate`() async throws {
    let store = try TestStorage.memory.makeGarage()
    let desk = DelegateDesk()
    let tracker = makeTracker(store, .on(desk))
    tracker.delegate = desk
    try tracker.start(with: request)
    try store.fillGarage()
    await store.flush()
    #expect(await desk.rows == ["Fiat", "Skoda", "Tesla", "Volvo"])
  }

  @Test func `Batches flow unchanged from tracker to table, pulled or pushed`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let table = Table()
    let interactor = ListInteractor(makeTracker(store), output: ListPresenter(table))
    try interactor.setupCacheTracking(with: request)
    #expect(table.rows.withLock { $0 } == ["header", "<Fiat>", "<Skoda>", "<Tesla>", "<Volvo>"])
    try store.commit { draft in
      try draft.update(Car.self, 1) { $0.model = "Audi" }
      try draft.update(Car.self, 3) { $0.model = "Tesla 3" }
      try draft.delete(Car.self, 4)
      try draft.insert(Car(id: 9, model: "Zil", year: 1970, owner: nil))
    }
    #expect(table.rows.withLock { $0 } == ["header", "<Audi>", "<Fiat>", "<Tesla 3>", "<Zil>"])
    // The table knows nothing of stores, and keeps a list of its own.
    #expect(table.batches.withLock { $0 } == 2)
  }

  @Test(arguments: TrackerKind.allCases)
  func `Each object that comes or changes is transformed once, and no other`(
    _ kind: TrackerKind
  ) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(request)
    #expect(tracker.transforms.value == 4)
    try store.commit { draft in
      try draft.insert(Car(id: 9, model: "Audi", year: 1970, owner: nil))
      try draft.update(Car.self, 2) { $0.model = "Zil" }
      try draft.update(Car.self, 3) { $0.year = 1 }
    }
    #expect(tracker.transforms.value == 7)
    try store.commit { try $0.insert(Person(id: 9, name: "Eve", age: nil)) }
    #expect(tracker.transforms.value == 7)
    #expect(consumer.batches.count == 2)
  }

  @Test func `A deletion carries what the object was last`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = makeTracker(store)
    try tracker.setup(with: request)
    let batches = Recorder(tracker.batches)
    try store.commit { draft in
      try draft.update(Car.self, 1) { $0.model = "Saab" }
      try draft.delete(Car.self, 1)
    }
    #expect(batches.values.first?.deleteTransactions.map(\.object) == ["Volvo"])
  }

  @Test func `a batch without a listener isn't made`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = TrackerKind.refetching.make(store)
    try tracker.start(request)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(tracker.transforms.value == 0)
  }

  @Test(arguments: TrackerKind.allCases)
  func `A request for a part of a result is followed`(_ kind: TrackerKind) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = kind.make(store)
    let consumer = Consumer(tracker)
    try tracker.start(
      CacheRequest(query: Query<Car>().sorted { [$0.model.ascending] }.limit(2, offset: 1)))
    #expect(consumer.ids == [[4, 3]])
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(consumer.ids == [[3, 1]])
    #expect(consumer.failures.isEmpty && consumer.batches.count == 2)
  }
}

private final class Listener: CacheTrackerDelegate {
  let tellers = Locked<[ObjectIdentifier]>([])
  let deleted = Locked<[String]>([])
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void = {}) { self.body = body }

  func cacheTracker(_ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<String>) {
    tellers.withLock { $0.append(ObjectIdentifier(tracker)) }
    deleted.withLock { $0 += batch.deleteTransactions.map(\.object) }
    body()
  }
}

@MainActor private final class MainScreen: CacheTrackerDelegate {
  var rows: [String] = []

  nonisolated func cacheTracker(
    _ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<String>
  ) {
    MainActor.assumeIsolated { batch.apply(to: &rows) }
  }
}

private actor DelegateDesk: CacheTrackerDelegate {
  var rows: [String] = []

  nonisolated func cacheTracker(
    _ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<String>
  ) {
    assumeIsolated { batch.apply(to: &$0.rows) }
  }
}

// The three layers above a tracker, as a screen has them.

private protocol ListOutput: Sendable {
  func didProcess(_ batch: CacheTransactionBatch<String>)
}

private final class ListInteractor: CacheTrackerDelegate {
  private let tracker: any CacheTracker<Car, String>
  private let output: any ListOutput

  init(_ tracker: any CacheTracker<Car, String>, output: any ListOutput) {
    self.tracker = tracker
    self.output = output
    tracker.delegate = self
  }

  func setupCacheTracking(with request: CacheRequest<Car>) throws {
    try tracker.setup(with: request)
    output.didProcess(tracker.transactionBatchFromCurrentCache())
  }

  func cacheTracker(_ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<String>) {
    output.didProcess(batch)
  }
}

private struct ListPresenter: ListOutput {
  private let table: Table
  init(_ table: Table) { self.table = table }
  func didProcess(_ batch: CacheTransactionBatch<String>) { table.update(with: batch) }
}

private final class Table: Sendable {
  /// The first row is the table's own.
  let rows = Locked(["header"])
  let batches = Locked(0)

  func update(with batch: CacheTransactionBatch<String>) {
    batches.withLock { $0 += 1 }
    rows.withLock { batch.offset(rows: 1).apply(to: &$0) { "<\($0)>" } }
  }
}
