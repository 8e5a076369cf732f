import EntityStore
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

private struct Note: Entity {
  let id: Int
  var address: Address?
  var shape: Shape
  var tags: StoredAsJSON<[String]>
  var counts: StoredAsJSON<[String: Int]>?
  var rights: Rights
  static let schema = Schema(
    Note.init, .id(\.id), .attribute("address", \.address), .attribute("shape", \.shape),
    .attribute("tags", \.tags), .attribute("counts", \.counts), .attribute("rights", \.rights))
}

@Suite struct `Codable values are stored as JSON` {
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
    var generator = SeededGenerator(seed: 1)
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
    #expect(throws: StoredValueError(.integer(2), type: Grade.self)) {
      try Grade(storedValue: .integer(2))
    }
    #expect(throws: StoredValueError(.text("\"petrol\""), type: Fuel.self)) {
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
      #expect(throws: StoredValueError(found, type: Address.self)) {
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

  @Test func `An encoding that fails stops the program with a sentence`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Stubborn().storedValue
    }
    let text = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(text.contains("A Stubborn can't be stored, since it can't be encoded as JSON"))
    #expect(text.contains("it doesn't want to"))
  }
}
