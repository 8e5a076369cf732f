@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Inspector
import ListFixtures
import TestSupport
import Testing

/// Something that is due at a time.
private struct Timed: Entity {
  let id: Int
  var due: Double
  static let attributes = Attributes(.id(\Timed.id), .attribute("due", \.due))
  static let schema = Schema(attributes, Timed.init)
}

@Suite struct ReasonTests {
  private func name(_ id: Int) -> ObjectID { ObjectID(entityName: "Car", id: .integer(Int64(id))) }

  @Test func `The reasons say of each object what the list says`() throws {
    for (seed, oracle) in OracleQuery.all.enumerated() {
      var writer = RandomWriter(random: SeededGenerator(seed: seed))
      let store = try TestStorage.memory.makeGarage()
      let inspector = try #require(Inspector(store, inRelease: true))
      let model = try FetchedObjectsModel(oracle.query, in: store)
      let list = try #require(inspector.lists.first).id
      for _ in 0..<40 {
        try writer.commit(store)
        let shown = Set(model.fetchedObjects.map(\.id))
        for id in 0..<9 {
          let reasons = try #require(try inspector.reasons(for: name(id), inList: list))
          #expect(reasons.belongs == shown.contains(id), "\(oracle.name), car \(id)")
          #expect(try reasons.isStored == (store.find(Car.self, id) != nil))
          if let filter = reasons.filter { check(filter) }
        }
      }
    }
  }

  /// A condition follows from its parts.
  private func check(_ reason: Reason) {
    switch reason.combination {
    case .and: #expect(reason.isTrue == reason.parts.allSatisfy(\.isTrue), "\(reason)")
    case .or: #expect(reason.isTrue == reason.parts.contains(where: \.isTrue), "\(reason)")
    case .not: #expect(reason.isTrue == !reason.parts[0].isTrue, "\(reason)")
    case nil: #expect(reason.parts.isEmpty)
    }
    for part in reason.parts { check(part) }
  }

  @Test func `A condition is shown with the values that it compares`() throws {
    let store = try TestStorage.memory.makeGarage()
    let inspector = try #require(Inspector(store, inRelease: true))
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(Car(id: 1, model: "Volvo", year: 1991, owner: Ref(1)))
    }
    let query = Query<Car>()
      .filter {
        $0.year > 1990
        $0.owner.name == "Bob" || $0.model.contains("olv")
      }
      .sorted { [$0.model.ascending] }
      .sectioned { $0.owner.name }
    let model = try FetchedObjectsModel(query, in: store)
    let list = try #require(inspector.lists.first).id
    let reasons = try #require(try inspector.reasons(for: name(1), inList: list))
    let filter = try #require(reasons.filter)
    #expect(filter.parts.map(\.isTrue) == [true, true])
    #expect(filter.parts[0].values.map(\.expression) == ["Car.year"])
    #expect(filter.parts[0].values.map(\.value) == ["1991"])
    #expect(filter.parts[1].parts.map(\.isTrue) == [false, true])
    #expect(filter.parts[1].parts[0].values.map(\.value) == ["\"Ann\""])
    #expect(reasons.section.map(\.value) == ["\"Ann\""])
    #expect(reasons.order.map(\.value) == ["\"Volvo\""])
    // An object of another entity is in none of these lists.
    let person = ObjectID(entityName: "Person", id: .integer(1))
    #expect(try inspector.reasons(for: person, inList: list) == nil)
    withExtendedLifetime(model) {}
  }

  @Test func `S6: a sum beyond Int that the list doesn't make is no error of the reasons`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      try draft.insert(Car(id: 1, model: "A", year: 2, owner: Ref(ann)))
      for id in [2, 3] { try draft.insert(Car(id: id, model: "B", year: .max, owner: Ref(bob))) }
    }
    let inspector = try #require(Inspector(store, inRelease: true))
    let query = Query<Person>()
      .filter {
        $0.name == "Ann"
        $0.cars.sum { $0.year } > 1
      }
      .sorted { [$0.cars.sum { $0.year }.ascending] }
      .sectioned { $0.cars.average { $0.year } }
    let model = try FetchedObjectsModel(query, in: store)
    #expect(model.fetchedObjects.map(\.id) == [1])
    let list = try #require(inspector.lists.first).id
    let inside = try #require(
      try inspector.reasons(for: ObjectID(entityName: "Person", id: .integer(1)), inList: list))
    #expect(inside.belongs && inside.section.count == 1 && inside.order.map(\.value) == ["2"])
    let outside = try #require(
      try inspector.reasons(for: ObjectID(entityName: "Person", id: .integer(2)), inList: list))
    #expect(!outside.belongs && outside.section.isEmpty && outside.order.isEmpty)
    let parts = try #require(outside.filter).parts
    #expect(parts.map(\.isTrue) == [false, false])
    #expect(parts.map { $0.values.map(\.value) } == [["\"Bob\""], ["beyond Int"]])
    withExtendedLifetime(model) {}
  }

  @Test func `F17: reasons are given for sections and orders of time, too`() throws {
    let store = try Store(.inMemory, entities: [Timed.self])
    try store.commit { try $0.insert(Timed(id: 1, due: 0)) }
    let inspector = try #require(Inspector(store, inRelease: true))
    let model = try FetchedObjectsModel(
      Query<Timed>().sectioned { $0.due.compared(.less, .now) }
        .sorted { [$0.due.compared(.less, .now).descending] }, in: store)
    let list = try #require(inspector.lists.first).id
    let object = ObjectID(entityName: "Timed", id: .integer(1))
    let reasons = try #require(try inspector.reasons(for: object, inList: list))
    #expect(reasons.section.map(\.value) == ["1"] && reasons.order.map(\.value) == ["1"])
    withExtendedLifetime(model) {}
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a name with an id of another form is no object`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let inspector = try #require(Inspector(store, inRelease: true))
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let list = try #require(inspector.lists.first).id
    for id in [StoredValue.text("1"), .real(1), .null, .list([.integer(1), .integer(2)])] {
      let name = ObjectID(entityName: "Car", id: id)
      #expect(try inspector.reasons(for: name, inList: list)?.isStored == false, "\(name)")
    }
    let name = ObjectID(entityName: "Car", id: .integer(1))
    #expect(try inspector.reasons(for: name, inList: list)?.isStored == true)
    withExtendedLifetime(model) {}
  }
}
