import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

@Suite struct `Views are equal if the same can be read through them` {
  /// Cars by their owners' ages, with the owners' names.
  private let byAge = Query<Car>().sorted { [$0.owner.age.ascending, $0.model.ascending] }
    .filter { $0.owner.age != 99 }
    .including { $0.owner.name }

  private func makeModel(
    _ storage: TestStorage, _ query: Query<Car>
  ) throws -> (store: Store, cars: FetchedObjectsModel<Car>) {
    let store = try storage.makeGarage()
    try store.fillGarage()
    return (store, try FetchedObjectsModel(query, in: store, delivery: .immediate))
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: a key that isn't included makes no difference, and map publishes nothing for it`(
    _ storage: TestStorage
  ) throws {
    let (store, cars) = try makeModel(storage, byAge)
    let rows = cars.map { car -> EntityView<Car> in car }
    let (events, mapped) = (Recorder(cars.didChange), Recorder(rows.didChange))
    let before = try #require(cars.snapshot.row(for: 1))
    try store.commit { draft in try draft.update(Person.self, 1) { $0.age = 31 } }
    let after = try #require(cars.snapshot.row(for: 1))
    #expect(before == after)
    // The path is declared, so the model tells of it.
    #expect(events.values.count == 1)
    #expect(mapped.values.isEmpty)
    try store.commit { draft in try draft.update(Person.self, 1) { $0.name = "Anna" } }
    #expect(cars.snapshot.row(for: 1) != after)
    #expect(mapped.values.count == 1)
    #expect(rows.snapshot.rows.filter { $0.owner?.name == "Anna" }.count == 2)
    try store.commit { draft in try draft.update(Car.self, 1) { $0.year = 1995 } }
    #expect(mapped.values.count == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: through a view of the owner the car makes no difference`(
    _ storage: TestStorage
  ) throws {
    let (store, cars) = try makeModel(storage, byAge)
    let owners = cars.compactMap { car -> EntityView<Person>? in car.owner }
    let mapped = Recorder(owners.didChange)
    let before = try #require(cars.snapshot.row(for: 1)?.owner)
    try store.commit { draft in try draft.update(Car.self, 1) { $0.year = 1995 } }
    let after = try #require(cars.snapshot.row(for: 1)?.owner)
    #expect(before == after)
    #expect(cars.snapshot.row(for: 2)?.owner == after)
    #expect(cars.snapshot.row(for: 3)?.owner != after)
    #expect(mapped.values.isEmpty)
    try store.commit { draft in try draft.update(Person.self, 1) { $0.name = "Anna" } }
    #expect(cars.snapshot.row(for: 1)?.owner != after)
    #expect(mapped.values.count == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: views of two queries are equal if these include the same`(_ storage: TestStorage) throws
  {
    let (store, cars) = try makeModel(storage, byAge)
    func view(_ query: Query<Car>) throws -> EntityView<Car>? {
      let model = try FetchedObjectsModel(query, in: store, delivery: .immediate)
      return model.snapshot.row(for: 1)
    }
    let car = try #require(cars.snapshot.row(for: 1))
    #expect(try view(Query<Car>().including { $0.owner.name }) == car)
    #expect(try view(Query<Car>()) != car)
    #expect(try view(Query<Car>().including { $0.owner.age }) != car)
    let more = try #require(
      try view(
        Query<Car>().including {
          $0.owner.age
          $0.owner.name
        }))
    #expect(more != car)
    let turned = try view(
      Query<Car>().including {
        $0.owner.name
        $0.owner.age
      })
    #expect(turned == more)
    // A car whose owner isn't there is one whose owner isn't there.
    #expect(try view(Query<Car>()) == view(Query<Car>().sorted { [$0.owner.name.ascending] }))
  }
}
