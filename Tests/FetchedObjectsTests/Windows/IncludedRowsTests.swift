@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `Included values in windows` {
  @Test func `Cost: rows outside that refer to a changed object aren't looked up`() throws {
    let storage = FarStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      for owner in [ann, bob] { try draft.insert(owner) }
      // The first and the last cars are Bob's.
      for id in 0..<2600 {
        let owner = (200..<2300).contains(id) ? ann : bob
        try draft.insert(Car(id: id, model: "", year: id, owner: Ref(owner)))
      }
    }
    func trips(renaming owner: Person, _ name: String) throws -> Int {
      let start = storage.trips.load()
      try store.commit { try $0.update(Person.self, owner.id) { $0.name = name } }
      return storage.trips.load() - start
    }
    let alone = try trips(renaming: ann, "Anna")
    let query = Query<Car>().including { $0.owner.name }
    // Rows near the beginning, and a window with an index.
    let windows = try [0, 2400].map {
      try FetchedObjectsModel(query.limit(10, offset: $0), in: store)
    }
    let events = windows.map { Recorder($0.didChange) }
    #expect(try trips(renaming: ann, "Anne") == alone)
    #expect(events.allSatisfy { $0.values.isEmpty })
    _ = try trips(renaming: bob, "Rob")
    for (window, events) in zip(windows, events) {
      #expect(events.values.map(\.changes.updates.count) == [10])
      #expect(window.snapshot.rows.allSatisfy { $0.owner?.name == "Rob" })
    }
  }

  @Test(arguments: [2_000, 2_048])
  func `F5: a window of many rows follows what they include`(_ limit: Int) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for owner in [ann, bob] { try draft.insert(owner) }
      for id in 0..<5_000 {
        try draft.insert(Car(id: id, model: "", year: id, owner: Ref(id % 50 == 0 ? bob : ann)))
      }
    }
    let query = Query<Car>().sorted { [$0.year.ascending] }.including { $0.owner.name }
    let model = try FetchedObjectsModel(query.limit(limit), in: store)
    // So many aren't compared with the changed object.
    try #require(model.keptRows > 2_048)
    let events = Recorder(model.didChange)
    try store.commit { try $0.update(Person.self, bob.id) { $0.name = "Rob" } }
    let expected = Array(stride(from: 0, to: limit, by: 50))
    #expect(events.values.map { $0.changes.updates.map(\.new.row) } == [expected])
  }
}
