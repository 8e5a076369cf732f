#if PostgreSQL
@_spi(Inspection) @_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
@testable import PostgreSQLPersistence
import SQLMapping
import Testing

/// Something whose owner may be missing.
private struct Tag: Entity {
  let id: Int
  var note: String?
  var weight: Double
  var owner: Ref<Person>?
  static let attributes = Attributes(
    .id(\Tag.id), .attribute("note", \.note), .attribute("weight", \.weight),
    .one("owner", \.owner, inverse: \.tags, lateBound: true))
  static let schema = Schema(attributes, Tag.init)
}

extension Person {
  fileprivate var tags: Many<Person, Tag> { Many(\.owner) }
}

/// Rows that refer to the same object share a value of the objects that refer to it.
@Suite struct SharedValueTests {
  @Test(arguments: TestStorage.withServer)
  func `S7: values of an owner are the same on all storages, also if the owner is missing`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Person.self, Tag.self)
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      try draft.insert(Tag(id: 0, note: "b", weight: -0.0, owner: Ref(ann)))
      try draft.insert(Tag(id: 1, note: nil, weight: 2, owner: Ref(ann)))
      try draft.insert(Tag(id: 2, note: "a", weight: 1, owner: Ref(ann)))
      try draft.insert(Tag(id: 3, note: nil, weight: 0.5, owner: Ref(bob)))
      try draft.insert(Tag(id: 4, note: "z", weight: 0, owner: Ref(99)))
      try draft.insert(Tag(id: 5, note: "y", weight: 0, owner: Ref(99)))
      try draft.insert(Tag(id: 6, note: "x", weight: 0, owner: nil))
    }
    let tags = Query<Tag>()
    func ids(_ query: Query<Tag>) throws -> [Int] { try store.fetch(query).map(\.id) }
    let several = tags.filter { $0.owner.tags.count > 1 }
    #expect(try ids(several) == [0, 1, 2])
    #expect(try store.count(several) == 3)
    #expect(try IndexedObjectsModel(several, in: store).count == 3)
    #expect(try ids(several.sorted { [$0.note.descending.nilsLast] }.limit(2)) == [0, 2])
    #expect(try ids(tags.filter { $0.owner.tags.count == 0 }) == [4, 5, 6])
    #expect(try ids(tags.filter { ($0.owner.tags.max { $0.note }) == "b" }) == [0, 1, 2])
    #expect(try ids(tags.filter { ($0.owner.tags.max { $0.note }).isNil }) == [3, 4, 5, 6])
    #expect(try ids(tags.filter { ($0.owner.tags.min { $0.weight }) == 0 }) == [0, 1, 2])
    let light = tags.filter { $0.owner.tags.count { $0.weight < 1 } == 1 }
    #expect(try ids(light) == [0, 1, 2, 3])
    let byNote = tags.sorted { [$0.owner.tags.max { $0.note }.ascending] }
    #expect(try ids(byNote) == [3, 4, 5, 6, 0, 1, 2])
    #expect(try ids(byNote.limit(5)) == [3, 4, 5, 6, 0])
    let list = try FetchedObjectsModel(
      byNote.including {
        $0.owner.tags.count
        $0.owner.tags.min { $0.weight }
      }, in: store)
    let counts = list.snapshot.rows.map { $0.owner?.tags.count }
    #expect(counts == [1, nil, nil, nil, 3, 3, 3])
    let least = list.snapshot.rows.map { $0.owner?.tags.min { $0.weight } ?? -1 }
    #expect(least == [0.5, -1, -1, -1, 0, 0, 0])
  }

  @Test func `F5: a server makes a value once for all rows that refer to the same object`() throws {
    let place = try ToolPlace()
    let store = try place.open()
    // All are Ann's, except one of nobody and one of Bob's.
    func car(_ id: Int) -> Car {
      var car = Car(id: id, model: "m", year: id, owner: Ref(id == 8 ? bob : ann))
      if id == 7 { car.owner = nil }
      return car
    }
    try store.commit { draft in
      try draft.insert(contentsOf: [ann, bob])
      try draft.insert(contentsOf: (0..<1000).map(car))
    }
    // The server's plan depends on its statistics.
    #expect(place.psql(#"ANALYZE "Car"; ANALYZE "Person""#))
    let query = Query<Car>()
      .filter { $0.owner.cars.count > 1 || $0.year == 7 }
      .sorted { [$0.owner.cars.max { $0.year }.descending.nilsLast] }
    let plan = try query.plan(in: store)
    #expect(plan.isWhollySaid, "\(plan)")
    #expect(plan.steps.count { $0.contains("Memoize") } == 2, "\(plan)")
    let ids: [Int] = Array(0..<7) + Array(9..<1000) + [7]
    #expect(try store.fetch(query).map(\.id) == ids)
    #expect(try store.count(query) == 999)
  }

  @Test func `F5: a value is joined once, and not for the rows within a limit alone`() throws {
    let several = Query<Car>().filter { $0.owner.cars.count { $0.year > 1990 } > 1 }
    let condition = try #require(several.description.filter?.conjuncts.first)
    guard case .comparison(_, let count, _) = condition else {
      Issue.record("\(condition)")
      return
    }
    func select(_ query: Query<Car>) -> SQLTranslation.Piece {
      SQLQuery(
        FetchPlan(query.description, values: [count]), PostgreSQLDialect(schema: "s")
      ).select
    }
    #expect(select(Query<Car>()).sql.ranges(of: "LATERAL").count == 1)
    #expect(!select(Query<Car>().limit(5)).sql.contains("LATERAL"))
    let both = select(several.filter { $0.year > 2000 }.limit(5))
    #expect(both.sql.ranges(of: "LATERAL").count == 1)
    #expect(both.values == [.integer(1990), .integer(1), .integer(2000), .integer(5)])
    // What the server can't be asked for isn't joined either.
    let odd = select(Query<Car>().filter { $0.owner.cars.count { $0.model == "a\0" } > 1 })
    #expect(odd.sql.ranges(of: "LATERAL").count == 1)
    #expect(odd.values == [.integer(1990)])
  }
}
#endif
