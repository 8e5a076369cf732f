@_spi(Storage) import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import ListDiffing
import SQLitePersistence
import Locking
import Relays
import TestSupport
import Testing

private let entities: [any Entity.Type] = [Person.self, Car.self]

extension Store {
  /// Cars from 0 on, each of the year of its number times ten, in turn of Ann and Bob.
  ///
  /// All windows of the store have an index.
  fileprivate func fillRows(_ count: Int) throws {
    NearRowsLimits.of(self).most.store(0)
    try commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      try draft.insert(
        contentsOf: (0..<count).map {
          Car(id: $0, model: "car \($0)", year: $0 * 10, owner: Ref($0 % 2 == 0 ? ann : bob))
        })
    }
  }
}

private let byYear = Query<Car>().sorted { [$0.year.ascending] }

@Suite struct WindowTests {
  @Test(arguments: TestStorage.withServer)
  func `F7: a window keeps the rows that it shows, and of all others their place`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillRows(1000)
    let model = try FetchedObjectsModel(byYear.limit(20, offset: 100), in: store)
    #expect(model.keptRows == 20)
    #expect(model.snapshot.rowsBefore == 100 && model.snapshot.totalCount == 1000)
    let events = Recorder(model.didChange)
    try store.commit { draft in
      for id in 0..<50 { try draft.delete(Car.self, id) }
    }
    #expect(model.fetchedObjects.map(\.id) == Array(150..<170))
    #expect(events.values.last?.changes.deletes.count == 20)
    #expect(model.keptRows == 20)
    try model.setWindow(offset: 940, limit: 20)
    #expect(model.fetchedObjects.map(\.id) == Array(990..<1000))
    #expect(model.keptRows == 10)
    try model.setWindow(offset: 2000, limit: 20)
    #expect(model.keptRows == 0 && model.snapshot.rowsBefore == 950)
    try model.setWindow(offset: 0, limit: nil)
    #expect(model.keptRows == 950 && model.snapshot.rowsBefore == 0)
  }

  @Test func `F12: a commit reads those rows that come into a window, and no others`() throws {
    let storage = CountedStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fillRows(1000)
    let model = try FetchedObjectsModel(byYear.limit(20, offset: 100), in: store)
    #expect(storage.rows.load() == 20)
    let events = Recorder(model.didChange)
    func read(_ body: (inout Draft) throws -> Void) throws -> Int {
      let before = storage.rows.load() + storage.rowsOfCommits.load()
      try store.commit(body)
      return storage.rows.load() + storage.rowsOfCommits.load() - before
    }
    // Below, above and inside the window, and from one side to the other.
    #expect(try read { try $0.update(Car.self, 900) { $0.year = 9005 } } == 0)
    #expect(try read { try $0.update(Car.self, 7) { $0.year = 1 } } == 0)
    #expect(try read { try $0.insert(Car(id: 3000, model: "last", year: 99999, owner: nil)) } == 0)
    #expect(model.snapshot.totalCount == 1001)
    #expect(events.values.isEmpty)
    #expect(try read { try $0.update(Car.self, 105) { $0.model = "other" } } == 0)
    #expect(try read { try $0.update(Car.self, 105) { $0.year = 1115 } } == 0)
    #expect(try read { try $0.update(Car.self, 8) { $0.year = 9999 } } == 1)
    #expect(try read { try $0.delete(Car.self, 110) } == 1)
    #expect(try read { try $0.update(Car.self, 900) { $0.year = 1101 } } == 0)
    #expect(try read { try $0.insert(Car(id: 2000, model: "first", year: -1, owner: nil)) } == 1)
    #expect(
      model.fetchedObjects.map(\.id) == Array(try store.fetch(byYear).map(\.id)[100..<120]))
    #expect(events.values.count == 6)
    // What a window brings in is read, and what it shows already isn't kept from one to the next.
    let before = storage.rows.load()
    try model.setWindow(offset: 105, limit: 20)
    #expect(storage.rows.load() - before == 20)
    #expect(events.values.last?.changes.deletes.count == 5)
    #expect(events.values.last?.changes.inserts.count == 5)
    #expect(events.values.last?.changes.count == 10)
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: what is included is followed for the rows in a window`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fillRows(10)
    let query = byYear.including { $0.owner.name }
    let model = try FetchedObjectsModel(query.limit(1, offset: 4), in: store)
    let other = try FetchedObjectsModel(byYear.limit(1, offset: 4), in: store)
    let events = Recorder(model.didChange)
    let others = Recorder(other.didChange)
    let before = model.work
    try store.commit { try $0.update(Person.self, bob.id) { $0.name = "Berta" } }
    #expect(events.values.isEmpty)
    #expect(model.work.changes == before.changes)
    try store.commit { try $0.update(Person.self, ann.id) { $0.name = "Anna" } }
    #expect(events.values.map(\.changes.updates.count) == [1])
    #expect(model.snapshot[ListPath(section: 0, row: 0)].owner?.name == "Anna")
    try model.setWindow(offset: 5, limit: 1)
    #expect(model.snapshot[ListPath(section: 0, row: 0)].owner?.name == "Berta")
    try store.commit { try $0.delete(Person.self, bob.id) }
    #expect(model.snapshot[ListPath(section: 0, row: 0)].owner == nil)
    #expect(events.values.count == 3)
    #expect(others.values.isEmpty)
  }

  @Test func `F12: windows of equal queries share one index, and equal windows their rows`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillRows(100)
    let first = try FetchedObjectsModel(byYear.limit(10), in: store)
    let second = try FetchedObjectsModel(byYear.limit(10), in: store)
    let third = try FetchedObjectsModel(
      byYear.including { $0.owner.name }.limit(10, offset: 50), in: store)
    try store.commit { try $0.update(Car.self, 3) { $0.model = "other" } }
    #expect(first.shown.result.base === second.shown.result.base)
    // Fetched once for the index, and once for each window.
    #expect(first.work.fetches == 2 && third.work.fetches == 2)
    #expect(third.work.commits == 1)
  }

  @Test func `F7: where rows have no numbers, or sums are asked for, all rows are kept`() throws {
    let storage = CountedStorage(hasNumbers: false)
    let store = try Store(.custom { storage }, entities: entities)
    try store.fillRows(100)
    let model = try FetchedObjectsModel(byYear.limit(10, offset: 5), in: store)
    let events = Recorder(model.didChange)
    #expect(model.keptRows == 100)
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(model.fetchedObjects.map(\.id) == Array(6..<16))
    try model.setWindow(offset: 50, limit: 2)
    #expect(model.fetchedObjects.map(\.id) == [51, 52])
    try model.setQuery(byYear.limit(3))
    #expect(model.fetchedObjects.map(\.id) == [0, 2, 3])
    try model.setQuery(byYear)
    #expect(model.fetchedObjects.count == 99)
    try model.setWindow(offset: 1, limit: 1)
    #expect(model.fetchedObjects.map(\.id) == [2])
    #expect(events.values.count == 5)
    #expect(storage.rows.load() == 0)
    let numbered = try TestStorage.memory.makeGarage()
    try numbered.fillRows(100)
    let summed = try FetchedObjectsModel(byYear.aggregating { $0.year }.limit(10), in: numbered)
    #expect(summed.keptRows == 100)
    #expect(try summed.snapshot.sum { $0.year } == 49500)
  }

  @Test func `F11: after an error a window is read whole, and new ones don't wait for that`() throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fillRows(10)
    let query = Query<Car>().sorted { [$0.owner.name.ascending] }.including { $0.owner.name }
    let model = try FetchedObjectsModel(query.limit(3, offset: 1), in: store)
    let events = Recorder(model.didChange)
    let errors = Recorder(model.errors)
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { $0.owner = Ref(ann) } }
    #expect(errors.values.count == 1)
    #expect(events.values.isEmpty)
    storage.isFailing.store(2)
    #expect(throws: FlakyStorage.ReadFailure.self) { try model.setWindow(offset: 2, limit: 3) }
    #expect(model.query.description.offset == 1)
    storage.isFailing.store(0)
    #expect(model.fetchedObjects.map(\.id) == [2, 4, 6])
    // The index of the first window is behind still.
    let other = try FetchedObjectsModel(query.limit(3, offset: 1), in: store)
    let third = try FetchedObjectsModel(query.limit(4), in: store)
    #expect(other.fetchedObjects.map(\.id) == [1, 2, 4])
    #expect(third.fetchedObjects.map(\.id) == [0, 1, 2, 4])
    try store.commit { try $0.delete(Car.self, 2) }
    for window in [model, other] { #expect(window.fetchedObjects.map(\.id) == [1, 4, 6]) }
    #expect(third.fetchedObjects.map(\.id) == [0, 1, 4, 6])
    #expect(model.error == nil)
    #expect(events.values.map(\.changes.inserts.count) == [1])
    #expect(events.values.map(\.changes.deletes.count) == [1])
  }
  @Test func `F1, F11: a commit that fails to be read while a window is being read loses nothing`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fillRows(10)
    let query = Query<Car>().sorted { [$0.owner.name.ascending] }
    let first = try FetchedObjectsModel(query.limit(1), in: store)
    storage.interruption.withLock {
      $0 = {
        storage.isFailing.store(1)
        do {
          try store.commit { try $0.update(Car.self, 1) { $0.owner = Ref(ann) } }
        } catch {
          Issue.record("\(error)")
        }
        storage.isFailing.store(0)
      }
    }
    // The index is there already, so what is interrupted is the reading of the window's rows.
    let second = try FetchedObjectsModel(query.limit(3), in: store)
    #expect(first.error != nil)
    #expect(second.fetchedObjects.map(\.id) == [0, 1, 2])
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(second.fetchedObjects.map(\.id) == [0, 1, 4])
    #expect(first.error == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `F2, F7: rows that leave in one commit with as many that come are found by their ids`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillRows(400)
    let model = try FetchedObjectsModel(byYear.limit(100), in: store)
    let all = try FetchedObjectsModel(byYear.filter { $0.model != "out" }.limit(100), in: store)
    let events = Recorder(model.didChange)
    for round in 0..<6 {
      try store.commit { draft in
        for id in round * 50..<round * 50 + 40 { try draft.delete(Car.self, id) }
      }
      let expected = try store.fetch(byYear.limit(100)).map(\.id)
      for shown in [model, all] {
        #expect(shown.fetchedObjects.map(\.id) == expected)
        for (row, id) in expected.enumerated() {
          #expect(shown.path(for: id) == ListPath(section: 0, row: row))
        }
      }
      #expect(model.keptRows == 100)
    }
    for (row, id) in model.fetchedObjects.map(\.id).enumerated() {
      let count = events.values.count
      try store.commit { try $0.update(Car.self, id) { $0.model = "changed" } }
      let updates = events.values.dropFirst(count).map { $0.changes.updates.map(\.new) }
      #expect(updates == [[ListPath(section: 0, row: row)]])
    }
  }

  @Test
  func `F11: windows whose index is behind catch up together, also with a related object's commit`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.fillRows(10)
    let query = Query<Car>().sorted { [$0.model.ascending] }.including { $0.owner.name }
    let windows = try (0..<3).map {
      try FetchedObjectsModel(query.limit(3, offset: $0), in: store)
    }
    storage.isFailing.store(2)
    #expect(throws: Never.self) { try store.commit { try $0.delete(Car.self, 1) } }
    #expect(windows.allSatisfy { $0.error != nil })
    storage.isFailing.store(0)
    // Only those who include a person are asked about it.
    try store.commit { try $0.update(Person.self, ann.id) { $0.name = "Anna" } }
    let all = try store.fetch(query).map(\.id)
    for (offset, window) in windows.enumerated() {
      #expect(window.fetchedObjects.map(\.id) == Array(all.dropFirst(offset).prefix(3)))
      #expect(window.error == nil)
    }
    try store.commit { try $0.delete(Car.self, 2) }
    for (offset, window) in windows.enumerated() {
      #expect(
        window.fetchedObjects.map(\.id)
          == Array(try store.fetch(query).map(\.id).dropFirst(offset).prefix(3)))
    }
  }

  @Test func `P5: a window of a file that another store has written to is fetched again`() throws {
    let path = temporaryPath("shared")
    func open() throws -> Store {
      try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    }
    let store = try open()
    try store.fillRows(30)
    let model = try FetchedObjectsModel(byYear.limit(5), in: store)
    let other = try open()
    try other.commit { draft in
      for id in 10..<14 { try draft.delete(Car.self, id) }
      try draft.update(Car.self, 15) { $0.year = 9999 }
    }
    try model.setWindow(offset: 8, limit: 5)
    #expect(model.fetchedObjects.map(\.id) == [8, 9, 14, 16, 17])
    try store.commit { try $0.delete(Car.self, 9) }
    #expect(model.fetchedObjects.map(\.id) == [8, 14, 16, 17, 18])
  }

  @Test
  func `P5, F12: windows read the order once for an external commit, and not if the order stays`()
    throws
  {
    let path = temporaryPath("shared")
    func open() throws -> Store {
      try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    }
    let here = try open()
    try here.fillRows(100)
    let query = byYear.filter { $0.year < 900 }.including { $0.owner.name }
    let windows = try (0..<5).map {
      try FetchedObjectsModel(query.limit(5, offset: 20 + 5 * $0), in: here)
    }
    let index = try #require(LiveIndexes.of(here).all.first)
    func check(fetches: Int, _ names: [String]) throws {
      try here.refresh()
      #expect(index.work.fetches == fetches)
      for (number, window) in windows.enumerated() {
        let ids = Array(20 + 5 * number..<25 + 5 * number)
        #expect(window.fetchedObjects.map(\.id) == ids)
        for (row, id) in ids.enumerated() {
          let view = window.snapshot[ListPath(section: 0, row: row)]
          #expect(view.owner?.name == names[id % 2])
        }
      }
    }
    let there = try open()
    try there.commit { try $0.update(Person.self, ann.id) { $0.name = "Anna" } }
    try check(fetches: 1, ["Anna", "Bob"])
    // A car outside the list changes, too. So the index isn't asked, but it reads cars.
    try there.commit { draft in
      try draft.update(Person.self, bob.id) { $0.name = "Berta" }
      try draft.update(Car.self, 95) { $0.model = "other" }
    }
    try check(fetches: 2, ["Anna", "Berta"])
    try here.commit { try $0.delete(Car.self, 0) }
    #expect(windows[0].fetchedObjects.map(\.id) == Array(21..<26))
  }

  @Test(arguments: [0..<4, 24..<30, 28..<30], [true, false])
  func `P5, F7: a window that begins beside an external commit outside of it is exact`(
    _ deleted: Range<Int>, _ isMoved: Bool
  ) throws {
    let path = temporaryPath("shared")
    func open() throws -> Store {
      try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    }
    let here = try open()
    try here.fillRows(30)
    let first = try FetchedObjectsModel(byYear.limit(5, offset: 20), in: here)
    let there = try open()
    try there.commit { draft in
      for id in deleted { try draft.delete(Car.self, id) }
      try draft.insert(Car(id: 100, model: "first", year: -1, owner: nil))
    }
    let query = byYear.limit(5, offset: 8)
    let next = byYear.limit(6, offset: 9)
    if isMoved { try first.setWindow(offset: 8, limit: 5) }
    let model = try isMoved ? first : FetchedObjectsModel(query, in: here)
    func check(_ query: Query<Car> = query) throws {
      #expect(try model.fetchedObjects.map(\.id) == here.fetch(query).map(\.id))
      #expect(try model.snapshot.totalCount == here.count(Query<Car>()))
    }
    try check()
    try here.refresh()
    try check()
    // Into the window from before it, and out of it.
    try here.commit { try $0.update(Car.self, 6) { $0.year = 105 } }
    try check()
    try there.commit { try $0.update(Car.self, 12) { $0.year = 0 } }
    try model.setWindow(offset: 9, limit: 6)
    try check(next)
    try here.refresh()
    try here.commit { try $0.delete(Car.self, 13) }
    try check(next)
  }
}
