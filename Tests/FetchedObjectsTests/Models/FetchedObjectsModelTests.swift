@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct FetchedObjectsModelTests {
  @Test(arguments: TestStorage.withServer)
  func `F1: the first result is there when init returns`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    #expect(cars.sections.map(\.name) == ["Ann", "Bob"])
    #expect(cars.sections.map(\.indexTitle) == ["A", "B"])
    #expect(cars.fetchedObjects.map(\.model) == ["Fiat", "Volvo", "Tesla"])
    #expect(cars.snapshot[ListPath(section: 0, row: 0)].owner?.name == "Ann")
    #expect(cars.path(for: 3) == ListPath(section: 1, row: 0))
    #expect(cars.path(for: 4) == nil)
    #expect(cars.snapshot.row(for: 3)?.model == "Tesla")
  }

  @Test(arguments: TestStorage.withServer)
  func `F1: a model made in a commit's body shows the last commit, and then this one`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    var model: FetchedObjectsModel<Car>?
    var recorder: Recorder<ListEvent<EntityView<Car>>>?
    try store.commit { draft in
      try draft.delete(Car.self, 1)
      let cars = try FetchedObjectsModel(Query<Car>(), in: store)
      recorder = Recorder(cars.didChange)
      #expect(cars.fetchedObjects.map(\.id) == [1, 2, 3, 4])
      model = cars
    }
    #expect(model?.fetchedObjects.map(\.id) == [2, 3, 4])
    #expect(recorder?.values.map(\.changes.deletes) == [[ListPath(section: 0, row: 0)]])
  }

  @Test(arguments: TestStorage.withServer)
  func `F1: models made beside a stream of commits miss none and publish none twice`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    let commits = storage == .memory ? 600 : 150
    typealias Made = (
      model: FetchedObjectsModel<Car>, recorder: Recorder<ListEvent<EntityView<Car>>>, first: Int,
      seen: Int
    )
    let models = Locked<[Made]>([])
    let isDone = AtomicWord(0)
    let maker = TestThread {
      while isDone.load() == 0 {
        guard let model = try? FetchedObjectsModel(Query<Car>(), in: store) else { continue }
        let first = model.snapshot.count
        let recorder = Recorder(model.didChange)
        // The recorder gets what comes from here on, and perhaps an event before.
        let seen = model.snapshot.count
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
      try store.commit {
        try $0.insert(Car(id: id, model: "M", year: id, owner: nil))
      }
    }
    isDone.store(1)
    maker.join()
    let made = models.withLock { $0 }
    for (model, recorder, first, seen) in made {
      #expect(model.fetchedObjects.map(\.id) == Array(0..<commits))
      // Each event starts where the one before ended. The recorder may have come after some.
      var last: Int?
      for event in recorder.values {
        #expect(event.after.count == event.before.count + 1)
        if let last { #expect(event.before.count == last) }
        last = event.after.count
      }
      #expect(last ?? seen == commits)
      #expect(first <= commits)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `F2: in a callback the model shows that event, though the store has moved on`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let seen = Locked<[[Int]]>([])
    let token = model.didChange.subscribe { event in
      if event.after.count < 4 {
        let id = event.after.count
        try? store.commit { try $0.insert(Car(id: id, model: "", year: 0, owner: nil)) }
      }
      seen.withLock {
        $0.append([event.before.count, event.after.count, model.snapshot.count])
      }
    }
    try store.commit { try $0.insert(Car(id: 0, model: "", year: 0, owner: nil)) }
    #expect(seen.withLock { $0 } == [[0, 1, 1], [1, 2, 2], [2, 3, 3], [3, 4, 4]])
    token.cancel()
  }

  @Test func `F2: willChange and didChange publish the same finished event, in turn`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let seen = Locked<[String]>([])
    let tokens = [
      model.willChange.subscribe { event in
        seen.withLock { $0.append("will \(event.after.count) \(model.snapshot.count)") }
      },
      model.didChange.subscribe { event in
        seen.withLock { $0.append("did \(event.after.count) \(model.snapshot.count)") }
      },
    ]
    try store.fillGarage()
    #expect(seen.withLock { $0 } == ["will 4 4", "did 4 4"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `F4: a row that goes to another section is a move, also at the same path`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    // Bob's only car becomes Ann's, and sorts where Bob's section stood.
    let query = Query<Car>().filter { $0.id == 3 }.sectioned { $0.owner.name }
    let model = try FetchedObjectsModel(query, in: store)
    let recorder = Recorder(model.didChange)
    try store.commit { try $0.update(Car.self, 3) { $0.owner = Ref(ann) } }
    let path = ListPath(section: 0, row: 0)
    #expect(
      recorder.values.map(\.changes) == [
        ListChanges(
          deletedSections: [0], insertedSections: [0],
          moves: [PositionChange(old: path, new: path)])
      ])
  }

  @Test func `S7: a nil section key is a section titled nothing`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(
      Query<Car>().sectioned { $0.owner.name }, in: store)
    #expect(model.sections.map(\.name) == ["", "Ann", "Bob"])
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: an included value is that of the snapshot, never a newer one`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(
      Query<Car>().including { $0.owner }, in: store)
    let old = model.snapshot
    let events = Recorder(model.didChange)
    try store.commit { try $0.update(Person.self, 2) { $0.age = 50 } }
    let path = ListPath(section: 0, row: 2)
    let owner = try #require(old[path].owner)
    #expect(owner.age == nil)
    #expect(model.snapshot[path].owner?.age == 50)
    #expect(model.snapshot[path].owner?.value.name == "Bob")
    #expect(model.snapshot[ListPath(section: 0, row: 3)].owner == nil)
    #expect(events.values.map(\.changes.updates) == [[PositionChange(old: path, new: path)]])
  }

  @Test func `F5: a step that wasn't declared is a precondition that names the path`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStorage.memory.makeGarage()
      try store.fillGarage()
      let model = try FetchedObjectsModel(Query<Car>().including { $0.owner.name }, in: store)
      _ = model.snapshot[ListPath(section: 0, row: 0)].owner?.age
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Car.owner.age isn't included"))
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: a filter over to-many follows what is added and taken away`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(
      Query<Person>().filter { $0.cars.any { $0.year < 2000 } }, in: store)
    #expect(model.fetchedObjects.map(\.id) == [1])
    try store.commit { try $0.update(Car.self, 1) { $0.owner = Ref(bob) } }
    #expect(model.fetchedObjects.map(\.id) == [2])
    try store.commit { try $0.update(Car.self, 1) { $0.year = 2001 } }
    #expect(model.fetchedObjects.isEmpty)
    try store.commit { draft in
      try draft.update(Car.self, 2) { $0.year = 1999 }
      try draft.delete(Car.self, 1)
    }
    #expect(model.fetchedObjects.map(\.id) == [1])
  }

  @Test func `A model and its subscribers' captures are released when its owner releases it`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try LifetimeTracker.check { tracker in
      let object = tracker.track()
      let model = try FetchedObjectsModel(Query<Car>(), in: store)
      let token = model.didChange.subscribe { _ in _ = object }
      try store.fillGarage()
      token.cancel()
    }
    weak var weakModel: FetchedObjectsModel<Car>?
    do {
      let model = try FetchedObjectsModel(Query<Car>(), in: store)
      weakModel = model
    }
    #expect(weakModel == nil)
    try store.commit { try $0.delete(Car.self, 1) }
  }

  @Test func `A result without sections is one section, also when it is empty`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    #expect(model.sections.map(\.count) == [0])
    let events = Recorder(model.didChange)
    try store.fillGarage()
    try store.commit { draft in for id in 1...4 { try draft.delete(Car.self, id) } }
    #expect(model.sections.map(\.count) == [0])
    #expect(events.values.allSatisfy { !$0.changes.hasSectionChanges })
  }

  @Test func `F3, F6: what changed and changed back counts as untouched in a net event`() throws {
    // Whichever of two rows is taken for the one that stays, one of the two cases would show it.
    for (first, second) in [(1, 2), (2, 1)] {
      let store = try TestStorage.memory.makeGarage()
      try store.commit { draft in
        try draft.insert(Car(id: 1, model: "B", year: 1, owner: nil))
        try draft.insert(Car(id: 2, model: "C", year: 1, owner: nil))
      }
      let model = try FetchedObjectsModel(
        Query<Car>().sorted { [$0.model.ascending] }, in: store)
      let events = Recorder(model.didChange)
      model.pause()
      try store.commit { draft in try draft.update(Car.self, first) { $0.year = 2 } }
      try store.commit { draft in
        try draft.update(Car.self, second) { $0.model = second == 1 ? "D" : "A" }
      }
      try store.commit { draft in try draft.update(Car.self, first) { $0.year = 1 } }
      model.resume()
      let change = PositionChange(
        old: ListPath(section: 0, row: second - 1), new: ListPath(section: 0, row: first - 1))
      #expect(events.values.map(\.changes) == [ListChanges(moves: [change])])
      #expect(events.values.map(\.versions) == [2...4])
    }
  }

  @Test func `F6: other queries beside commits of another thread lose nothing`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let queries = [
      Query<Car>().sorted { [$0.model.ascending] },
      Query<Car>().filter { $0.year < 2010 }.sorted { [$0.year.descending] },
    ]
    // So that both results are kept up to date all the time.
    let keepers = try queries.map { try FetchedObjectsModel($0, in: store) }
    let model = try FetchedObjectsModel(queries[0], in: store)
    let trace = Recorder(model.didChange)
    onThreads(2) { thread in
      do {
        for round in 0..<1500 where thread == 0 {
          try store.commit { draft in
            let model = "\(round * 7919 % 100)"
            try draft.upsert(Car(id: round % 7, model: model, year: 2000 + round % 20, owner: nil))
          }
        }
        for round in 0..<1500 where thread == 1 { try model.setQuery(queries[round % 2]) }
      } catch { recordIssue("\(error)") }
    }
    await store.flush()
    #expect(model.fetchedObjects.map(\.id) == (try store.fetch(queries[1]).map(\.id)))
    var shown: [Int]?
    for event in trace.values {
      let before = event.before.objects.map(\.id)
      if let shown { #expect(before == shown) }
      shown = event.after.objects.map(\.id)
    }
    #expect(shown == model.fetchedObjects.map(\.id))
    withExtendedLifetime(keepers) {}
  }

  @Test func `F2: a model shows the delivered event, though a callback commits and sets a query`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let byModel = Query<Car>().sorted { [$0.model.ascending] }
    let newer = byModel.filter { $0.year > 2000 }
    let model = try FetchedObjectsModel(byModel, in: store)
    let turns = Locked(0)
    let log = Locked<[Bool]>([])
    let token = model.didChange.subscribe { event in
      let after = event.after.objects.map(\.id)
      log.withLock { $0.append(model.fetchedObjects.map(\.id) == after) }
      let turn = turns.withLock { turn -> Int in
        turn += 1
        return turn
      }
      guard turn == 1 else { return }
      expectNoError {
        try store.commit { draft in try draft.update(Car.self, 1) { $0.model = "Audi" } }
        try model.setQuery(newer)
        try model.setWindow(offset: 0, limit: 2)
        try model.setWindow(offset: 1, limit: 2)
      }
    }
    try store.commit { draft in try draft.update(Car.self, 4) { $0.model = "Lada" } }
    token.cancel()
    #expect(log.withLock { $0.allSatisfy { $0 } })
    #expect(log.withLock { $0.count } == 5)
    #expect(model.query.description == newer.limit(2, offset: 1).description)
    #expect(model.fetchedObjects.map(\.id) == [4, 3])
  }

  @Test func `F6: queries set on two threads leave a model that follows the last one`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let queries = [
      Query<Car>().sorted { [$0.model.ascending] },
      Query<Car>().filter { $0.year < 2016 }.sorted { [$0.year.descending] },
    ]
    let keepers = try queries.map { try FetchedObjectsModel($0, in: store) }
    let model = try FetchedObjectsModel(queries[0], in: store)
    onThreads(2) { thread in
      expectNoError {
        for round in 0..<2000 { try model.setQuery(queries[(round + thread) % 2]) }
      }
    }
    for year in [1, 2, 3] {
      try store.commit { draft in try draft.update(Car.self, 2) { $0.year = year } }
      #expect(model.fetchedObjects.map(\.year) == (try store.fetch(model.query).map(\.year)))
    }
    withExtendedLifetime(keepers) {}
  }
}

private func expectNoError(_ body: () throws -> Void) {
  do {
    try body()
  } catch { recordIssue("\(error)") }
}
