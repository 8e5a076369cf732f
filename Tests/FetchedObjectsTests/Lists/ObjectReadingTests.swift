import EntityStore
import FetchedObjects
import Fixtures
import TestSupport
import Testing

/// Every object of a snapshot is read, whatever its sections and its window.
@Suite struct ObjectReadingTests {
  @Test(arguments: TestStorage.withServer)
  func `F7: the objects of sections and windows are those of the query`(
    _ storage: TestStorage
  ) throws {
    var generator = SeededGenerator(number: 7)
    let store = try storage.makeGarage()
    try store.commit { draft in
      for id in 0..<20 { try draft.insert(Person(id: id, name: "p\(id % 7)", age: id)) }
      for id in 0..<400 {
        let owner = Int.random(in: 0..<20, using: &generator)
        try draft.insert(
          Car(
            id: id, model: "m\(Int.random(in: 0..<300, using: &generator))", year: id % 13,
            owner: Ref(owner)))
      }
    }
    let queries: [Query<Car>] = [
      Query<Car>().sorted { [$0.model.ascending] },
      Query<Car>().sorted { [$0.year.descending, $0.model.ascending] },
      Query<Car>().sorted { [$0.model.descending] }.sectioned { $0.year },
      Query<Car>().sorted { [$0.owner.name.ascending] }.sectioned { $0.owner.name },
      Query<Car>().filter { $0.year < 2 }.sorted { [$0.model.ascending] },
      Query<Car>().filter { $0.year < 0 },
    ]
    for (number, query) in queries.enumerated() {
      for (limit, offset) in [(nil, 0), (1, 0), (65, 3), (200, 100), (10, 395), (10, 500)] {
        let shown = limit.map { query.limit($0, offset: offset) } ?? query
        let model = try FetchedObjectsModel(shown, in: store)
        let expected = try store.fetch(shown)
        let hint = "query \(number), \(String(describing: limit)) from \(offset)"
        let objects = model.snapshot.objects
        expectEqual(objects.map(\.id), expected.map(\.id), hint)
        expectEqual(objects.map(\.model), expected.map(\.model), hint)
        expectEqual(model.sections.flatMap(\.objects).map(\.id), expected.map(\.id), hint)
        expectEqual(model.fetchedObjects.map(\.id), expected.map(\.id), hint)
        expectEqual(
          model.fetchedObjects.indices.map { model.fetchedObjects[$0].id }, expected.map(\.id), hint
        )
        var iterator = model.fetchedObjects.makeIterator()
        for object in expected { expectEqual(iterator.next()?.model, object.model, hint) }
        #expect(iterator.next() == nil && iterator.next() == nil, "\(hint)")
      }
    }
  }

  @Test
  func `An iterator holds its objects, whatever becomes of the list, and reads derived lists`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<300 {
        try draft.insert(Car(id: id, model: "a model that is long \(id)", year: id, owner: nil))
      }
    }
    var model: FetchedObjectsModel<Car>? = try FetchedObjectsModel(Query<Car>(), in: store)
    let even = try #require(model).filter { $0.year % 2 == 0 }
    expectEqual(even.snapshot.fetchedObjects.map(\.id), Array(stride(from: 0, to: 300, by: 2)), "")
    var iterator = try #require(model).fetchedObjects.makeIterator()
    var models: [String] = []
    for turn in 0..<300 {
      if let car = iterator.next() { models.append(car.model) }
      if turn == 3 { model = nil }
      if turn == 70 { try store.commit { try $0.deleteAll(Car.self) } }
    }
    expectEqual(models, (0..<300).map { "a model that is long \($0)" }, "")
  }
}
