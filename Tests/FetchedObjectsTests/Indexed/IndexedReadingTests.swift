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

private let entities: [any Entity.Type] = [Person.self, Car.self]

extension Store {
  fileprivate func fill(_ count: Int, model: String = "car") throws {
    try commit { draft in
      try draft.insert(ann)
      try draft.insert(
        contentsOf: (0..<count).map {
          Car(id: $0, model: "\(model) \($0)", year: $0, owner: Ref(ann))
        })
    }
  }
}

@Suite struct IndexedReadingTests {
  @Test func `F7: rows are read in batches, and only those that are asked for`() throws {
    let storage = CountedStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fill(1000)
    let model = try IndexedObjectsModel(
      Query<Car>().sorted { [$0.year.descending] }, in: store, cacheCapacity: 200, batchSize: 50)
    #expect(storage.rows.load() == 0)
    #expect(model.cachedObjectCount == 0)
    for row in 100..<200 { #expect(try model.object(at: path(row))?.year == 999 - row) }
    #expect(storage.requests.load() == 2)
    #expect(storage.rows.load() == 100)
    // The rows that are kept are there still, and a batch ends with its section.
    _ = try model.view(at: path(150))
    #expect(storage.requests.load() == 2)
    #expect(try model.id(at: path(999)) == 0)
    #expect(storage.rows.load() == 150)
    try model.prefetch((300..<310).map(path))
    #expect(try model.objects(at: [path(309), path(300)]).map { $0?.year } == [690, 699])
    #expect(storage.requests.load() == 4)
    #expect(storage.rows.load() == 160)
  }

  @Test func `F7: a storage far away is asked for rows and the version in one round trip`() throws {
    let storage = CountedStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fill(100)
    let model = try IndexedObjectsModel(Query<Car>(), in: store)
    let before = storage.versionsFirst.load()
    #expect(try model.objects(at: (0..<50).map(path)).map { $0?.id } == Array(0..<50))
    #expect(try model.object(at: path(70))?.id == 70)
    #expect(storage.requests.load() == 2)
    #expect(storage.versionsFirst.load() == before)
  }

  @Test func `S6: a row that stays can be read while others of its batch go`() throws {
    let store = try Store(.inMemory, entities: entities)
    try store.fill(50)
    let model = try IndexedObjectsModel(Query<Car>(), in: store, batchSize: 50)
    let isDone = AtomicWord(0)
    let thread = TestThread {
      for round in 0..<rounds(4_000) {
        do {
          try store.commit { draft in
            // It isn't kept, so that it is read again, with what is beside it.
            try draft.update(Car.self, 0) { $0.year = round }
            if round % 2 == 0 {
              try draft.delete(Car.self, 49)
            } else {
              try draft.insert(Car(id: 49, model: "last", year: 0, owner: nil))
            }
          }
        } catch { recordIssue("\(error)") }
      }
      isDone.store(1)
    }
    while isDone.load() == 0 { #expect(try model.object(at: path(0))?.id == 0) }
    thread.join()
    #expect(model.count == 50)
    #expect(try store.find(Car.self, 0)?.year == rounds(4_000) - 1)
  }

  @Test func `F7: as many objects are kept as there is room for`() throws {
    let storage = CountedStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fill(1000)
    for (capacity, batch) in [(20, 50), (20, 5), (1, 50), (0, 50)] {
      let model = try IndexedObjectsModel(
        Query<Car>(), in: store, cacheCapacity: capacity, batchSize: batch)
      for row in 0..<1000 {
        #expect(try model.object(at: path(row))?.id == row)
        #expect(model.cachedObjectCount <= capacity)
      }
      #expect(model.cachedObjectCount > 0 || capacity == 0)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: objects come with what is included, and are read again when that changes`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try IndexedObjectsModel(byOwner, in: store)
    #expect(model.sections.map(\.name) == ["Ann", "Bob"])
    #expect(model.sections.map(\.count) == [2, 1])
    #expect(model.sections.map(\.indexTitle) == ["A", "B"])
    #expect(model.snapshot.rowCounts == [2, 1])
    #expect(model.snapshot.path(at: 2) == ListPath(section: 1, row: 0))
    #expect(model.snapshot.position(of: ListPath(section: 1, row: 0)) == 2)
    let first = path(0)
    #expect(try model.view(at: first)?.owner?.name == "Ann")
    #expect(try model.object(at: first)?.model == "Fiat")
    try store.commit { draft in
      try draft.update(Person.self, 1) { $0.name = "Amy" }
      try draft.update(Car.self, 2) { $0.year = 7 }
    }
    #expect(try model.view(at: first)?.owner?.name == "Amy")
    #expect(try model.object(at: first)?.year == 7)
    #expect(try model.path(for: 3) == ListPath(section: 1, row: 0))
    #expect(try model.path(for: 4) == nil)
    #expect(try model.path(for: 99) == nil)
  }

  @Test @MainActor func `F7: a row that has been deleted since is nil, and never another's`()
    throws
  {
    for storage in TestStorage.withServer {
      let store = try storage.makeGarage()
      try store.fillGarage()
      let model = try IndexedObjectsModel(
        Query<Car>().sorted { [$0.model.ascending] }, in: store, delivery: .mainActor)
      let events = Recorder(model.didChange)
      #expect(try model.id(at: path(0)) == 2)
      // From another thread, so that the event waits for the main actor; the new row takes the number.
      TestThread {
        try? store.commit { draft in
          try draft.delete(Car.self, 2)
          try draft.insert(Car(id: 7, model: "A", year: 1, owner: nil))
        }
        try? store.commit { try $0.update(Car.self, 4) { $0.year = 8 } }
      }.join()
      #expect(events.values.isEmpty)
      #expect(model.count == 4)
      #expect(try (0..<4).map { try model.id(at: path($0)) } == [nil, 4, 3, 1])
      #expect(try model.object(at: path(1))?.year == 8)
      #expect(try model.path(for: 7) == nil)
      #expect(try model.path(for: 3) == path(2))
    }
  }

  @Test func `F7: a commit that can be read and isn't delivered yet gives no other object`()
    throws
  {
    let storage = CountedStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fill(10)
    let model = try IndexedObjectsModel(Query<Car>(), in: store, batchSize: 1)
    model.pause()
    let found = Locked<[Int?]>([])
    let thread = Locked<TestThread?>(nil)
    storage.whenDurable.withLock {
      $0 = {
        let requests = storage.requests.load()
        let reader = TestThread {
          let id = try? model.id(at: path(3))
          let path = try? model.path(for: 77)
          found.withLock { $0 = [id, path?.row] }
        }
        thread.withLock { $0 = reader }
        // The commit goes on when the other thread has read what it has written.
        expectTrue(becomesTrueBlocking { storage.requests.load() > requests })
      }
    }
    try store.commit { draft in
      try draft.delete(Car.self, 3)
      try draft.insert(Car(id: 77, model: "new", year: 1, owner: nil))
    }
    thread.withLock { $0 }?.join()
    #expect(found.withLock { $0 } == [nil, nil])
    model.resume()
    #expect(try model.path(for: 77) == path(9))
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: a row whose id is text is there beside a stream of commits to others`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHarbour()
    try store.commit { draft in
      for number in 0..<20 {
        try draft.insert(Ship(id: "s\(number)", rowid: number, berth: nil, weight: nil, line: nil))
      }
    }
    let model = try IndexedObjectsModel(
      Query<Ship>().sorted { [$0.rowid.ascending] }, in: store, cacheCapacity: 2, batchSize: 1)
    let missing = Locked(0)
    let reads = storage == .memory ? 3_000 : 300
    let isOver = AtomicWord(0)
    onThreads(3) { thread in
      if thread == 0 {
        var next = 0
        while isOver.load() < 2 {
          try? store.commit { try $0.upsert(Port(id: next % 5, name: "port \(next)")) }
          next += 1
        }
        return
      }
      var random = SeededGenerator(seed: thread)
      for _ in 0..<reads {
        let row = Int.random(in: 0..<20, using: &random)
        if (try? model.object(at: path(row)))?.rowid != row { missing.withLock { $0 += 1 } }
      }
      isOver.add(1)
    }
    #expect(missing.withLock { $0 } == 0)
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: what is read beside a stream of commits is the row's own object`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fill(20)
    let model = try IndexedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.ascending] }, in: store, cacheCapacity: 10, batchSize: 4)
    model.pause()
    let wrong = Locked<[String]>([])
    let rounds = storage == .memory ? 300 : 60
    onThreads(3) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for round in 0..<rounds {
        let row = Int.random(in: 0..<20, using: &random)
        if thread == 0 {
          try? store.commit { draft in
            if try draft.find(Car.self, row) == nil {
              try draft.insert(Car(id: row, model: "again", year: round, owner: nil))
            } else {
              try draft.delete(Car.self, row)
              try draft.upsert(Car(id: 20 + row, model: "other", year: round, owner: Ref(ann)))
            }
          }
        } else {
          let id = try? model.id(at: path(row))
          if let id, id != row { wrong.withLock { $0.append("\(id) at \(row)") } }
          let place = try? model.path(for: row)
          if place != path(row) && place != nil {
            wrong.withLock { $0.append("path \(place as Any) of \(row)") }
          }
        }
      }
    }
    #expect(wrong.withLock { $0 } == [])
    model.resume()
    let fresh = try store.fetch(model.query).map(\.id)
    #expect(model.snapshot.rowCounts == [fresh.count])
    #expect(try (0..<model.count).map { try model.id(at: path($0)) } == fresh)
  }
}
