import EntityStore
import TestSupport
import Testing

@Suite struct `Swapped attributes are found with the first object that shows the swap` {
  @Test(arguments: mistakes) func `S6: it traps and is named`(_ mistake: Mistake) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = mistake.name as String] in
      for mistake in mistakes where mistake.name == name { try mistake.make() }
    }
    trap.expectMessage(mistake.words)
  }

  @Test func `S6: those in the right order are written as often as one likes`() throws {
    enum Colour: String, Storable { case red, green }
    struct Right: Entity {
      let id: Int
      var inside = Colour.red
      var outside = Colour.red
      var lining: Colour?
      static let attributes = Attributes(
        .id(\Right.id), .attribute("inside", \.inside), .attribute("outside", \.outside),
        .attribute("lining", \.lining))
      static let schema = Schema(attributes, Right.init)
    }
    let store = try Store(.inMemory, entities: [Right.self])
    try store.commit { draft in
      for id in 0..<300 {
        try draft.insert(Right(id: id, outside: id > 150 && id.isMultiple(of: 2) ? .green : .red))
      }
      try draft.updateAll(Query<Right>()) { $0.inside = $0.id > 200 ? .green : .red }
    }
    #expect(try store.count(Query<Right>().filter { $0.inside == .green }) == 99)
    #expect(try store.count(Query<Right>().filter { $0.outside == .green }) == 74)
  }
}

/// Two attributes in each other's place, of a type that no sample is known for.
private struct Painted: Entity {
  enum Colour: String, Storable { case red, green }
  let id: Int
  var inside = Colour.red
  var outside = Colour.red
  static let attributes = Attributes(
    .id(\Painted.id), .attribute("outside", \.outside), .attribute("inside", \.inside))
  static let schema = Schema(attributes, Painted.init)

  static func store(with count: Int = 1) throws -> Store {
    let store = try Store(.inMemory, entities: [Painted.self])
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<count).map { Painted(id: $0) })
    }
    return store
  }
}

private let swapped =
  "Painted.outside comes back as another value, that of inside; list the attributes"

private let mistakes: [Mistake] = [
  Mistake("a change in place", swapped) {
    try Painted.store().commit { try $0.update(Painted.self, 0) { $0.outside = .green } }
  },
  Mistake("an object put in another's place", swapped) {
    try Painted.store().commit { try $0.update(Painted(id: 0, outside: .green)) }
  },
  Mistake("one of many", swapped) {
    try Painted.store(with: 150).commit { draft in
      for id in 0..<150 {
        try draft.update(Painted.self, id) { $0.outside = id == 149 ? .green : .red }
      }
    }
  },
  Mistake("one that is inserted after a hundred alike", swapped) {
    try Painted.store(with: 150).commit { try $0.insert(Painted(id: 150, outside: .green)) }
  },
  Mistake(
    "cases that are listed, when the store opens",
    "Listed.lining comes back as another value, that of outside"
  ) {
    enum Colour: String, Storable, CaseIterable { case red, green }
    struct Listed: Entity {
      let id: Int
      var inside: Colour
      var outside: Colour?
      var lining: Colour?
      static let attributes = Attributes(
        .id(\Listed.id), .attribute("inside", \.inside), .attribute("lining", \.lining),
        .attribute("outside", \.outside))
      static let schema = Schema(attributes, Listed.init)
    }
    _ = try Store(.inMemory, entities: [Listed.self])
  },
  Mistake(
    "a property that a closure makes of a constant",
    "Constant.year comes back as another value; the schema's initialiser must give each property"
  ) {
    struct Constant: Entity {
      let id: Int
      var year: Int
      static let attributes = Attributes(.id(\Constant.id), .attribute("year", \.year))
      static let schema = Schema(attributes, { id, _ in Constant(id: id, year: 2000) })
    }
    let store = try Store(.inMemory, entities: [Constant.self])
    try store.commit { try $0.insert(Constant(id: 1, year: 2000)) }
    try store.commit { try $0.update(Constant.self, 1) { $0.year = 2001 } }
  },
  Mistake("a raw value that is rounded", "Priced.price is stored as 12, which gives 10") {
    struct Price: RawRepresentable, Storable {
      var rawValue: Int
      init(rawValue: Int) { self.rawValue = rawValue / 5 * 5 }
    }
    struct Priced: Entity {
      let id: Int
      var price: Price
      static let attributes = Attributes(.id(\Priced.id), .attribute("price", \.price))
      static let schema = Schema(attributes, Priced.init)
    }
    let store = try Store(.inMemory, entities: [Priced.self])
    try store.commit { try $0.insert(Priced(id: 1, price: Price(rawValue: 12))) }
    try store.commit { try $0.update(Priced.self, 1) { $0.price.rawValue = 12 } }
  },
]
