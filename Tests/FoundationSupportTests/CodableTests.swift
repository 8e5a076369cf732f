import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

private enum Shape: Codable, Storable, Equatable {
  case circle(radius: Double)
  case named(String)
}

private enum Grade: UInt8, Codable, Storable { case low = 1, high = 255 }

private struct Rights: OptionSet, Codable, Storable { let rawValue: Int }

/// Its raw value isn't storable, so its JSON is what it encodes.
private struct Tags: RawRepresentable, Codable, Storable { var rawValue: [String] }

private struct Everything: Codable, Storable, Equatable {
  var text: String
  var number: Double
  var list: [Int?]
  var table: [String: Bool]
  var url: URL?
  var date: Date
  var data: Data
  var nested: Address?
}

private struct Stubborn: Codable, Storable {
  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: [], debugDescription: "it doesn't want to"))
  }
}

/// A value that encodes itself, and doesn't leave that to the JSON encoder.
private struct Direct<Value: Encodable>: Encodable {
  let value: Value

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

private struct Note: Entity {
  let id: Int
  var address: Address?
  var shape: Shape
  var tags: StoredAsJSON<[String]>
  var counts: StoredAsJSON<[String: Int]>?
  var rights: Rights
  static let attributes = Attributes(
    .id(\Note.id), .attribute("address", \.address), .attribute("shape", \.shape),
    .attribute("tags", \.tags), .attribute("counts", \.counts), .attribute("rights", \.rights))
  static let schema = Schema(attributes, Note.init)
}

private enum Colour: String, Codable, CaseIterable, CodingKey { case red, green, blue, grey }

/// Sets and dictionaries that encode their elements in no order, at every depth.
private struct Loose: Codable, Storable, Equatable {
  var colours: Set<Colour>
  var groups: [Set<Set<String>>]
  var names: [Colour: Set<Int>?]
  var plain: [String: Set<Int>]
  var dates: Set<Date>
}

/// A set that encodes itself by hand, in another order each time, and can't be compared.
private struct Heap: Codable, Storable {
  var elements: [Int]

  init(_ elements: [Int]) { self.elements = elements }

  init(from decoder: any Decoder) throws { elements = try [Int](from: decoder) }

