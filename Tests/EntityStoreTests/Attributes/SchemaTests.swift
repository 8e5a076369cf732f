@_spi(Storage) import EntityStore
import TestSupport
import Testing

@Suite struct `Mistakes in a schema or a query trap and are named` {
  @Test func `S6: a default that is NaN traps`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      struct Vague: Entity {
        let id: Int
        var ratio: Double
        static let attributes = Attributes(
          .id(\Vague.id), .attribute("ratio", \.ratio, default: Double.nan))
        static let schema = Schema(attributes, Vague.init)
      }
      _ = Vague.schema
    }
    trap.expectMessage("The default of Vague.ratio is NaN")
  }

  @Test func `S6: a schema without an id traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct NoID: Entity {
        let id: Int
        static let attributes = Attributes(.attribute("id", \NoID.id))
        static let schema = Schema(attributes, NoID.init)
      }
      _ = NoID.schema
    }
    trap.expectMessage("The schema of NoID has no id; add .id(\\NoID.id)")
  }

  @Test func `S6: a row that isn't made of one value for each column traps`() async throws {
    let few = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Owner.schema.entity.row([.integer(1)])
    }
    few.expectMessage("A row of Owner has 2 values, and 1 are given")
    let many = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Owner.schema.entity.row([.integer(1), .text(""), .null])
    }
    many.expectMessage("A row of Owner has 2 values, and 3 are given")
  }

  @Test func `S6: attributes in another order than the initialiser's traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Swapped: Entity {
        let id: Int
        var first: String
        var second: String
        static let attributes = Attributes(
          .id(\Swapped.id), .attribute("second", \.second), .attribute("first", \.first))
        static let schema = Schema(attributes, Swapped.init)
      }
      _ = try Store(.inMemory, entities: [Swapped.self])
    }
    trap.expectMessage("Swapped.second comes back as another value, that of first")
  }

  @Test func `S6: so do truths, optionals, references and three that change places`() async throws {
    let truths = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    {
      struct Truths: Entity {
        let id: Int
        var isOld: Bool
        var isRed: Bool
        static let attributes = Attributes(
          .id(\Truths.id), .attribute("isRed", \.isRed), .attribute("isOld", \.isOld))
        static let schema = Schema(attributes, Truths.init)
      }
      _ = try Store(.inMemory, entities: [Truths.self])
    }
    truths.expectMessage("Truths.isRed comes back as another value, that of isOld")
    let optionals = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
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
    }
    optionals.expectMessage("Optionals.width comes back as another value, that of height")
    let references = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
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
    }
    references.expectMessage("Match.guest comes back as another value, that of home")
    let turned = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    {
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
    }
    turned.expectMessage("Turned.second comes back as another value")
  }

  @Test func `S6: what no sample is known for is found with the first objects`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      enum Colour: String, Storable { case red, green }
      struct Painted: Entity {
        let id: Int
        var inside: Colour
        var outside: Colour
        static let attributes = Attributes(
          .id(\Painted.id), .attribute("outside", \.outside), .attribute("inside", \.inside))
        static let schema = Schema(attributes, Painted.init)
      }
      let store = try Store(.inMemory, entities: [Painted.self])
      try store.commit { try $0.insert(Painted(id: 1, inside: .red, outside: .red)) }
      try store.commit { try $0.insert(Painted(id: 2, inside: .red, outside: .green)) }
    }
    trap.expectMessage("Painted.outside comes back as another value")
  }

  @Test func `S6: two attributes of one property trap`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Doubled: Entity {
        let id: Int
        var first: String
        var second: String
        static let attributes = Attributes(
          .id(\Doubled.id), .attribute("first", \.first), .attribute("second", \.first))
        static let schema = Schema(attributes, Doubled.init)
      }
      _ = Doubled.schema
    }
    trap.expectMessage("Two attributes of Doubled name one property, the second as \"second\"")
  }

  @Test func `S6: a schema with two ids traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct TwoIDs: Entity {
        let id: Int
        var other: Int
        static let attributes = Attributes(.id(\TwoIDs.id), .id(\.other, name: "other"))
        static let schema = Schema(attributes, TwoIDs.init)
      }
      _ = TwoIDs.schema
    }
    trap.expectMessage("The schema of TwoIDs has two ids")
  }

  @Test func `S6: two attributes of one name trap, also in different case`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Twice: Entity {
        let id: Int
        var other: Int
        static let attributes = Attributes(.id(\Twice.id), .attribute("ID", \.other))
        static let schema = Schema(attributes, Twice.init)
      }
      _ = Twice.schema
    }
    trap.expectMessage("The schema of Twice has two attributes named \"ID\"")
  }

  @Test func `S6: an attribute without a name traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Nameless: Entity {
        let id: Int
        static let attributes = Attributes(.id(\Nameless.id, name: ""))
        static let schema = Schema(attributes, Nameless.init)
      }
      _ = Nameless.schema
    }
    trap.expectMessage("An attribute of Nameless has an empty name")
  }

  @Test func `S6: a rule about a property that the schema doesn't list traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Ruled: Entity {
        let id: Int
        var double: Int { id * 2 }
        static let attributes = Attributes(.id(\Ruled.id))
        static let schema = Schema(attributes, Ruled.init, rules: [.unique(\.double)])
      }
      _ = Ruled.schema
    }
    trap.expectMessage("A rule of Ruled names a property that its schema doesn't")
  }

  @Test func `S6: an id that may be nil traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct MaybeID: Entity {
        let id: Int?
        static let attributes = Attributes(.id(\MaybeID.id))
        static let schema = Schema(attributes, MaybeID.init)
      }
      _ = MaybeID.schema
    }
    trap.expectMessage("The id of MaybeID may be nil; give every object one")
  }

  @Test func `S6: a store without an entity that another refers to traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Store(.inMemory, entities: [Pet.self])
    }
    trap.expectMessage("Pet refers to Owner; open the store with Owner.self too")
  }

  @Test func `S6: two entities of one name trap, also in different case`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Impostor: Entity {
        let id: Int
        static let attributes = Attributes(.id(\Impostor.id))
        static let schema = Schema(attributes, Impostor.init)
        static var entityName: String { "OWNER" }
      }
      _ = try Store(.inMemory, entities: [Owner.self, Impostor.self])
    }
    trap.expectMessage("Two entities are named")
  }

  @Test func `S6: a property that the schema doesn't list can't be asked for`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Computed: Entity {
        let id: Int
        var double: Int { id * 2 }
        static let attributes = Attributes(.id(\Computed.id))
        static let schema = Schema(attributes, Computed.init)
      }
      _ = Query<Computed>().filter { $0.double == 2 }
    }
    trap.expectMessage("is no attribute of Computed; a query can name only stored properties")
  }

  @Test func `S6: a to-many property without its reference can't be asked for`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Query<Lone>().filter { $0.others.isEmpty }
    }
    trap.expectMessage("No reference of Lone names")
  }

  @Test func `S6: a condition that compares with NaN traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Query<Measure>().filter { $0.value == .nan }
    }
    trap.expectMessage("A condition compares with NaN")
    let other = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    {
      _ = Query<Measure>().filter { $0.value < .nan }
    }
    other.expectMessage("A condition compares with NaN")
  }

  @Test func `S6: a condition that looks for NaN in a list traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Query<Measure>().filter { [1, .nan].contains($0.value) }
    }
    trap.expectMessage("A condition compares with NaN")
  }
}

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

extension ExitTest.Result {
  /// Expects that the process, which trapped, has said why.
  func expectMessage(_ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    // A release build traps without a word.
    #if DEBUG
    let text = String(decoding: standardErrorContent, as: UTF8.self)
    #expect(text.contains(message), sourceLocation: sourceLocation)
    #endif
  }
}
