@_spi(Storage) import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

private func path(_ row: Int) -> ListPath { ListPath(section: 0, row: row) }

private let byModel = Query<Car>().sorted { [$0.model.ascending] }

@Suite struct IndexedModelTests {
  @Test(arguments: TestStorage.withServer)
  func `F1: models made beside a stream of commits miss none and publish none twice`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    let commits = storage == .memory ? 400 : 100
    let isDone = AtomicWord(0)
    typealias Made = (
      model: IndexedObjectsModel<Car>, recorder: Recorder<ListEvent<IndexedRow>>, first: Int,
      seen: Int
    )
    let models = Locked<[Made]>([])
    let maker = TestThread {
      while isDone.load() == 0 {
        guard let model = try? IndexedObjectsModel(byModel, in: store) else { continue }
        let first = model.count
        let recorder = Recorder(model.didChange)
        // The recorder gets what comes from here on, and perhaps an event before.
        let seen = model.count
        models.withLock { made in
          guard made.count < 40, (made.last?.first ?? -1) < first else { return }
          made.append((model, recorder, first, seen))
        }
      }
    }
    for id in 0..<commits {
      // Commits wait for models, so that these are made throughout.
      if id % 15 == 0 {
        expectTrue(becomesTrueBlocking { models.withLock { $0.count } > id / 15 })
      }
      try store.commit { try $0.insert(Car(id: id, model: "same", year: 0, owner: nil)) }
    }
    isDone.store(1)
    maker.join()
    for (model, recorder, first, seen) in models.withLock({ $0 }) {
      #expect(model.count == commits)
      // Each event starts where the one before ended. The recorder may have come after some, and before
      // the one that is counted is told.
      var last: Int?
      for event in recorder.values {
        #expect(event.after.count == event.before.count + 1)
        if let last { #expect(event.before.count == last) }
        last = event.after.count
      }
      #expect(last ?? seen == commits)
      #expect(recorder.values.allSatisfy { $0.after.count >= first })
    }
  }

