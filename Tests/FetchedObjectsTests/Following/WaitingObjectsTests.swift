import EntityStore
import Fixtures
import ListDiffing
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

/// Memory that waits with a list, or stays after it.
@Suite struct WaitingObjectsTests {
  @Test func `F12: a paused list doesn't remember the objects that have come and gone`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let events = Recorder(cars.didChange)
    cars.pause()
    for id in 100..<2100 {
      try store.commit { try $0.insert(Car(id: id, model: "", year: 1, owner: nil)) }
      try store.commit { try $0.delete(Car.self, id) }
    }
    let waiting = cars.follower.core.withState { $0.pending.waitingTouched }
    #expect(waiting.compactMap(\.ids).map(\.count).reduce(0, +) <= 200)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1900 } }
    cars.resume()
    #expect(events.values.map { "\($0.changes)" } == ["update 0.0 → 0.0"])
  }

  @Test func `F12: nor does one that is paused while steps wait`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let place = Courtyard()
    let cars = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .on(place), policy: .every)
    try await place.busy {
      for year in 1...3 { try store.commit { try $0.update(Car.self, 1) { $0.year = year } } }
      cars.pause()
      for id in 100..<1100 {
        try store.commit { try $0.insert(Car(id: id, model: "", year: 1, owner: nil)) }
        try store.commit { try $0.delete(Car.self, id) }
      }
      let waiting = cars.follower.core.withState { $0.pending.waitingTouched }
      #expect(waiting.compactMap(\.ids).map(\.count).reduce(0, +) <= 200)
    }
  }

  private actor Courtyard {
    func busy(_ body: @Sendable () throws -> Void) rethrows { try body() }
  }

  @Test func `F12: an index-only list with another query waits through many commits`() throws {
    let store = try TestStorage.file.makeGarage()
    try store.fillGarage()
    let cars = try IndexedObjectsModel(Query<Car>(), in: store)
    cars.pause()
    let query = Query<Car>().sorted { [$0.year.descending] }
    try cars.setQuery(query)
    for id in 100..<400 {
      try store.commit { draft in
        try draft.insert(Car(id: id, model: "", year: id % 7, owner: nil))
        if id % 3 == 0 { try draft.delete(Car.self, id - 2) }
      }
    }
    cars.resume()
    let shown = try (0..<cars.count).map { try cars.object(at: ListPath(section: 0, row: $0))?.id }
    #expect(shown == (try store.fetch(query).map(\.id)))
  }

  @Test(arguments: seeds(4))
  func `F12: models of one query go in any order, and the others go on`(_ seed: Int) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    var random = SeededGenerator(seed: seed)
    let first = try FetchedObjectsModel(Query<Car>(), in: store)
    var models = [first]
    for step in 0..<150 {
      // More come than go at first, and then more go.
      if Int.random(in: 0..<100, using: &random) < (step < 50 ? 80 : 20) || models.count == 1 {
        models.append(try FetchedObjectsModel(Query<Car>(), in: store))
      } else {
        models.remove(at: Int.random(in: 1..<models.count, using: &random))
      }
      try store.commit { try $0.update(Car.self, 1) { $0.year = 3000 + step } }
      expectTrue(models.allSatisfy { $0.snapshot.rows.first?.year == 3000 + step }, "step \(step)")
      let live = first.follower.core.withState { $0.details.live }
      expectEqual(live.core.members.count, models.count)
    }
  }

  /// It holds a store, and is held by an order.
  private final class Garage: Sendable {
    let store: Store

    init(_ store: Store) { self.store = store }

    func cars() throws -> FetchedObjectsModel<Car> {
      let order = ValueComparator<String>("hers") { (try? self.store.version) != nil && $0 < $1 }
      return try FetchedObjectsModel(
        Query<Car>().sorted { [$0.model.ascending(by: order)] }, in: store)
    }
  }

  @Test func `A store that an order holds is freed after the list`() throws {
    weak var left: Store?
    do {
      let garage = Garage(try TestStorage.memory.makeGarage())
      left = garage.store
      try garage.store.fillGarage()
      #expect(try garage.cars().count > 0)
    }
    #expect(left == nil)
  }
}
