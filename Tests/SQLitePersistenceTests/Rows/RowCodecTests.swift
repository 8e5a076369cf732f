import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A file returns every value unchanged` {
  struct Everything: Entity, Equatable {
    struct ID: CompositeID {
      var name: String
      var number: Int
    }
    enum Kind: String, Storable { case one, two }

    let id: ID
    var whole: Int
    var small: Int32
    var real: Double
    var isTrue: Bool
    var text: String
    var bytes: [UInt8]
    var kind: Kind
    var perhapsWhole: Int?
    var perhapsReal: Double?
    var perhapsText: String?
    var perhapsTrue: Bool?
    var more: String
    var other: Ref<Everything>?
    static let attributes = Attributes(
      .id(\Everything.id, ID.init, .part("name", \.name), .part("number", \.number)),
      .attribute("whole", \.whole), .attribute("small", \.small), .attribute("real", \.real),
      .attribute("isTrue", \.isTrue), .attribute("text", \.text), .attribute("bytes", \.bytes),
      .attribute("kind", \.kind), .attribute("perhapsWhole", \.perhapsWhole),
      .attribute("perhapsReal", \.perhapsReal), .attribute("perhapsText", \.perhapsText),
      .attribute("perhapsTrue", \.perhapsTrue), .attribute("more", \.more),
      .one("other", \.other, lateBound: true))
    static let schema = Schema(attributes, Everything.init)
  }

  /// Texts whose lengths lie about those at which they are kept in one way or another.
  private static let texts =
    ["", "a", "a\0b", "\0", "e\u{301}", "\u{212A}", String(repeating: "é", count: 8)]
    + [15, 16, 2047, 2048, 2049, 5000].map { String(repeating: "x", count: $0) }
  private static let wholes = [0, 1, -1, .min, .max]
  private static let reals: [Double] = [
    0, 1.5, -.infinity, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  ]

  private func some(_ number: Int, _ generator: inout SeededGenerator) -> Everything {
    func one<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
    return Everything(
      id: .init(name: one(Self.texts), number: number), whole: one(Self.wholes),
      small: one([0, .min, .max]), real: one(Self.reals), isTrue: one([true, false]),
      text: one(Self.texts), bytes: one([[], [0], [255, 0, 1], Array(repeating: 7, count: 5000)]),
      kind: one([.one, .two]), perhapsWhole: one(Self.wholes + [nil]),
      perhapsReal: one(Self.reals + [nil]), perhapsText: one(Self.texts + [nil]),
      perhapsTrue: one([true, false, nil]), more: one(Self.texts),
      other: one([nil, Ref(.init(name: one(Self.texts), number: one(Self.wholes)))]))
  }

  @Test(arguments: 0..<4)
  func `S8: objects of hostile values are inserted, updated and read in every way`(
    _ seed: Int
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let path = temporaryPath("values")
    var wanted: [Everything] = []
    do {
      let store = try Store(.sqlite(path: path), entities: [Everything.self])
      let first = (0..<40).map { some($0, &generator) }
      try store.commit { try $0.insert(contentsOf: first) }
      wanted = first.map { old in
        var new = some(0, &generator)
        new = Everything(
          id: old.id, whole: new.whole, small: new.small, real: new.real, isTrue: new.isTrue,
          text: new.text, bytes: new.bytes, kind: new.kind, perhapsWhole: new.perhapsWhole,
          perhapsReal: new.perhapsReal, perhapsText: new.perhapsText,
          perhapsTrue: new.perhapsTrue, more: new.more, other: new.other)
        return new
      }
      try store.commit { draft in
        for (index, object) in wanted.enumerated() where index % 2 == 0 {
          try draft.upsert(object)
        }
      }
      for index in wanted.indices where index % 2 == 1 { wanted[index] = first[index] }
    }
    let store = try Store(.sqlite(path: path), entities: [Everything.self])
    for object in wanted {
      #expect(try store.find(Everything.self, object.id) == object)
      #expect(try store.read { try $0.find(Everything.self, object.id) } == object)
      let texts = Query<Everything>().filter { $0.id.number == object.id.number }
      #expect(try store.fetch(texts) == [object])
    }
    let sorted = wanted.sorted {
      ($0.id.name.utf8.map { $0 }, $0.id.number) < ($1.id.name.utf8.map { $0 }, $1.id.number)
    }
    #expect(try store.fetch(Query<Everything>()) == sorted)
    let missing = Everything.ID(name: "none", number: -5)
    #expect(try store.find(Everything.self, missing) == nil)
  }

  @Test func `S8: -0.0 is written as 0.0`() throws {
    let path = temporaryPath("zero")
    let store = try openGarage(path)
    try store.commit { try $0.insert(Person(id: "a", name: "", height: -0.0, photo: [])) }
    try store.commit { try $0.update(Person.self, "a") { $0.name = "b" } }
    #expect(try store.find(Person.self, "a")?.height?.sign == .plus)
    let file = try RawDatabase(path)
    #expect(try file.value("SELECT height FROM Person") == "0.0")
  }

  @Test func `P6: text that isn't UTF-8 is not of its type, with its bytes`() throws {
    let path = temporaryPath("broken")
    let store = try openGarage(path)
    let file = try RawDatabase(path)
    try file.rows("INSERT INTO Person (id, name) VALUES ('a', CAST(x'61ff62' AS TEXT))")
    try file.rows("INSERT INTO Person (id, name) VALUES ('b', CAST(x'' AS TEXT))")
    let error = StoreError.unreadable(
      ObjectID(entityName: "Person", id: .text("a")), attribute: "name",
      found: .bytes([0x61, 0xFF, 0x62]))
    #expect(throws: error) { try store.find(Person.self, "a") }
    #expect(throws: error) { try store.fetch(Query<Person>()) }
    #expect(try store.find(Person.self, "b")?.name == "")
  }

  @Test func `a value that its type doesn't take is named, with the row's id`() throws {
    let path = temporaryPath("kinds")
    let store = try Store(.sqlite(path: path), entities: [Everything.self])
    var generator = SeededGenerator(number: 1)
    let object = some(7, &generator)
    try store.commit { try $0.insert(object) }
    try RawDatabase(path).rows("UPDATE Everything SET kind = 'three'")
    let name = ObjectID(
      entityName: "Everything", id: .list([.text(object.id.name), .integer(7)]))
    let error = StoreError.unreadable(name, attribute: "kind", found: .text("three"))
    #expect(throws: error) { try store.find(Everything.self, object.id) }
    #expect(throws: error) { try store.fetch(Query<Everything>()) }
    try RawDatabase(path).rows("UPDATE Everything SET kind = 'two'")
    #expect(try store.find(Everything.self, object.id)?.kind == .two)
  }
}

private func < (a: ([UInt8], Int), b: ([UInt8], Int)) -> Bool {
  a.0 == b.0 ? a.1 < b.1 : a.0.lexicographicallyPrecedes(b.0)
}