  @Test func `F7: equal queries share one index, which is released with the last of them`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var first: IndexedObjectsModel<Car>? = try IndexedObjectsModel(byModel, in: store)
    let second = try IndexedObjectsModel(byModel, in: store)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(first?.work == second.work)
    #expect(second.work.fetches == 1)
    #expect(second.work.commits == 1)
    weak let gone = first
    first = nil
    #expect(gone == nil)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(second.count == 2)
  }

  @Test func `F12: rows are compared by what they hold only where their keys begin alike`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<1000 {
        try draft.insert(Car(id: id, model: "a long name \(id)", year: id, owner: nil))
      }
    }
    let apart = try IndexedObjectsModel(Query<Car>().sorted { [$0.year.ascending] }, in: store)
    let alike = try IndexedObjectsModel(byModel, in: store)
    try store.commit { try $0.update(Car.self, 500) { $0.year = 7000 } }
    #expect(apart.work.comparisons == 0)
    // The row is found before and stays where it is.
    #expect(alike.work.comparisons <= 14)
    try store.commit { try $0.update(Car.self, 500) { $0.model = "a long name 2" } }
    #expect(apart.work.comparisons == 0)
    #expect(alike.work.comparisons <= 3 * 14)
  }

  @Test func `F11: an error ends nothing; the last result stays, and the next commit catches up`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let model = try IndexedObjectsModel(byOwner, in: store)
    let events = Recorder(model.didChange)
    let errors = Recorder(model.errors)
    #expect(try model.id(at: path(0)) == 2)
    storage.isFailing.store(1)
    try store.commit { draft in
      try draft.delete(Car.self, 2)
      // It takes the number of the one that went.
      try draft.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(ann)))
    }
    #expect(errors.values.count == 1)
    #expect(model.error != nil)
    #expect(events.values.isEmpty)
    #expect(model.snapshot.rowCounts == [2, 1])
    #expect(try model.id(at: path(0)) == nil)
    #expect(try model.id(at: path(1)) == 1)
    // Who comes now reads anew.
    #expect(try IndexedObjectsModel(byOwner, in: store).id(at: path(0)) == 5)

    storage.isFailing.store(0)
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Rob" } }
    #expect(model.error == nil)
    #expect(model.sections.map(\.name) == ["Ann", "Rob"])
    #expect(try model.id(at: path(0)) == 5)
    let event = try #require(events.values.first)
    #expect(events.values.count == 1)
    try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
    #expect(event.changes.deletes == [path(0)])
    #expect(event.changes.inserts == [path(0)])
    #expect(event.changes.updates == [PositionChange(old: path(1), new: path(1))])
    try store.commit { try $0.delete(Car.self, 5) }
    #expect(events.values.last?.changes.deletes == [path(0)])
    #expect(events.values.last?.changes.updates == [])
  }

  @Test func `F1: commits that come while the first result is read are in it`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    storage.interruption.withLock {
      $0 = { try? store.commit { try $0.delete(Car.self, 2) } }
    }
    let model = try IndexedObjectsModel(byModel, in: store)
    #expect(model.count == 3)
    #expect(try model.id(at: path(0)) == 4)
    // One that can't be read then is caught up with by the next.
    storage.interruption.withLock {
      $0 = {
        storage.isFailing.store(1)
        try? store.commit { try $0.delete(Car.self, 1) }
        storage.isFailing.store(0)
      }
    }
    let late = try IndexedObjectsModel(byOwner, in: store)
    try store.commit { try $0.insert(Car(id: 9, model: "Audi", year: 1, owner: Ref(ann))) }
    #expect(late.snapshot.rowCounts == [1, 1])
    #expect(try late.id(at: path(0)) == 9)
  }

  @Test func `F11: a failed first reading throws, and so does one of objects`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let model = try IndexedObjectsModel(byModel, in: store)
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) {
      _ = try IndexedObjectsModel(byOwner, in: store)
    }
    #expect(throws: FlakyStorage.ReadFailure.self) { try model.object(at: path(0)) }
    #expect(throws: FlakyStorage.ReadFailure.self) { try model.path(for: 1) }
    storage.isFailing.store(0)
    #expect(try model.object(at: path(0))?.id == 2)
  }

  @Test func `F7: what SQL can't say is refused with what to do, and works in memory`() throws {
    let refused: [(query: Query<Car>, word: String)] = [
      (Query<Car>().sorted { [$0.model.ascending.caseInsensitive] }, "order"),
      (Query<Car>().filter { $0.model.lowercased == "a" }, "condition"),
    ]
    for (query, word) in refused {
      let error = #expect(throws: StoreError.self) {
        _ = try IndexedObjectsModel(query, in: TestStorage.file.makeGarage())
      }
      guard case .notIndexable(let entity, let part)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(entity == "Car")
      #expect(part.contains(word) && part.contains("Car.model"), "\(part)")
      _ = try IndexedPair(query, in: TestStorage.memory.makeGarage())
    }
    let storage = CountedStorage(hasNumbers: false)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    #expect(throws: StoreError.rowNumbersUnsupported) {
      _ = try IndexedObjectsModel(byModel, in: store)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `F7, S7: a condition may list many ids, some of which name nothing`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeGarage()
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<700).map { Car(id: $0, model: "\($0 % 9)", year: 0) })
    }
    let listed = (0..<601).map { 2 * $0 }
    let (some, others) = (
      byModel.filter { $0.id.in(listed) }, byModel.filter { !$0.id.in(listed) }
    )
    for query in [some, others] {
      let pair = try IndexedPair(query, in: store)
      #expect(pair.indexed.count == 350)
      try pair.check(told: 0, "\(query)")
    }
  }

  @Test @MainActor func `F6: under latest, what waits is one event`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try IndexedObjectsModel(byModel, in: store, delivery: .mainActor)
    let events = Recorder(model.didChange)
    TestThread {
      for year in 0..<5 { try? store.commit { try $0.update(Car.self, 3) { $0.year = year } } }
      try? store.commit { try $0.delete(Car.self, 2) }
    }.join()
    #expect(events.values.isEmpty)
    // A commit of the main actor is told before it returns, with what waits.
    try store.commit { try $0.insert(Car(id: 9, model: "A", year: 1, owner: nil)) }
    let event = try #require(events.values.first)
    #expect(events.values.count == 1)
    #expect(event.versions == 2...8)
    #expect(event.changes.deletes == [path(0)])
    #expect(event.changes.inserts == [path(0)])
    #expect(event.changes.updates == [PositionChange(old: path(2), new: path(2))])
  }

  @Test func `S6: windows, paths out of range, and sizes that can't be are named`() async {
    func text(_ result: ExitTest.Result?) -> String {
      result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    }
    let window = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Person.self, Car.self])
      let model = try IndexedObjectsModel(Query<Car>(), in: store)
      try model.setWindow(offset: -1, limit: 3)
    }
    #expect(text(window).contains("A window after -1 objects; use 0 or more"))
    let range = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Person.self, Car.self])
      let model = try IndexedObjectsModel(Query<Car>(), in: store)
      _ = try model.object(at: ListPath(section: 0, row: 0))
    }
    #expect(text(range).contains("There is no row at 0.0; the model shows [0] rows"))
    let batch = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Person.self, Car.self])
      _ = try IndexedObjectsModel(Query<Car>(), in: store, batchSize: 0)
    }
    #expect(text(batch).contains("A batch of 0 rows; use 1 or more"))
    let cache = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Person.self, Car.self])
      _ = try IndexedObjectsModel(Query<Car>(), in: store, cacheCapacity: -1)
    }
    #expect(text(cache).contains("A cache of -1 objects; use 0 or more"))
  }
}
