import CacheTracking
import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// F13 for what is made of a list: trackers and the provider show a commit before anybody is called.
@Suite struct TrackersShowTogetherTests {
  private final class Notes: Sendable {
    private let state = Locked<[[String]]>([])
    func note(_ value: [String]) { state.withLock { $0.append(value) } }
    var values: [[String]] { state.withLock { $0 } }
  }

  // One that fetches again shows a commit with its batch.
  @Test(arguments: [TrackerKind.results, .indexOnly])
  func `F13: a tracker shows a commit before the first callback of that commit`(
    _ kind: TrackerKind
  ) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let earlier = try FetchedObjectsModel(Query<Car>(), in: store)
    let person = try ObservedEntity<Person>(2, in: store)
    let tracker = kind.make(store, includesOwner: true)
    let notes = Notes()
    let tokens = [
      earlier.willChange.subscribe { _ in notes.note(["will"] + tracker.titles()) },
      earlier.didChange.subscribe { _ in notes.note(["did"] + tracker.titles()) },
      person.didChange.subscribe { _ in notes.note(["observed"] + tracker.titles()) },
      store.commits.subscribe { _ in notes.note(["commit"] + tracker.titles()) },
    ]
    let consumer = Consumer(tracker, isSectioned: true)
    try tracker.start(CacheRequest(query: byOwner))
    try store.commit { draft in
      try draft.update(Person.self, 2) { $0.name = "Zoe" }
      try draft.update(Car.self, 1) { $0.owner = Ref(2) }
    }
    let shown = ["Ann", "Zoe"]
    #expect(
      notes.values == [["commit"] + shown, ["will"] + shown, ["did"] + shown, ["observed"] + shown])
    #expect(consumer.failures.isEmpty && consumer.batches.count == 2)
    #expect(consumer.ids == [[2], [3, 1]])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor
  func `F13: an index-only tracker gives the rows of the commit that is delivered`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let earlier = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .mainActor, policy: .every)
    let tracker = IndexOnlyCacheTracker<Car, String>(in: store, delivery: .mainActor) {
      $0.model
    }
    try tracker.start(with: CacheRequest(query: Query<Car>().sorted { [$0.model.ascending] }))
    let notes = Notes()
    let token = earlier.didChange.subscribe { event in
      let paths = (0..<event.after.count).map { ListPath(section: 0, row: $0) }
      notes.note(
        ["\(tracker.rowCounts)"] + ((try? tracker.objects(at: paths)) ?? []).map { $0 ?? "-" })
    }
    TestThread {
      try? store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: nil)) }
      try? store.commit { try $0.delete(Car.self, 1) }
    }.join()
    #expect(tracker.rowCounts == [4])
    await store.flush()
    // Objects are read at the newest version, which the Volvo isn't in.
    #expect(
      notes.values == [
        ["[5]", "Fiat", "Seat", "Skoda", "Tesla", "-"], ["[4]", "Fiat", "Seat", "Skoda", "Tesla"],
      ])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: TestStorage.withServer)
  func `F13: a provider shows a commit before the first callback of that commit`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom()
    let earlier = try FetchedObjectsModel(Query<Auto>(), in: store)
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    let notes = Recorder(
      earlier.didChange.map { _ in
        (list: readOut(provider), objects: provider.objects?.count, told: listener.events.count)
      })
    try provider.insertObject(by: Ownership(5, "Dan", "VW", "Up"))
    try provider.deleteObject(with: 1)
    #expect(notes.values.map(\.told) == [1, 2])
    #expect(notes.values.map(\.objects) == [5, 4])
    #expect(
      notes.values.map { $0.list.map(\.header) } == [
        ["Ann", "Bob", "Cid", "Dan"], ["Ann", "Bob", "Cid", "Dan"],
      ])
    #expect(notes.values.last?.list == listener.list)
    #expect(listener.events.map { $0.before?.objects?.count } == [nil, 4, 5])
    #expect(listener.reasons == [.reload, .change, .change])
  }

  // The objects of an index-only list are read in each callback, which is slow while thousands of commits wait.
  @Test(.oneThread, arguments: [TrackerKind.results, .refetching])
  func `F12, F13: in a context that is behind, a tracker shows and delivers merged commits as one`(
    _ kind: TrackerKind
  ) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let earlier = try FetchedObjectsModel(Query<Car>(), in: store)
    let isFirst = Locked(true)
    let token = earlier.didChange.subscribe { _ in
      let mustFall = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if !mustFall { return }
      for year in 0..<10_010 {
        try? store.commit { draft in try draft.update(Car.self, year % 3 + 1) { $0.year = year } }
      }
    }
    let tracker = kind.make(store)
    let consumer = Consumer(tracker, isSectioned: false)
    try tracker.start(CacheRequest(query: Query<Car>().sorted { [$0.year.ascending] }))
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(consumer.failures.isEmpty)
    #expect(consumer.batches.count < 10_010)
    #expect(consumer.list[0].rows.map(\.year) == [10_007, 10_008, 10_009])
    withExtendedLifetime(token) {}
  }

  @Test(.oneThread)
  func `F12, F13: in a context that is behind, an index-only tracker merges its positions, too`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let earlier = try FetchedObjectsModel(Query<Car>(), in: store)
    let isFirst = Locked(true)
    let token = earlier.didChange.subscribe { _ in
      let mustFall = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if !mustFall { return }
      for id in 10..<10_020 {
        try? store.commit { try $0.insert(Car(id: id, model: "", year: id, owner: nil)) }
      }
    }
    let tracker = IndexOnlyCacheTracker<Car, Int>(in: store) { $0.id }
    let counts = Locked<[Int]>([])
    // Objects aren't read here: that takes long while thousands of commits wait.
    let batches = tracker.batches.subscribe { batch in
      let added = batch.insertTransactions.count - batch.deleteTransactions.count
      counts.withLock { $0.append(($0.last ?? 0) + added) }
      #expect(tracker.rowCounts == [counts.withLock { $0.last ?? 0 }])
    }
    try tracker.start(with: CacheRequest(query: Query<Car>().sorted { [$0.year.ascending] }))
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(counts.withLock { $0.count } < 10_010)
    #expect(counts.withLock { $0.last } == 10_013)
    withExtendedLifetime((token, batches)) {}
  }

  @Test(arguments: TrackerKind.allCases)
  func `a tracker without subscribers doesn't compute the changes of its list`(
    _ kind: TrackerKind
  ) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = kind.make(store)
    let query = Query<Car>().sorted { [$0.year.ascending] }
    try tracker.start(CacheRequest(query: query))
    let model = try FetchedObjectsModel(query, in: store)
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(model.work.differences == 0 && tracker.transforms.value == 0)
    let batches = Recorder(tracker.batches)
    try store.commit { try $0.delete(Car.self, 3) }
    // It leads on from the list before, though nobody was told of that.
    #expect(batches.values.map(\.changes.deletes) == [[ListPath(section: 0, row: 2)]])
    if kind == .results { #expect(model.work.differences == 1) }
  }
}
