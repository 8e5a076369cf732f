import EntityStore
import Foundation
import TestSupport
import Testing

@Suite struct `An ObjectID means the same everywhere` {
  /// Names of hostile entities, and ids of every kind.
  static let names: [ObjectID] = entityNames.flatMap { name in
    ids.map { ObjectID(entityName: name, id: $0) }
  }

  static let entityNames =
    ["Car", "A.B_7", "Größe", "車", "Box<Int>", "(unknown context)", "nil", "0x", "7"]
    + HostileText.samples

  static let ids: [StoredValue] =
    [Int64.min, -1, 0, 1, .max].map(StoredValue.integer)
    + [
      0.0, 1, -1, 0.1, 1e15, 1e16, -1e300, .leastNonzeroMagnitude, .infinity, -.infinity,
      .greatestFiniteMagnitude,
    ].map(StoredValue.real)
    + HostileText.samples.map(StoredValue.text)
    + ["nil", "0x00", "7", "1.0", "a, b", ", ", "(", ")", "\")", "\\\"", "\u{301}\"\u{301}"]
    .map(StoredValue.text)
    + [[], [0], [255, 0], Array(0...255)].map(StoredValue.bytes)
    + [
      .list([.integer(1)]), .list([.text("")]), .list([.bytes([])]), .list([.real(1)]),
      .list([.integer(3), .integer(7)]), .list([.text("a, b"), .text(")"), .integer(-1)]),
      .list([.text("\""), .text("\\"), .bytes([1]), .real(.infinity)]), .null,
    ]

  @Test func `S8: a description gives the name back, and equal names have equal ones`() {
    var seen: [String: ObjectID] = [:]
    withEvery("name", in: Self.names) { name in
      let text = name.description
      guard let again = ObjectID(text) else {
        recordIssue("\(text) names nothing")
        return
      }
      expectEqual(again, name)
      expectEqual(again.hashValue, name.hashValue)
      expectEqual(Array(again.description.utf8), Array(text.utf8))
      if case .list(let parts) = name.id {
        guard case .list(let found) = again.id else {
          recordIssue("\(again.id) is no list")
          return
        }
        expectEqual(found, parts)
      }
      // By the bytes of the text: Swift takes some hostile texts as equal.
      let bytes = text.utf8.map { String($0) }.joined(separator: " ")
      expectTrue(seen.updateValue(name, forKey: bytes) == nil, "\(text) names two objects")
    }
    #expect(seen.count == Self.names.count)
  }

  @Test func `S8: the description is what a person would write`() {
    struct Seat: Entity {
      struct ID: CompositeID {
        var train: Int
        var number: Int
      }
      let id: ID
      static let attributes = Attributes(
        .id(\Seat.id, ID.init, .part("train", \.train), .part("number", \.number)))
      static let schema = Schema(attributes, Seat.init)
    }
    #expect("\(ObjectID(Owner.self, 7))" == "Owner(7)")
    #expect("\(ObjectID(Owner(id: -7)))" == "Owner(-7)")
    #expect("\(ObjectID(Ref<Owner>(7)))" == "Owner(7)")
    #expect("\(ObjectID(Tag(id: "a \"b\"")))" == #"Tag("a \"b\"")"#)
    #expect("\(ObjectID(Seat.self, .init(train: 3, number: 7)))" == "Seat(3, 7)")
    #expect("\(ObjectID(entityName: "File", id: .bytes([10, 255])))" == "File(0x0aff)")
    #expect("\(ObjectID(entityName: "My car", id: .real(2)))" == #""My car"(2.0)"#)
    #expect("\(ObjectID(entityName: "\"", id: .integer(1)))" == #""\""(1)"#)
  }

  @Test func `S8: negative zero is zero in a name too`() {
    let zero = ObjectID(entityName: "M", id: .real(0))
    let negative = ObjectID(entityName: "M", id: .real(-0.0))
    #expect(zero == negative)
    #expect(negative.description == "M(0.0)")
    #expect(ObjectID("M(0.0)") == negative)
    #expect(ObjectID("M(-0.0)") == nil)
    let part = ObjectID(entityName: "M", id: .list([.real(-0.0), .integer(1)]))
    #expect(part.description == "M(0.0, 1)")
  }

