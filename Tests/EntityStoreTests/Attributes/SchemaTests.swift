@_spi(Storage) import EntityStore
import TestSupport
import Testing

@Suite struct `Mistakes in a schema or a query trap and are named` {
  @Test(arguments: mistakes) func `S6: each says what it is`(_ mistake: Mistake) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = mistake.name as String] in
      for mistake in mistakes where mistake.name == name { try mistake.make() }
    }
    trap.expectMessage(mistake.words)
  }
}

private let mistakes: [Mistake] = [
  Mistake("a default that is NaN", "The default of Vague.ratio is NaN") {
    struct Vague: Entity {
      let id: Int
      var ratio: Double
      static let attributes = Attributes(
        .id(\Vague.id), .attribute("ratio", \.ratio, default: Double.nan))
      static let schema = Schema(attributes, Vague.init)
    }
    _ = Vague.schema
  },
  Mistake("a schema without an id", "The schema of NoID has no id; add .id(\\NoID.id)") {
    struct NoID: Entity {
      let id: Int
      static let attributes = Attributes(.attribute("id", \NoID.id))
      static let schema = Schema(attributes, NoID.init)
    }
    _ = NoID.schema
  },
  Mistake("a row with fewer values than columns", "A row of Owner has 2 values, and 1 are given") {
    _ = try Owner.schema.entity.row([.integer(1)])
  },
  Mistake("a row with more values than columns", "A row of Owner has 2 values, and 3 are given") {
    _ = try Owner.schema.entity.row([.integer(1), .text(""), .null])
  },
  Mistake(
    "attributes in another order than the initialiser's",
    "Swapped.second comes back as another value, that of first"
  ) {
    struct Swapped: Entity {
      let id: Int
      var first: String
      var second: String
      static let attributes = Attributes(
        .id(\Swapped.id), .attribute("second", \.second), .attribute("first", \.first))
      static let schema = Schema(attributes, Swapped.init)
    }
    _ = try Store(.inMemory, entities: [Swapped.self])
  },
  Mistake("truths in another order", "Truths.isRed comes back as another value, that of isOld") {
    struct Truths: Entity {
      let id: Int
      var isOld: Bool
      var isRed: Bool
      static let attributes = Attributes(
        .id(\Truths.id), .attribute("isRed", \.isRed), .attribute("isOld", \.isOld))
      static let schema = Schema(attributes, Truths.init)
    }
    _ = try Store(.inMemory, entities: [Truths.self])
  },
  Mistake(
    "optionals in another order", "Optionals.width comes back as another value, that of height"
  ) {
    struct Optionals: Entity {
      let id: Int
      var height: Double?
      var width: Double?
      static let attributes = Attributes(
        .id(\Optionals.id), .attribute("width", \.width), .attribute("height", \.height))
      static let schema = Schema(attributes, Optionals.init)
    }
    _ = try Store(.inMemory, entities: [Optionals.self])
  },
  Mistake("references in another order", "Match.guest comes back as another value, that of home") {
    struct Match: Entity {
      let id: Int
      var home: Ref<Owner>
      var guest: Ref<Owner>
      static let attributes = Attributes(
        .id(\Match.id), .one("guest", \.guest, onDelete: .cascade),
        .one("home", \.home, onDelete: .cascade))
      static let schema = Schema(attributes, Match.init)
    }
    _ = try Store(.inMemory, entities: [Match.self, Owner.self])
  },
  Mistake("three that change places", "Turned.second comes back as another value") {
    struct Turned: Entity {
      let id: Int
      var first: [UInt8]
      var second: [UInt8]
      var third: [UInt8]
      static let attributes = Attributes(
        .id(\Turned.id), .attribute("second", \.second), .attribute("third", \.third),
        .attribute("first", \.first))
      static let schema = Schema(attributes, Turned.init)
    }
    _ = try Store(.inMemory, entities: [Turned.self])
  },
  Mistake(
    "two attributes of one property",
    "Two attributes of Doubled name one property, the second as \"second\""
  ) {
    struct Doubled: Entity {
      let id: Int
      var first: String
      var second: String
      static let attributes = Attributes(
        .id(\Doubled.id), .attribute("first", \.first), .attribute("second", \.first))
      static let schema = Schema(attributes, Doubled.init)
    }
    _ = Doubled.schema
  },
  Mistake("a schema with two ids", "The schema of TwoIDs has two ids") {
    struct TwoIDs: Entity {
      let id: Int
      var other: Int
      static let attributes = Attributes(.id(\TwoIDs.id), .id(\.other, name: "other"))
      static let schema = Schema(attributes, TwoIDs.init)
    }
    _ = TwoIDs.schema
  },
  Mistake(
    "two attributes of one name, in different case",
    "The schema of Twice has two attributes named \"ID\""
  ) {
    struct Twice: Entity {
      let id: Int
      var other: Int
      static let attributes = Attributes(.id(\Twice.id), .attribute("ID", \.other))
      static let schema = Schema(attributes, Twice.init)
    }
    _ = Twice.schema
  },
  Mistake("an attribute without a name", "An attribute of Nameless has an empty name") {
    struct Nameless: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Nameless.id, name: ""))
      static let schema = Schema(attributes, Nameless.init)
    }
    _ = Nameless.schema
  },
  Mistake(
    "a rule about a property that the schema doesn't list",
    "A rule of Ruled names a property that its schema doesn't"
  ) {
    struct Ruled: Entity {
      let id: Int
      var double: Int { id * 2 }
      static let attributes = Attributes(.id(\Ruled.id))
      static let schema = Schema(attributes, Ruled.init, rules: [.unique(\.double)])
    }
    _ = Ruled.schema
  },
  Mistake("an id that may be nil", "The id of MaybeID may be nil; give every object one") {
    struct MaybeID: Entity {
      let id: Int?
      static let attributes = Attributes(.id(\MaybeID.id))
      static let schema = Schema(attributes, MaybeID.init)
    }
    _ = MaybeID.schema
  },
  Mistake(
    "a store without an entity that another refers to",
    "Pet refers to Owner; open the store with Owner.self too"
  ) {
    _ = try Store(.inMemory, entities: [Pet.self])
  },
  Mistake("two entities of one name, in different case", "Two entities are named") {
    struct Impostor: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Impostor.id))
      static let schema = Schema(attributes, Impostor.init)
      static var entityName: String { "OWNER" }
    }
    _ = try Store(.inMemory, entities: [Owner.self, Impostor.self])
  },
  Mistake(
    "an attribute that is dropped, too",
    "Both.Color is an attribute and dropped; take it out of .dropped"
  ) {
    struct Both: Entity {
      let id: Int
      var color = ""
      static let attributes = Attributes(.id(\Both.id), .attribute("color", \.color, default: ""))
      static let schema = Schema(attributes, Both.init, rules: [.dropped("Color")])
    }
    _ = try Store(.inMemory, entities: [Both.self])
  },
  Mistake("an attribute renamed from its own name", "Same.color is renamed from its own name") {
    struct Same: Entity {
      let id: Int
      var color = ""
      static let attributes = Attributes(
        .id(\Same.id), .attribute("color", \.color, default: "", renamedFrom: "COLOR"))
      static let schema = Schema(attributes, Same.init)
    }
    _ = try Store(.inMemory, entities: [Same.self])
  },
  Mistake(
    "two attributes renamed from one", "Twins.second and first are both renamed from \"Name\""
  ) {
    struct Twins: Entity {
      let id: Int
      var first = ""
      var second = ""
      static let attributes = Attributes(
        .id(\Twins.id), .attribute("first", \.first, default: "", renamedFrom: "name"),
        .attribute("second", \.second, default: "", renamedFrom: "Name"))
      static let schema = Schema(attributes, Twins.init)
    }
    _ = try Store(.inMemory, entities: [Twins.self])
  },
  Mistake("an entity renamed from its own name", "Memo is renamed from its own name") {
    struct Memo: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Memo.id))
      static let schema = Schema(attributes, Memo.init, rules: [.renamedFrom("memo")])
    }
    _ = try Store(.inMemory, entities: [Memo.self])
  },
  Mistake("a key without attributes", "A rule of Keyless names no property") {
    struct Keyless: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Keyless.id))
      static let schema = Schema(attributes, Keyless.init, rules: [.unique()])
    }
    _ = Keyless.schema
  },
  Mistake("an index without attributes", "A rule of Unindexed names no property") {
    struct Unindexed: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Unindexed.id))
      static let schema = Schema(attributes, Unindexed.init, rules: [.index()])
    }
    _ = Unindexed.schema
  },
  Mistake("a to-many property without its reference", "No reference of Lone names") {
    _ = Query<Lone>().filter { $0.others.isEmpty }
  },
  Mistake(
    "a late-bound reference that cascades",
    """
    Wire.owner is late-bound and has the delete rule cascade; a late-bound reference waits for its \
    object to come back, so leave out onDelete, or lateBound
    """
  ) {
    struct Wire: Entity {
      let id: Int
      var owner: Ref<Owner>?
      static let attributes = Attributes(
        .id(\Wire.id), .one("owner", \.owner, onDelete: .cascade, lateBound: true))
      static let schema = Schema(attributes, Wire.init)
    }
    _ = Wire.schema
  },
  Mistake(
    "a late-bound reference that denies", "Wire.owner is late-bound and has the delete rule deny"
  ) {
    struct Wire: Entity {
      let id: Int
      var owner: Ref<Owner>?
      static let attributes = Attributes(
        .id(\Wire.id), .one("owner", \.owner, onDelete: .deny, lateBound: true))
      static let schema = Schema(attributes, Wire.init)
    }
    _ = Wire.schema
  },
  Mistake(
    "a required late-bound reference that cascades",
    "Wire.owner is late-bound and has the delete rule cascade"
  ) {
    struct Wire: Entity {
      let id: Int
      var owner: Ref<Owner>
      static let attributes = Attributes(
        .id(\Wire.id), .one("owner", \.owner, onDelete: .cascade, lateBound: true))
      static let schema = Schema(attributes, Wire.init)
    }
    _ = Wire.schema
  },
  Mistake("a condition that is equal to NaN", "A condition compares with NaN") {
    _ = Query<Measure>().filter { $0.value == .nan }
  },
  Mistake("a condition that is less than NaN", "A condition compares with NaN") {
    _ = Query<Measure>().filter { $0.value < .nan }
  },
  Mistake("a condition that looks for NaN in a list", "A condition compares with NaN") {
    _ = Query<Measure>().filter { [1, .nan].contains($0.value) }
  },
  Mistake("a condition that asks for a reference named NaN", "A condition compares with NaN") {
    _ = Query<Gauge>().filter { $0.below == Ref(.init(number: 1, height: .nan)) }
  },
  Mistake("a condition that asks for an id with NaN", "A condition compares with NaN") {
    _ = Query<Gauge>().filter { $0.id == .init(number: 1, height: .nan) }
  },
  Mistake("a condition on references in a list with NaN", "A condition compares with NaN") {
    _ = Query<Gauge>().filter { $0.below.id.in([.init(number: 1, height: .nan)]) }
  },
  Mistake(
    "a find by an attribute that is no unique key",
    "row is no unique key of Seat; declare .unique in its schema"
  ) {
    let store = try Store(.inMemory, entities: [Seat.self])
    _ = try store.find(Seat.self, by: (\.row, 1))
  },
  Mistake("an upsert by what is no unique key", "code, number is no unique key of Seat") {
    let store = try Store(.inMemory, entities: [Seat.self])
    try store.commit { draft in
      try draft.upsert(Seat(id: 1, row: 1, number: 1), by: \.number, \.code)
    }
  },
]

/// An entity with a to-many property that no reference names.
struct Lone: Entity {
  let id: Int
  var other: Ref<Lone>?
  static let attributes = Attributes(.id(\Lone.id), .one("other", \.other))
  static let schema = Schema(attributes, Lone.init)
}

extension Lone {
  var others: Many<Lone, Lone> { Many(\.other) }
}

/// An object whose id has a part that could be NaN.
private struct Gauge: Entity {
  struct ID: CompositeID {
    var number: Int
    var height: Double
  }

  let id: ID
  var below: Ref<Gauge>?
  static let attributes = Attributes(
    .id(\Gauge.id, ID.init, .part("number", \.number), .part("height", \.height)),
    .one("below", \.below))
  static let schema = Schema(attributes, Gauge.init)
}
