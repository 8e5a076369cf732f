import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import TestSupport
import Testing

@testable import FetchedObjects

/// A list that counts how often it is asked for the length of a section.
private final class CountedList: ListContent {
  let list: any ListContent<EntityView<Car>>
  let lengths = AtomicWord(0)

  init(_ list: any ListContent<EntityView<Car>>) { self.list = list }

  var key: ListKey { ListKey(self) }
  var version: Int64 { list.version }
  var count: Int { list.count }
  var isSectioned: Bool { list.isSectioned }
  var sectionCount: Int { list.sectionCount }
  func header(_ section: Int) -> ListHeader { list.header(section) }
  func rowCount(_ section: Int) -> Int {
    lengths.add(1)
    return list.rowCount(section)
  }
  func row(at path: ListPath) -> EntityView<Car> { list.row(at: path) }
  func rows(_ section: Int) -> [EntityView<Car>] { list.rows(section) }
}

@Suite struct DerivedCostTests {
  private static func store(_ count: Int) throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      for id in 0..<count {
        try draft.insert(
          Car(
            id: id, model: "\(id % 100)", year: 1900 + id % 100, owner: Ref(id % 2 == 0 ? ann : bob)
          ))
      }
    }
    return store
  }

  @Test func `The transform runs once for each changed object, with any number of subscribers`()
    throws
  {
    let store = try Self.store(300)
    let source = try FetchedObjectsModel(byOwner, in: store)
    let calls = Locked<[Int]>([])
    let rows = source.map { car in
      calls.withLock { $0.append(car.id) }
      return CarRow(diffIdentifier: car.id, title: car.model, band: 0)
    }
    #expect(calls.withLock { $0.sorted() } == Array(0..<300))
    let recorders = (0..<3).map { _ in Recorder(rows.didChange) }
    let further = [rows.filter { $0.title != "1" }, rows.concatenated(with: rows)]
    let filterEvents = further.map { Recorder($0.didChange) }
    func commit(_ body: (borrowing Draft) throws -> Void) throws -> [Int] {
      calls.withLock { $0 = [] }
      try store.commit { try body($0) }
      return calls.withLock { $0.sorted() }
    }
    #expect(try commit { try $0.update(Car.self, 7) { $0.model = "x" } } == [7])
    #expect(try commit { try $0.update(Car.self, 7) { $0.year = 1 } } == [7])
    #expect(try commit { try $0.delete(Car.self, 7) } == [])
    #expect(
      try commit { draft in
        try draft.insert(Car(id: 400, model: "y", year: 1, owner: Ref(ann)))
        try draft.update(Car.self, 8) { $0.owner = Ref(bob) }
      } == [8, 400])
    // Nothing is asked of a row again to be read.
    calls.withLock { $0 = [] }
    for recorder in recorders { #expect(recorder.values.count == 3) }
    for recorder in filterEvents { #expect(recorder.values.count == 3) }
    #expect(rows.snapshot.rows.count == 300 && further[0].snapshot.rows.count > 0)
    #expect(calls.withLock { $0.isEmpty })
    // A paused source tells the net change, once.
    source.pause()
    for year in 0..<5 { try store.commit { try $0.update(Car.self, 9) { $0.year = year } } }
    #expect(calls.withLock { $0.isEmpty })
    source.resume()
    #expect(calls.withLock { $0 } == [9])
    // A new query names what it changes.
    calls.withLock { $0 = [] }
    try source.setQuery(
      byOwner.filter { $0.id < 150 })
    #expect(calls.withLock { $0.isEmpty } && rows.snapshot.count == 149)
  }

  @Test(arguments: [1_000, 16_000])
  func `A filter asks for the changed rows only, at any size`(_ count: Int) throws {
    let store = try Self.store(count)
    let source = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.model.ascending] }, in: store)
    let calls = AtomicWord(0)
    let rows = source.filter { car in
      calls.store(calls.load() + 1)
      return car.year % 2 == 0
    }
    #expect(calls.load() == count && rows.snapshot.count == count / 2)
    let events = Recorder(rows.didChange)
    calls.store(0)
    for id in 0..<20 { try store.commit { try $0.update(Car.self, id) { $0.model = "new \(id)" } } }
    #expect(calls.load() == 20 && events.values.count == 10)
    calls.store(0)
    try store.commit { draft in
      for id in 0..<50 { try draft.update(Car.self, id) { $0.year += 1 } }
    }
    #expect(calls.load() == 50)
    #expect(
      events.values.last?.changes.inserts.count == 25
        && events.values.last?.changes.deletes.count == 25)
  }

  @Test func `Iterating over the objects of a derived list asks once for each section's length`()
    throws
  {
    let store = try Self.store(1_000)
    let source = try FetchedObjectsModel(Query<Car>().sectioned { $0.year }, in: store)
    let even = source.filter { $0.year % 2 == 0 }
    // An empty list comes first: a section without rows.
    let whole = try FetchedObjectsModel(Query<Car>().filter { $0.year < 0 }, in: store)
      .concatenated(with: even)
    for snapshot in [source.snapshot, even.snapshot, whole.snapshot] {
      let list = CountedList(snapshot.content)
      var ids: [Int] = []
      for car in FetchedObjectList<EntityView<Car>>(content: list) { ids.append(car.id) }
      #expect(ids == snapshot.rows.map(\.value.id))
      #expect(list.lengths.load() <= list.sectionCount)
    }
  }

  @Test func `Snapshots that are kept share what is the same`() throws {
    let store = try Self.store(2_000)
    let source = try FetchedObjectsModel(Query<Car>(), in: store)
    let tracker = LifetimeTracker()
    struct Held: Diffable, Equatable, Sendable {
      let diffIdentifier: Int
      let title: String
      let object: LifetimeTracker.Tracked
      static func == (a: Self, b: Self) -> Bool { a.title == b.title }
    }
    let rows = source.map {
      Held(diffIdentifier: $0.id, title: $0.model, object: tracker.track())
    }
    var held = [rows.snapshot]
    for id in 0..<100 {
      try store.commit { try $0.update(Car.self, id) { $0.model = "new" } }
      held.append(rows.snapshot)
    }
    #expect(tracker.aliveCount == 2_100)
    for (index, snapshot) in held.enumerated() {
      #expect(snapshot.rows.filter { $0.title == "new" }.count == index)
    }
    held.removeAll()
    #expect(tracker.aliveCount == 2_000)
  }
}