  func encode(to encoder: any Encoder) throws { try elements.shuffled().encode(to: encoder) }
}

private struct Bin: Entity {
  let id: Int
  var first: StoredAsJSON<Set<String>>
  var second: StoredAsJSON<Set<String>>
  var loose: Loose?
  var heap: Heap
  static let attributes = Attributes(
    .id(\Bin.id), .attribute("first", \.first), .attribute("second", \.second),
    .attribute("loose", \.loose), .attribute("heap", \.heap))
  static let schema = Schema(attributes, Bin.init)
}

@Suite struct `Codable values are stored as JSON` {
  @Test func `S8: equal sets and dictionaries have equal texts however they were made`() throws {
    #expect(StoredAsJSON<Set>([3, 1, 20]).storedValue == .text("[1,20,3]"))
    #expect(StoredAsJSON([Colour.red: 1, .blue: 2]).storedValue == .text(#"["blue",2,"red",1]"#))
    #expect(
      StoredAsJSON(["b": [Colour.red: 1], "a": [:]]).storedValue
        == .text(#"{"a":[],"b":["red",1]}"#))
    #expect(StoredAsJSON(Set<Int>?.none).storedValue == .text("null"))
    var generator = SeededGenerator(number: 1)
    for _ in 0..<200 {
      func set<Element: Hashable>(_ elements: [Element]) -> Set<Element> {
        var set = Set<Element>(minimumCapacity: [0, 10, 300].randomElement(using: &generator) ?? 0)
        for element in elements.shuffled(using: &generator) { set.insert(element) }
        return set
      }
      func make() -> Loose {
        Loose(
          colours: set(Colour.allCases),
          groups: [set([set(["a", "b", "c"]), set(["d"]), set([])])],
          names: Dictionary(
            uniqueKeysWithValues: Colour.allCases.shuffled(using: &generator).map {
              ($0, $0 == .red ? nil : set([1, 2, 3]))
            }),
          plain: ["x": set([5, 6, 7]), "y": []],
          dates: set([1.5, 2, 3].map(Date.init(timeIntervalSince1970:))))
      }
      let loose = make()
      #expect(make().storedValue == loose.storedValue)
      #expect(try Loose(storedValue: loose.storedValue) == loose)
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `S8: a set is no other value for standing in another order`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Bin.self)
    let words = (0..<20).map { "word \($0)" }
    try store.commit { draft in
      for id in 0..<30 {
        try draft.insert(
          Bin(
            id: id, first: StoredAsJSON(Set(words)), second: StoredAsJSON(Set(words[..<(id % 20)])),
            loose: Loose(
              colours: Set(Colour.allCases), groups: [], names: [.red: [1, 2]], plain: [:],
              dates: []),
            heap: Heap([1, 2])))
      }
    }
    let before = try store.version
    try store.commit { draft in
      for id in 0..<30 {
        try draft.update(Bin.self, id) { bin in
          bin.first = StoredAsJSON(Set(words.reversed() + words))
          // It would be written differently now and then.
          bin.heap = Heap([])
        }
        try draft.update(Bin.self, id) { $0.heap = Heap([7]) }
      }
    }
    #expect(try store.version == before + 1)
    let query = Query<Bin>().filter { $0.first == StoredAsJSON(Set(words.shuffled())) }
    #expect(try store.count(query) == 30)
    let after = try store.version
    try store.commit { draft in
      try draft.update(Bin.self, 3) { $0.first = StoredAsJSON(Set(words.shuffled())) }
    }
    #expect(try store.version == after)
  }

  @Test func `S6: two sets in the wrong order trap`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Swapped: Entity {
        let id: Int
        var first: StoredAsJSON<Set<String>>
        var second: StoredAsJSON<Set<String>>
        static let attributes = Attributes(
          .id(\Swapped.id), .attribute("second", \.second), .attribute("first", \.first))
        static let schema = Schema(attributes, Swapped.init)
      }
      let store = try Store(.inMemory, entities: [Swapped.self])
      try store.commit { draft in
        try draft.insert(
          Swapped(id: 1, first: StoredAsJSON(["a", "b"]), second: StoredAsJSON(["c"])))
      }
    }
    let text = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Swapped.second comes back as another value"))
  }

