import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Models follow external commits` {
  private let stores: TwoStores
  private let raw: RawDatabase

  init() throws {
    stores = try TwoStores()
    raw = try RawDatabase(stores.path)
    try stores.here.commit { draft in
      try draft.insert(Person(id: "a", name: "Ann"))
      try draft.insert(Person(id: "b", name: "Bo"))
      for id in 1...5 {
        try draft.insert(Car(id: id, model: "m\(id)", owner: Ref(id % 2 == 0 ? "a" : "b")))
      }
    }
    try stores.there.refresh()
  }

  private let byModel = Query<Car>().sorted { [$0.model.ascending] }

  @Test func `P5, F2: one event for what is found together, with its versions`() throws {
    let model = try FetchedObjectsModel(byModel, in: stores.here)
    let events = Recorder(model.didChange)
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "z" } }
    try stores.there.commit { try $0.delete(Car.self, 2) }
    try raw.rows("UPDATE Car SET tower = 1 WHERE id = 3")
    try stores.here.commit { try $0.insert(Car(id: 6, model: "a")) }
    #expect(events.values.map(\.versions) == [2...4, 5...5])
    let first = try #require(events.values.first?.changes)
    #expect(first.deletes.count == 1 && first.moves.count == 1 && first.updates.count == 1)
    #expect(events.values.last?.changes.inserts.count == 1)
    #expect(model.fetchedObjects.map(\.id) == [6, 3, 4, 5, 1])
  }

  @Test func `P5: behind the pruned log the event has the exact difference of what is shown`()
    throws
  {
    let model = try FetchedObjectsModel(byModel, in: stores.here)
    let events = Recorder(model.didChange)
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "z" } }
    try stores.there.commit { try $0.delete(Car.self, 2) }
    try raw.rows("DELETE FROM signalbox_log WHERE version < 3")
    try stores.here.refresh()
    let changes = try #require(events.values.last?.changes)
    #expect(events.values.map(\.versions) == [2...3])
    #expect(changes.deletes.count == 1 && changes.moves.count == 1)
    #expect(changes.inserts.isEmpty && changes.updates.isEmpty)
    try stores.there.commit { try $0.delete(Car.self, 3) }
    try stores.here.refresh()
    #expect(model.fetchedObjects.map(\.id) == [4, 5, 1])
  }

  @Test func `P5, F1: what a model has read between, and what is nothing on net, doesn't stay`()
    throws
  {
    try stores.there.commit { draft in
      try draft.update(Car.self, 1) { $0.model = "z" }
      try draft.update(Car.self, 2) { $0.model = "special" }
    }
    // Neither is taken in here when these begin.
    let all = try FetchedObjectsModel(byModel, in: stores.here)
    let special = try FetchedObjectsModel(
      byModel.filter { $0.model == "special" }, in: stores.here)
    let index = try IndexedObjectsModel(byModel, in: stores.here)
    let window = try FetchedObjectsModel(byModel.limit(1, offset: 4), in: stores.here)
    let car = try ObservedEntity<Car>(1, in: stores.here)
    #expect(all.fetchedObjects.map(\.id) == [3, 4, 5, 2, 1])
    #expect(special.fetchedObjects.map(\.id) == [2])
    #expect(window.fetchedObjects.map(\.id) == [1])
    let events = Recorder(all.didChange)
    try stores.there.commit { draft in
      try draft.update(Car.self, 1) { $0.model = "m1" }
      try draft.update(Car.self, 2) { $0.model = "m9" }
    }
    try stores.here.refresh()
    #expect(all.fetchedObjects.map(\.id) == [1, 3, 4, 5, 2])
    #expect(special.fetchedObjects.isEmpty)
    #expect(try index.object(at: ListPath(section: 0, row: 0))?.model == "m1")
    #expect(window.fetchedObjects.map(\.id) == [2])
    #expect(car.value.model == "m1")
    #expect(events.values.map(\.versions) == [2...3])
    #expect(events.values.first?.changes.count == 2)
  }

  @Test func `P5: a file that goes back to an older version is noticed`() throws {
    try raw.rows("DELETE FROM signalbox_log")
    #expect {
      try stores.here.refresh()
    } throws: { error in
      guard case .storage(let fault) = error as? StoreError else { return false }
      return fault.kind == .replaced && fault.message.contains("open the store again")
    }
    #expect(throws: StoreError.self) { try stores.here.commit { try $0.deleteAll(Car.self) } }
    #expect(try stores.here.count(Query<Car>()) == 5)
  }

  @Test func `P5, F1: a model that has read an external commit isn't notified of it again`() throws
  {
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "z" } }
    try raw.rows("DELETE FROM Car WHERE id = 2")
    let model = try FetchedObjectsModel(byModel, in: stores.here)
    let car = try ObservedEntity<Car>(1, in: stores.here)
    let events = Recorder(model.didChange)
    let carEvents = Recorder(car.didChange)
    #expect(model.fetchedObjects.map(\.id) == [3, 4, 5, 1])
    try stores.here.refresh()
    #expect(events.values.isEmpty && carEvents.values.isEmpty)
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "y" } }
    try stores.here.refresh()
    #expect(events.values.map(\.versions) == [4...4])
    #expect(carEvents.values.map(\.versions) == [4...4])
  }

  @Test func `P5, F8: external commits change, delete and restore an observed object`() throws {
    let car = try ObservedEntity<Car>(1, in: stores.here, including: { $0.owner.name })
    let events = Recorder(car.didChange)
    try raw.rows("UPDATE Person SET name = 'Bob' WHERE id = 'b'")
    try stores.here.refresh()
    #expect(car.view.owner?.name == "Bob")
    try raw.rows("DELETE FROM Car WHERE id = 1")
    try stores.here.refresh()
    #expect(car.state == .deleted)
    try stores.there.commit { try $0.insert(Car(id: 1, model: "back")) }
    try stores.here.refresh()
    #expect(car.state == .live && car.view.model == "back")
    #expect(events.values.map(\.versions) == [2...2, 3...3, 4...4])
  }

  @Test(arguments: [false, true])
  func `P5, F7: a row that others have deleted is nil, also where a new one has its number`(
    _ isPruned: Bool
  ) throws {
    let model = try IndexedObjectsModel(
      Query<Person>().sorted { [$0.name.ascending] }, in: stores.here)
    let bo = ListPath(section: 0, row: 1)
    // The last row's number is given to the next one.
    try stores.there.commit { try $0.delete(Person.self, "b") }
    try stores.there.commit { try $0.insert(Person(id: "c", name: "Cy")) }
    if isPruned { try raw.rows("DELETE FROM signalbox_log WHERE version < 3") }
    #expect(try model.object(at: bo) == nil)
    model.pause()
    try stores.here.refresh()
    #expect(try model.object(at: bo) == nil)
    #expect(try model.object(at: ListPath(section: 0, row: 0))?.name == (isPruned ? nil : "Ann"))
    model.resume()
    #expect(try model.object(at: bo)?.name == "Cy")
  }

  @Test func `P5, F7: index-only rows whose keys begin alike follow what others commit`() throws {
    var generator = SeededGenerator(number: 7)
    try stores.here.commit { draft in
      for id in 1...5 { try draft.update(Car.self, id) { $0.model = "a long name \(id)" } }
      for id in 6...40 { try draft.insert(Car(id: id, model: "a long name \(id)")) }
    }
    try stores.there.refresh()
    let model = try IndexedObjectsModel(byModel, in: stores.here)
    let events = Recorder(model.didChange)
    var list = try stores.here.fetch(byModel).map(\.id)
    var names = 0
    for round in 1...30 {
      try stores.there.commit { draft in
        for _ in 1...Int.random(in: 1...4, using: &generator) {
          let id = Int.random(in: 1...44, using: &generator)
          names += 1
          let name = "a long name \(Int.random(in: 1...99, using: &generator)) \(names)"
          if Bool.random(using: &generator) {
            try draft.upsert(Car(id: id, model: name))
          } else if try draft.find(Car.self, id) != nil {
            try draft.delete(Car.self, id)
          }
        }
      }
      let told = events.values.count
      try stores.here.refresh()
      let all = try stores.here.fetch(byModel).map(\.id)
      let shown = try (0..<model.count).map {
        try model.object(at: ListPath(section: 0, row: $0))?.id
      }
      #expect(shown == all, "round \(round)")
      for event in events.values[told...] {
        try event.changes.validate(old: event.before.rowCounts, new: event.after.rowCounts)
        event.changes.apply(to: &list) { all[$0.row] }
      }
      #expect(list == all, "round \(round)")
    }
  }

  @Test func `P5, F7: what an index-only model has read between isn't kept`() throws {
    let model = try IndexedObjectsModel(byModel, in: stores.here)
    let first = ListPath(section: 0, row: 0)
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "z" } }
    #expect(try model.object(at: first)?.model == "z")
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "m1" } }
    try stores.here.refresh()
    #expect(try model.object(at: first)?.model == "m1")
  }

  @Test func `P5: an index-only model and a window follow others' commits`() throws {
    let model = try IndexedObjectsModel(byModel, in: stores.here)
    let window = try FetchedObjectsModel(byModel.limit(2, offset: 1), in: stores.here)
    let counts = Recorder(model.didChange)
    for step in 1...6 {
      switch step {
      case 1: try stores.there.commit { try $0.update(Car.self, 2) { $0.model = "a" } }
      case 2: try raw.rows("INSERT INTO Car (id, model) VALUES (9, 'b')")
      case 3: try raw.rows("DELETE FROM Car WHERE id = 2")
      case 4: try stores.there.commit { try $0.insert(Car(id: 2, model: "zz")) }
      case 5:
        try raw.rows("UPDATE Car SET model = 'z' || id")
        try raw.rows("DELETE FROM signalbox_log WHERE version < 7")
      default: try stores.here.commit { try $0.update(Car.self, 9) { $0.model = "0" } }
      }
      try stores.here.refresh()
      let all = try stores.here.fetch(byModel).map(\.id)
      var found: [Int] = []
      for row in 0..<model.count {
        if let car = try model.object(at: ListPath(section: 0, row: row)) { found.append(car.id) }
      }
      #expect(found == all, "after step \(step)")
      #expect(window.fetchedObjects.map(\.id) == Array(all[1...2]), "after step \(step)")
    }
    #expect(counts.values.count == 6)
  }

  @Test
  func `P5, F11: unreadable data is an error of the models that read it, until it is readable`()
    throws
  {
    let path = temporaryPath()
    let store = try Store(
      .sqlite(path: path, watching: .none), entities: [Lift.self, Person.self, Car.self])
    let raw = try RawDatabase(path)
    try raw.rows("INSERT INTO Lift VALUES (1, 1), (2, 2)")
    let lifts = try FetchedObjectsModel(Query<Lift>(), in: store)
    let cars = try FetchedObjectsModel(byModel, in: store)
    let errors = Recorder(lifts.errors)
    let carErrors = Recorder(cars.errors)
    try raw.rows("UPDATE Lift SET level = 99 WHERE id = 1")
    try raw.rows("INSERT INTO Car (id, model) VALUES (1, 'a')")
    try store.refresh()
    #expect(errors.values.count == 1 && carErrors.values.isEmpty)
    #expect(lifts.fetchedObjects.map(\.level.number) == [1, 2])
    #expect(cars.fetchedObjects.map(\.id) == [1])
    try store.commit { try $0.insert(Car(id: 2, model: "b")) }
    #expect(cars.fetchedObjects.map(\.id) == [1, 2])
    try raw.rows("UPDATE Lift SET level = 3 WHERE id = 1")
    try store.refresh()
    #expect(lifts.fetchedObjects.map(\.level.number) == [3, 2])
  }
}
