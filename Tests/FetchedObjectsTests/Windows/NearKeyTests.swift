@_spi(Storage) import EntityStore
@testable import FetchedObjects
import Fixtures
import TestSupport
import Testing

/// A thing with values that may be nil.
private struct KeyedThing: Entity {
  let id: String
  var weight: Int?
  var place: String?
  var price: Double

  static let attributes = Attributes(
    .id(\KeyedThing.id), .attribute("weight", \.weight), .attribute("place", \.place),
    .attribute("price", \.price))
  static let schema = Schema(attributes, KeyedThing.init)
}

@Suite struct NearKeyTests {
  private static let all = Query<KeyedThing>()
  private static let queries: [Query<KeyedThing>] = [
    all,
    all.sorted { [$0.id.descending] },
    all.sorted { [$0.weight.ascending] },
    all.sorted { [$0.weight.descending] },
    all.sorted { [$0.weight.ascending.nilsLast] },
    all.sorted { [$0.weight.descending.nilsFirst, $0.place.ascending] },
    all.sorted { [$0.price.ascending, $0.weight.descending.nilsFirst] },
    all.filter { $0.price > 0 }.sorted { [$0.place.descending] },
    all.sorted { [$0.price.descending] }.sectioned { $0.weight },
    all.sorted { [$0.place.lowercased.ascending] },
    all.sorted { [$0.price.descending, $0.weight.descending] },
  ]

  @Test(.oneThread, arguments: queries.indices, TestStorage.withServer)
  func `F7: the conditions of a place give the rows before it and the others`(
    _ number: Int, _ storage: TestStorage
  ) throws {
    let query = Self.queries[number]
    let store = try storage.makeStore(KeyedThing.self)
    try store.commit { draft in
      var id = 0
      for weight in [nil, -1, 0, 5] {
        for place in [nil, "", "a", "\u{e9}", "e\u{301}", "A"] {
          for price in [-0.5, 0, 1e300] {
            // Some of the values occur twice.
            id += 1
            if id % 4 == 0 { continue }
            try draft.insert(
              KeyedThing(id: "\(id % 7)-\(id)", weight: weight, place: place, price: price))
          }
        }
      }
    }
    try check(query, "query \(number)", in: store)
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: so do those of a place in an order by an id of two parts`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Crate.self)
    try store.commit { draft in
      for yard in ["", "a", "\u{e9}", "e\u{301}", "A"] {
        for place in [Int.min, -1, 0, 3, Int.max] {
          try draft.insert(Crate(id: .init(yard: yard, place: place), isFull: place % 2 == 0))
        }
      }
    }
    let all = Query<Crate>()
    let queries: [Query<Crate>] = [
      all,
      all.sorted { [$0.id.descending] },
      all.sorted { [$0.isFull.descending] },
      all.sorted { [$0.isFull.ascending, $0.id.descending] },
      all.filter { $0.id.place > -1 }.sorted { [$0.id.place.descending] },
    ]
    for (number, query) in queries.enumerated() {
      try check(query, "query \(number)", in: store)
    }
  }

  private func check<E: Entity>(_ query: Query<E>, _ label: String, in store: Store) throws {
    let ordered = try store.fetch(query)
    try store.readStorage { reader in
      for (place, thing) in ordered.enumerated() {
        let row = try #require(
          try reader.row(of: query.description.entity, id: E.schema.stored(thing.id)))
        let key = try NearKey(of: row, in: query.description, reading: reader)
        for (condition, expected) in [
          (key.isBefore, ordered[..<place]), (key.isAtOrAfter, ordered[place...]),
        ] {
          var near = query.description
          near.filter = near.filter.map { .and([$0, condition]) } ?? condition
          let found = try reader.fetch(FetchPlan(near)).map { $0.row.value(as: E.self).id }
          #expect(found == expected.map(\.id), "\(label), place \(place)")
          #expect(try reader.count(near.entity, where: near.filter) == expected.count)
        }
      }
    }
  }

  @Test func `Cost: an index gives the rows around one`() throws {
    let store = try TestStorage.file.makeStore(Person.self, Car.self)
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.id.ascending] }.description
    try store.readStorage { reader in
      let row = try #require(try reader.row(of: query.entity, id: .integer(1)))
      let key = try NearKey(of: row, in: query, reading: reader)
      for (condition, fromEnd) in [(key.isBefore, true), (key.isAtOrAfter, false)] {
        var near = query
        (near.filter, near.limit, near.isFromEnd) = (condition, 10, fromEnd)
        let plan = try reader.explain(FetchPlan(near)).description
        #expect(plan.contains("SEARCH") && !plan.contains("TEMP B-TREE"), "\(plan)")
      }
    }
  }

  @Test func `Cost: the index of an id of two parts gives the rows around one`() throws {
    let store = try TestStorage.file.makeStore(Crate.self)
    let crate = Crate(id: .init(yard: "a", place: 1), isFull: true)
    try store.commit { try $0.insert(crate) }
    let query = Query<Crate>().description
    try store.readStorage { reader in
      let row = try #require(
        try reader.row(of: query.entity, id: Crate.schema.stored(crate.id)))
      let key = try NearKey(of: row, in: query, reading: reader)
      for (condition, fromEnd) in [(key.isBefore, true), (key.isAtOrAfter, false)] {
        var near = query
        (near.filter, near.limit, near.isFromEnd) = (condition, 10, fromEnd)
        let plan = try reader.explain(FetchPlan(near))
        let words = plan.description
        #expect(plan.isWhollySaid, "\(words)")
        #expect(words.contains("SEARCH") && !words.contains("TEMP B-TREE"), "\(words)")
      }
    }
  }
}