  @Test func `Keys are in order, and slashes as they are`() {
    #expect(
      Address(street: "a/b", city: "é").storedValue == .text(#"{"city":"é","street":"a/b"}"#))
    #expect(Address(street: "\0\"", city: nil).storedValue == .text(#"{"street":"\u0000\""}"#))
    #expect(Shape.circle(radius: 1).storedValue == .text(#"{"circle":{"radius":1}}"#))
    #expect(Tags(rawValue: ["a"]).storedValue == .text(#"{"rawValue":["a"]}"#))
    #expect(Address.storedType == .text)
    #expect(!Address.storesNil)
  }

  @Test func `Every value comes back, and equal values have equal texts`() throws {
    var generator = SeededGenerator(number: 1)
    let texts = Item.texts + ["\r\n", "\u{2028}", "e\u{301}", "\u{1F600}", "NaN", "\u{FEFF}"]
    for _ in 0..<300 {
      func one<Value>(_ values: [Value]) -> Value {
        values.randomElement(using: &generator) ?? values[0]
      }
      // The same table, put together in another order.
      let keys = Array(Set((0..<12).map { _ in one(texts) }))
      func table(_ keys: [String]) -> [String: Bool] {
        var table = Dictionary(minimumCapacity: one([1, 30, 200])) as [String: Bool]
        for key in keys { table[key] = key.isEmpty }
        return table
      }
      let value = Everything(
        text: one(texts), number: one([0.1, 1e300, -0.5, .infinity, .leastNonzeroMagnitude]),
        list: [1, nil, .max], table: table(keys), url: URL(string: "https://example.com/a"),
        date: Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &generator)),
        data: Data([0, 255]), nested: one([nil, Address(street: one(texts), city: one(texts))]))
      #expect(try Everything(storedValue: value.storedValue) == value)
      var twin = value
      twin.table = table(keys.shuffled(using: &generator))
      #expect(twin.storedValue == value.storedValue)
    }
  }

  @Test func `Numbers that JSON hasn't are text`() throws {
    let numbers = StoredAsJSON([Double.nan, .infinity, -.infinity, 1])
    #expect(numbers.storedValue == .text(#"["NaN","Infinity","-Infinity",1]"#))
    let again = try StoredAsJSON<[Double]>(storedValue: numbers.storedValue)
    #expect(again.value[0].isNaN && Array(again.value[1...]) == [.infinity, -.infinity, 1])
  }

  @Test func `A raw value goes before JSON`() throws {
    #expect(Fuel.petrol.storedValue == .text("petrol"))
    #expect(Fuel.storedType == .text)
    #expect(Grade.high.storedValue == .integer(255))
    #expect(Grade.storedType == .integer)
    #expect(Rights(rawValue: 5).storedValue == .integer(5))
    #expect(try Grade(storedValue: .integer(1)) == .low)
    #expect(throws: StoredValue.Mismatch(.integer(2), type: Grade.self)) {
      try Grade(storedValue: .integer(2))
    }
    #expect(throws: StoredValue.Mismatch(.text("\"petrol\""), type: Fuel.self)) {
      try Fuel(storedValue: .text("\"petrol\""))
    }
  }

  @Test func `What is storable in the core stays as it was`() throws {
    // Written out, these would be ambiguous if JSON weren't the last choice.
    #expect((3 as Int).storedValue == .integer(3))
    #expect(Int.storedType == .integer)
    #expect(try Int8(storedValue: .integer(3)) == 3)
    #expect(true.storedValue == .integer(1))
    #expect("a".storedValue == .text("a"))
    #expect(1.5.storedValue == .real(1.5))
    #expect(([1, 2] as [UInt8]).storedValue == .bytes([1, 2]))
    #expect(UUID.zero.storedValue == .bytes(Array(repeating: 0, count: 16)))
    #expect(Date(timeIntervalSince1970: 3).storedValue == .real(3))
    #expect(Decimal(3).storedValue == .text("p5003 3"))
    #expect(Optional(3).storedValue == .integer(3))
    #expect(Ref<Owner>(3).storedValue == .integer(3))
  }

  @Test func `Text that the type can't be decoded from is refused`() {
    let texts = ["", "{}", "[]", "null", #"{"street":1}"#, #"{"street":"a""#, "a"]
    for found in texts.map(StoredValue.text) + [.integer(1), .null, .bytes([])] {
      #expect(throws: StoredValue.Mismatch(found, type: Address.self)) {
        try Address(storedValue: found)
      }
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `They come back from a storage, and conditions compare them`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Note.self)
    let home = Address(street: "a/b", city: nil)
    let note = Note(
      id: 1, address: home, shape: .circle(radius: .infinity), tags: StoredAsJSON(["b", "a"]),
      counts: StoredAsJSON(["b": 1, "a": 2]), rights: [])
    let other = Note(
      id: 2, address: nil, shape: .named(""), tags: StoredAsJSON([]), counts: nil,
      rights: Rights(rawValue: 6))
    try store.commit { draft in
      try draft.insert(note)
      try draft.insert(other)
    }
    let found = try store.fetch(Query<Note>())
    #expect(found.map(\.address) == [home, nil])
    #expect(found.map(\.shape) == [.circle(radius: .infinity), .named("")])
    #expect(found.map(\.tags.value) == [["b", "a"], []])
    #expect(found.map(\.counts?.value) == [["a": 2, "b": 1], nil])
    #expect(found.map(\.rights.rawValue) == [0, 6])
    #expect(try store.fetch(Query<Note>().filter { $0.address == home }).map(\.id) == [1])
    #expect(
      try store.fetch(Query<Note>().filter { $0.tags != StoredAsJSON(["b", "a"]) }).map(\.id)
        == [2])
    // Putting an equal value in its place is no change.
    let before = try store.version
    try store.commit { draft in
      try draft.update(Note.self, 1) { $0.counts = StoredAsJSON(["a": 2, "b": 1]) }
    }
    #expect(try store.version == before)
  }

  @Test func `Numbers of every width come back`() throws {
    struct Widths: Codable, Storable, Equatable {
      var float: Float
      var wide: Int64?
      var byte: UInt8
      var words: [UInt64]
    }
    let value = Widths(float: 1.5, wide: -3, byte: 255, words: [.max])
    #expect(
      value.storedValue
        == .text(#"{"byte":255,"float":1.5,"wide":-3,"words":[18446744073709551615]}"#))
    #expect(try Widths(storedValue: value.storedValue) == value)
    let duration = StoredAsJSON(Duration.seconds(3))
    #expect(try StoredAsJSON<Duration>(storedValue: duration.storedValue) == duration)
  }

  @Test func `S8: minus zero in JSON is zero`() {
    #expect(Shape.circle(radius: -0.0).storedValue == Shape.circle(radius: 0).storedValue)
    #expect(StoredAsJSON([-0.0, 1]).storedValue == StoredAsJSON([0.0, 1]).storedValue)
    #expect(StoredAsJSON([Float(-0.0)]).storedValue == StoredAsJSON([Float(0)]).storedValue)
    #expect(StoredAsJSON([[-0.0]]).storedValue == StoredAsJSON([[0.0]]).storedValue)
    let dates = [-0.0, 0].map { StoredAsJSON([Date(timeIntervalSinceReferenceDate: $0)]) }
    #expect(dates[0].storedValue == dates[1].storedValue)
  }

  @Test func `S8: a value alone is written as it is in a list, and read in the old form, too`()
    throws
  {
    func expectAlone<Value: Codable & Sendable & Equatable>(
      _ value: Value, _ text: String
    ) throws {
      let alone = StoredAsJSON(value)
      expectEqual(alone.storedValue, .text(text))
      expectEqual(StoredAsJSON([value]).storedValue, .text("[\(text)]"))
      expectEqual(try StoredAsJSON<Value>(storedValue: alone.storedValue), alone)
      let old = String(decoding: try JSONEncoder().encode(Direct(value: value)), as: UTF8.self)
      expectEqual(try StoredAsJSON<Value>(storedValue: .text(old)), alone)
    }
    try expectAlone(Decimal(5) / 2, "2.5")
    try expectAlone(Data([0, 255]), #""AP8=""#)
    let url = try #require(URL(string: "https://example.com/a"))
    try expectAlone(url, #""https://example.com/a""#)
    try expectAlone(Date(timeIntervalSinceReferenceDate: 3), "3")
    try expectAlone(["b", "a"], #"["b","a"]"#)
    #expect(StoredAsJSON(Set([Decimal(20), 3])).storedValue == .text("[20,3]"))
  }

  @Test func `S8: a decimal NaN in JSON traps with a sentence`() async throws {
    let inside = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = StoredAsJSON([Decimal.nan]).storedValue
    }
    let alone = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    { _ = StoredAsJSON(Decimal.nan).storedValue }
    for trap in [inside, alone] {
      trap.expectMessage("can't be encoded as JSON", inRelease: true)
      trap.expectMessage("A decimal NaN has no JSON.", inRelease: true)
    }
  }

  @Test func `An encoding that fails stops the program with a sentence`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Stubborn().storedValue
    }
    let text = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(text.contains("A Stubborn can't be stored, since it can't be encoded as JSON"))
    #expect(text.contains("it doesn't want to"))
  }
}
