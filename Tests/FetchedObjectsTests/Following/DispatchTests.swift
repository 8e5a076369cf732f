import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

/// Who is asked about a commit, and what is worked out once for all.
@Suite struct DispatchTests {
  private let byModel = Query<Car>().sorted { [$0.model.ascending] }

  @Test(arguments: TestStorage.withServer)
  func `F12: a commit asks only those whose guard a changed object passes`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let count = storage == .memory ? 2000 : 200
    let years = try (0..<count).map { year in
      try FetchedObjectsModel(byModel.filter { $0.year == year }, in: store)
    }
    let decades = try (0..<20).map { decade in
      try FetchedObjectsModel(
        byModel.filter { $0.year.in(decade * 10...decade * 10 + 9) }, in: store)
    }
    let listed = try FetchedObjectsModel(
      byModel.filter { $0.year.in([3, 17]) }, in: store)
    let all = years + decades + [listed]
    let before = all.map(\.work)
    func asked() -> Int { zip(all, before).reduce(0) { $0 + $1.0.work.commits - $1.1.commits } }
    try store.commit { try $0.insert(Car(id: 10, model: "A", year: 17, owner: nil)) }
    #expect(asked() == 3)
    #expect(years[17].snapshot.count == 1 && decades[1].snapshot.count == 1)
    #expect(listed.snapshot.count == 1)
    // It goes from one to the other: both are concerned, and nobody else.
    try store.commit { draft in try draft.update(Car.self, 10) { $0.year = 25 } }
    #expect(asked() == 8)
    #expect(years[17].snapshot.isEmpty && years[25].snapshot.count == 1)
    #expect(decades[1].snapshot.isEmpty && decades[2].snapshot.count == 1)
    #expect(listed.snapshot.isEmpty)
    try store.commit { draft in try draft.delete(Car.self, 10) }
    #expect(asked() == 10)
    #expect(years[25].snapshot.isEmpty && decades[2].snapshot.isEmpty)
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: a guard doesn't hide what a related object changes`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let query = Query<Car>().filter {
      $0.year == 1994
      $0.owner.name == "Ann"
    }
    let model = try FetchedObjectsModel(query, in: store)
    #expect(model.fetchedObjects.map(\.id) == [1])
    try store.commit { draft in try draft.update(Person.self, 1) { $0.name = "Bea" } }
    #expect(model.fetchedObjects.isEmpty)
    try store.commit { draft in try draft.update(Person.self, 1) { $0.name = "Ann" } }
    #expect(model.fetchedObjects.map(\.id) == [1])
  }

  @Test func `F12: equal queries share one result, and each publishes it in its turn`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let first = try FetchedObjectsModel(byModel, in: store)
    let second = try FetchedObjectsModel(byModel.limit(2, offset: 1), in: store)
    let other = try FetchedObjectsModel(byModel.filter { $0.year > 0 }, in: store)
    let third = try FetchedObjectsModel(byModel, in: store)
    #expect(first.work.fetches == 1 && third.work.fetches == 1)
    var told: [String] = []
    let log = Recorded()
    let tokens = [
      third.didChange.subscribe { _ in log.note("third") },
      other.didChange.subscribe { _ in log.note("other") },
      second.didChange.subscribe { _ in log.note("second") },
      first.didChange.subscribe { _ in log.note("first") },
    ]
    try store.commit { draft in try draft.update(Car.self, 2) { $0.model = "Audi" } }
    told = log.notes
    // F13: in order of creation.
    #expect(told == ["first", "other", "third"])
    #expect(first.work == third.work)
    #expect(first.work.commits == 1 && first.work.changes == 1)
    try store.commit { draft in try draft.update(Car.self, 2) { $0.model = "Zastava" } }
    #expect(log.notes.dropFirst(3) == ["first", "second", "other", "third"])
    #expect(second.fetchedObjects.map(\.model) == ["Tesla", "Volvo"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `F12: a result without a model is asked nothing`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var model: FetchedObjectsModel<Car>? = try FetchedObjectsModel(byModel, in: store)
    let twin = try FetchedObjectsModel(byModel, in: store)
    weak let gone = model
    model = nil
    #expect(gone == nil)
    try store.commit { draft in try draft.delete(Car.self, 1) }
    #expect(twin.work.commits == 1)
    // The result goes with its last model, and a later one fetches it anew.
    let other = byModel.filter { $0.year > 1 }
    var last: FetchedObjectsModel<Car>? = try FetchedObjectsModel(other, in: store)
    try store.commit { draft in try draft.delete(Car.self, 2) }
    #expect(last?.work.commits == 1 && last?.work.fetches == 1)
    last = nil
    let later = try FetchedObjectsModel(other, in: store)
    #expect(later.work.commits == 0 && later.work.fetches == 1)
    #expect(later.fetchedObjects.map(\.id) == [4, 3])
  }

  @Test func `F3: how much is looked at follows the change, not the result`() throws {
    var comparisons: [Int] = []
    for count in [1000, 16_000] {
      let store = try TestStorage.memory.makeGarage()
      try store.commit { draft in
        for id in 0..<count {
          // All begin alike, so that every step of a search compares rows.
          try draft.insert(Car(id: id, model: "a long name \(100_000 + id)", year: 1, owner: nil))
        }
      }
      let model = try FetchedObjectsModel(byModel, in: store)
      let before = model.work
      for id in 0..<50 {
        try store.commit { draft in
          try draft.update(Car.self, id * 7 % count) { $0.model += "b" }
        }
      }
      #expect(model.work.candidates - before.candidates == 50)
      #expect(model.work.changes - before.changes == 50)
      #expect(model.work.fetches == 1)
      comparisons.append(model.work.comparisons - before.comparisons)
    }
    // Two searches of log n steps each, and one more for each doubling.
    #expect(comparisons[0] <= 50 * 2 * 14)
    #expect(comparisons[1] <= 50 * 2 * 18)
    #expect(comparisons[0] > 50)
  }

  @Test
  func `Cost: a filter is evaluated once for each changed object that the guard lets through`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<100 { try draft.insert(Car(id: id, model: "\(id)", year: id, owner: nil)) }
    }
    let model = try FetchedObjectsModel(Query<Car>().filter { $0.year > 50 }, in: store)
    let before = model.work
    try store.commit { draft in
      for id in 60..<70 { try draft.update(Car.self, id) { $0.year += 1 } }
    }
    #expect(model.work.conditions - before.conditions == 10)
    // A guard that no changed object passes isn't asked.
    try store.commit { try $0.update(Car.self, 3) { $0.year = 4 } }
    #expect(model.work.conditions - before.conditions == 10)
    #expect(model.work.commits - before.commits == 1)
  }

  @Test func `F7: a change outside a window with an index visits few rows, however many there are`()
    throws
  {
    var visited: [Int] = []
    for count in [500, 8000] {
      let store = try TestStorage.memory.makeGarage()
      try store.commit { draft in
        // Names that begin alike, so that rows have to be compared by what they hold.
        for id in 0..<count {
          try draft.insert(Car(id: id, model: "the same \(id)", year: id, owner: nil))
        }
      }
      NearRowsLimits.of(store).most.store(0)
      let model = try FetchedObjectsModel(
        Query<Car>().sorted { [$0.model.ascending] }.limit(10, offset: 5), in: store)
      let events = Recorder(model.didChange)
      let before = model.work
      try store.commit { try $0.update(Car.self, count - 1) { $0.model = "the same 9999" } }
      #expect(events.values.isEmpty)
      visited.append(model.work.rowsVisited - before.rowsVisited)
    }
    // Two searches: out of one tree and into the next.
    #expect(visited[0] > 4 && visited[0] <= 1 + 2 * 10)
    #expect(visited[1] <= 1 + 2 * 14)
  }
}

/// What callbacks have noted, in order.
private final class Recorded: Sendable {
  private let state = Locked<[String]>([])

  func note(_ name: String) { state.withLock { $0.append(name) } }

  var notes: [String] { state.withLock { $0 } }
}
