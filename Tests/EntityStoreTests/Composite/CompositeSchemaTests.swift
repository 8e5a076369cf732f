import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `Mistakes in an id of several parts trap and are named` {
  @Test(arguments: mistakes) func `S6: each says what it is`(_ mistake: Mistake) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = mistake.name as String] in
      for mistake in mistakes where mistake.name == name { try mistake.make() }
    }
    trap.expectMessage(mistake.words)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: NaN in a part is refused by name`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Reading.self)
    let nan = Reading(id: .init(station: 1, depth: .nan))
    try store.commit { try $0.insert(Reading(id: .init(station: 1, depth: -0.0))) }
    let error = try store.expectRefusal { try $0.insert(nan) }
    guard case .notANumber(_, attribute: "id") = error else {
      Issue.record("refused as \(String(describing: error))")
      return
    }
    try store.expectRefusal(.alreadyExists(ObjectID(Reading.self, .init(station: 1, depth: 0)))) {
      try $0.insert(Reading(id: .init(station: 1, depth: 0)))
    }
    #expect(try store.find(Reading.self, .init(station: 1, depth: 0)) != nil)
    #expect(try store.find(Reading.self, .init(station: 1, depth: .nan)) == nil)
  }
}

private let mistakes: [Mistake] = [
  Mistake("no parts", "The id of Partless has no parts; list them after its initialiser") {
    struct Partless: Entity {
      struct ID: CompositeID {}
      let id: ID
      static let attributes = Attributes(.id(\Partless.id, ID.init))
      static let schema = Schema(attributes, Partless.init)
    }
    _ = Partless.schema
  },
  Mistake(
    "an id with parts that is listed as one value",
    "The id of Undivided has parts; list them after its initialiser"
  ) {
    struct Undivided: Entity {
      struct ID: CompositeID, Storable {
        var a: Int
        static var storedType: StoredType { .integer }
        var storedValue: StoredValue { a.storedValue }
        init(storedValue: StoredValue) throws { a = try Int(storedValue: storedValue) }
      }
      let id: ID
      static let attributes = Attributes(.id(\Undivided.id))
      static let schema = Schema(attributes, Undivided.init)
    }
    _ = Undivided.schema
  },
  Mistake(
    "an id that is a reference to an object with parts in its id",
    """
    The id of Bill is a reference to an object whose id has parts; give Bill an id of the same \
    parts, and declare a reference beside it with .one
    """
  ) {
    struct Bill: Entity {
      let id: Ref<Cabin>
      var sum: Int
      static let attributes = Attributes(.id(\Bill.id), .attribute("sum", \.sum))
      static let schema = Schema(attributes, Bill.init)
    }
    _ = Bill.schema
  },
  Mistake("a part that may be nil", "Part b of Optionally's id may be nil; make it required") {
    struct Optionally: Entity {
      struct ID: CompositeID {
        var a: Int
        var b: String?
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Optionally.id, ID.init, .part("a", \.a), .part("b", \.b)))
      static let schema = Schema(attributes, Optionally.init)
    }
    _ = Optionally.schema
  },
  Mistake(
    "two parts of one property", "Two parts of Doubly's id name one property, the second as \"b\""
  ) {
    struct Doubly: Entity {
      struct ID: CompositeID {
        var a: Int
        var b: Int
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Doubly.id, ID.init, .part("a", \.a), .part("b", \.a)))
      static let schema = Schema(attributes, Doubly.init)
    }
    _ = Doubly.schema
  },
  Mistake(
    "two parts of one name, in different case",
    "The schema of Namesakes has two attributes named \"A\""
  ) {
    struct Namesakes: Entity {
      struct ID: CompositeID {
        var a: Int
        var b: Int
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Namesakes.id, ID.init, .part("a", \.a), .part("A", \.b)))
      static let schema = Schema(attributes, Namesakes.init)
    }
    _ = Namesakes.schema
  },
  Mistake("a part named as an attribute", "The schema of Clash has two attributes named \"a\"") {
    struct Clash: Entity {
      struct ID: CompositeID { var a: Int }
      let id: ID
      var b: Int
      static let attributes = Attributes(
        .id(\Clash.id, ID.init, .part("a", \.a)), .attribute("a", \.b))
      static let schema = Schema(attributes, Clash.init)
    }
    _ = Clash.schema
  },
  Mistake("a part without a name", "A part of Unnamed's id has an empty name") {
    struct Unnamed: Entity {
      struct ID: CompositeID { var a: Int }
      let id: ID
      static let attributes = Attributes(.id(\Unnamed.id, ID.init, .part("", \.a)))
      static let schema = Schema(attributes, Unnamed.init)
    }
    _ = Unnamed.schema
  },
  Mistake(
    "a part that is a reference",
    """
    Part owner of Joined's id is a Ref<Owner>, which nothing would guard; make it a Owner.ID, and \
    declare a reference beside the id with .one
    """
  ) {
    struct Joined: Entity {
      struct ID: CompositeID {
        var owner: Ref<Owner>
        var number: Int
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Joined.id, ID.init, .part("owner", \.owner), .part("number", \.number)))
      static let schema = Schema(attributes, Joined.init)
    }
    _ = Joined.schema
  },
  Mistake(
    "a part that has parts itself", "Part cabin of Nested's id has parts itself; list each of them"
  ) {
    struct Pair: Storable, Hashable {
      static var storedType: StoredType { .list }
      var storedValue: StoredValue { .list([.integer(1), .integer(2)]) }
      init(storedValue: StoredValue) throws {}
    }
    struct Nested: Entity {
      struct ID: CompositeID {
        var cabin: Pair
        var number: Int
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Nested.id, ID.init, .part("cabin", \.cabin), .part("number", \.number)))
      static let schema = Schema(attributes, Nested.init)
    }
    _ = Nested.schema
  },
  Mistake(
    "a condition on a property of the id that is no part",
    "is no part of Summed's id; list it after its initialiser"
  ) {
    struct Summed: Entity {
      struct ID: CompositeID {
        var a: Int
        var b: Int
        var sum: Int { a + b }
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Summed.id, ID.init, .part("a", \.a), .part("b", \.b)))
      static let schema = Schema(attributes, Summed.init)
    }
    _ = Query<Summed>().filter { $0.id.sum == 2 }
  },
  Mistake(
    "a reference to such an object that isn't declared as one",
    "Undeclared.cabin is a Ref<Cabin>, so it must be listed with .one"
  ) {
    struct Undeclared: Entity {
      let id: Int
      var cabin: Ref<Cabin>?
      static let attributes = Attributes(.id(\Undeclared.id), .attribute("cabin", \.cabin))
      static let schema = Schema(attributes, Undeclared.init)
    }
    _ = Undeclared.schema
  },
  Mistake(
    "an attribute with the name of a reference's part, when the store opens",
    "The schema of Crossed has two attributes named \"Cabin_Deck\""
  ) {
    struct Crossed: Entity {
      let id: Int
      var cabin: Ref<Cabin>?
      var deck: String
      static let attributes = Attributes(
        .id(\Crossed.id), .one("cabin", \.cabin), .attribute("Cabin_Deck", \.deck))
      static let schema = Schema(attributes, Crossed.init)
    }
    _ = try Store(.inMemory, entities: [Cabin.self, Crossed.self])
  },
  Mistake("parts in another order", "Turned.id comes back as another value") {
    struct Turned: Entity {
      struct ID: CompositeID {
        var a: Int
        var b: Int
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Turned.id, ID.init, .part("b", \.b), .part("a", \.a)))
      static let schema = Schema(attributes, Turned.init)
    }
    let store = try Store(.inMemory, entities: [Turned.self])
    try store.commit { try $0.insert(Turned(id: .init(a: 1, b: 2))) }
  },
  Mistake(
    "an attribute with the name of the whole id",
    "The schema of Labelled has two attributes named \"id\""
  ) {
    struct Labelled: Entity {
      struct ID: CompositeID {
        var a: Int
        var b: Int
      }
      let id: ID
      var label: String
      static let attributes = Attributes(
        .id(\Labelled.id, ID.init, .part("a", \.a), .part("b", \.b)),
        .attribute("id", \.label))
      static let schema = Schema(attributes, Labelled.init)
    }
    _ = Labelled.schema
  },
]

private struct Reading: Entity {
  struct ID: CompositeID {
    var station: Int
    var depth: Double
  }
  let id: ID
  static let attributes = Attributes(
    .id(\Reading.id, ID.init, .part("station", \.station), .part("depth", \.depth)))
  static let schema = Schema(attributes, Reading.init)
}