  @Test func `S6: text that is no description names nothing`() {
    let wrong = [
      "", "Car", "Car(", "Car()", "Car)", "(7)", "Car(7", "Car(7))", "Car (7)", " Car(7)",
      "Car(7) ",
      "Car( 7)", "Car(7 )", "Car(07)", "Car(+7)", "Car(-0)", "Car(7.)", "Car(.5)", "Car(1e5)",
      "Car(9223372036854775808)", "Car(nan)", "Car(NaN)", "Car(Inf)", "Car(infinity)", "Car(+inf)",
      "Car(0x1)", "Car(0xg0)", "Car(0xFF)", "Car(0X00)", "Car(x)", "Car(\"a)", "Car(a\")",
      "Car(\"a\"b)", "Car(\"a\\\")", "Car(\"\\a\")", "Car(1,2)", "Car(1,  2)", "Car(1, )",
      "Car(, 1)",
      "Car(1, 2,)", "Car((1, 2))", "Car(1, (2))", "Car(1)(2)", "My car(7)", "\"My car(7)",
      "\"Car\"(7)", "Car(1.00)", "Car(NIL)", "Car\u{301}(7)", "Car(7\u{301})", "Car(７)", "Car(\0)",
      "Car(0.1000000000000000055511151231257827)",
    ]
    withEvery("text", in: wrong) { text in
      expectTrue(ObjectID(text) == nil, "\(ObjectID(text)?.description ?? "")")
    }
  }

  @Test func `S6: a mutated description is the one of what it names, or names nothing`() {
    let pieces: [Unicode.Scalar] = [
      "\"", "\\", "(", ")", ",", " ", "0", "1", "9", "-", "+", ".", "e", "x", "n", "i", "f", "a",
      "\0", "\u{301}", "\u{1F600}", "\u{FEFF}", "\n", "A",
    ]
    var named = 0
    withEvery("seed", in: seeds(20_000)) { seed in
      var generator = SeededGenerator(seed: seed)
      guard let name = Self.names.randomElement(using: &generator) else { return }
      var text = Array(name.description.unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0...text.count, using: &generator)
        let piece = pieces.randomElement(using: &generator) ?? "0"
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text.insert(piece, at: place)
        case 1: if place < text.count { text.remove(at: place) }
        case 2: if place < text.count { text[place] = piece }
        default:
          let other = Int.random(in: 0...text.count, using: &generator)
          text.removeSubrange(min(place, other)..<max(place, other))
        }
      }
      var mutated = String.UnicodeScalarView()
      mutated.append(contentsOf: text)
      guard let found = ObjectID(String(mutated)) else { return }
      named += 1
      expectEqual(Array(found.description.utf8), Array(String(mutated).utf8))
    }
    // The mutations are near enough to names for this to try something.
    #expect(named > 100)
  }

  @Test func `S8: a name is encoded as its description`() throws {
    let data = try JSONEncoder().encode(Self.names)
    #expect(try JSONDecoder().decode([ObjectID].self, from: data) == Self.names)
    let texts = try JSONDecoder().decode([String].self, from: data)
    #expect(texts.map { Array($0.utf8) } == Self.names.map { Array($0.description.utf8) })
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ObjectID].self, from: Data(#"["Car(07)"]"#.utf8))
    }
  }

  @Test func `S8: names are ordered by the bytes of the entity, then by id`() {
    var generator = SeededGenerator(number: 5)
    let sorted = Self.names.shuffled(using: &generator).sorted()
    for (a, b) in zip(sorted, sorted.dropFirst()) {
      let names = (Array(a.entityName.utf8), Array(b.entityName.utf8))
      if names.0 == names.1 {
        expectTrue(a.id < b.id, "\(a) before \(b)")
      } else {
        expectTrue(names.0.lexicographicallyPrecedes(names.1), "\(a) before \(b)")
      }
      expectTrue(a < b && !(b < a) && a != b)
    }
  }
}
