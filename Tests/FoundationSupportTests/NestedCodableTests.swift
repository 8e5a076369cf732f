import EntityStore
import Foundation
import FoundationSupport
import TestSupport
import Testing

private let encodings = Counter()

/// A tag with tags below it, which counts how often one is encoded.
private struct Tag: Codable, Hashable, Storable {
  var name: String
  var below: Set<Tag> = []
  /// Its keys have sets, and so have its values.
  var links: [Set<Tag>: Set<Tag>] = [:]

  private enum Key: CodingKey { case name, below, links }

  init(_ name: String, below: Set<Tag> = [], links: [Set<Tag>: Set<Tag>] = [:]) {
    (self.name, self.below, self.links) = (name, below, links)
  }

  func encode(to encoder: any Encoder) throws {
    encodings.add()
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(below, forKey: .below)
    try container.encode(links, forKey: .links)
  }
}

/// A set that is made again, in another order, each time that it is encoded.
private struct Bag: Codable, Hashable, Storable {
  var names: [String]

  func encode(to encoder: any Encoder) throws {
    var set = Set<String>(minimumCapacity: [1, 100, 1000].randomElement() ?? 1)
    for name in names.shuffled() { set.insert(name) }
    var container = encoder.singleValueContainer()
    try container.encode(Set(set.map { [$0] as Set }))
  }

  init(_ names: [String]) { self.names = names }

  init(from decoder: any Decoder) throws {
    names = try Set<Set<String>>(from: decoder).flatMap(\.self).sorted()
  }
}

/// Lists in lists.
private struct Nest: Codable, Equatable, Storable {
  var inner: [Nest]

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    inner = []
    while !container.isAtEnd { inner.append(try container.decode(Nest.self)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for each in inner { try container.encode(each) }
  }
}

private struct Offer: Entity {
  let id: Int
  var price: StoredAsJSON<Decimal>
  static let attributes = Attributes(.id(\Offer.id), .attribute("price", \.price))
  static let schema = Schema(attributes, Offer.init)
}

@Suite(.serialized) struct `Nested collections are stored as JSON` {
  @Test func `S8: sets in sets are encoded a number of times that grows with their depth`() throws {
    let depth = 30
    var tag = Tag("0")
    for level in 1..<depth { tag = Tag("\(level)", below: [tag, Tag("leaf \(level)")]) }
    let before = encodings.value
    let stored = tag.storedValue
    // Each of 60 tags is encoded once for each level above it, and once in its place.
    #expect(encodings.value - before <= 2 * depth * (depth + 1))
    #expect(try Tag(storedValue: stored) == tag)
  }

  @Test func `S8: equal values have equal texts, however deep their sets and keys are`() throws {
    var generator = SeededGenerator(number: 7)
    func set(_ tags: [Tag]) -> Set<Tag> {
      var set = Set<Tag>(minimumCapacity: [0, 10, 300].randomElement(using: &generator) ?? 0)
      for tag in tags.shuffled(using: &generator) { set.insert(tag) }
      return set
    }
    func make(_ name: String, _ depth: Int) -> Tag {
      if depth == 0 { return Tag(name) }
      let below = (0..<3).map { make("\(name)\($0)", depth - 1) }
      let links: [(Set<Tag>, Set<Tag>)] = [
        (set(below), set(below)), ([], set([below[1]])), (set([below[2]]), []),
      ]
      return Tag(
        name, below: set(below),
        links: Dictionary(uniqueKeysWithValues: links.shuffled(using: &generator)))
    }
    for depth in [1, 2, 3] {
      let first = make("a", depth)
      for _ in 0..<10 { #expect(make("a", depth).storedValue == first.storedValue) }
      #expect(try Tag(storedValue: first.storedValue) == first)
    }
  }

  @Test func `S8: a set that is made again for each encoding is in order, too`() throws {
    let names = (0..<20).map { "name \($0)" }
    let expected = StoredAsJSON(Set([Bag(names)])).storedValue
    let parts = names.sorted().map { #"["\#($0)"]"# }
    #expect(expected == .text("[[" + parts.joined(separator: ",") + "]]"))
    for _ in 0..<100 {
      #expect(StoredAsJSON(Set([Bag(names)])).storedValue == expected)
    }
  }

  @Test func `S6: a text that is nested too deeply is read and written, or refused`() throws {
    withEvery("depth", in: [1, 400, 500] + Array(505...520) + [5000]) { depth in
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      guard let nest = try? Nest(storedValue: .text(text)) else {
        #expect(depth > 500)
        return
      }
      expectEqual(nest.storedValue, .text(text))
    }
    // Another decoder may read a text that is as deep.
    withEvery("depth", in: Array(505...520)) { depth in
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let nest = try? JSONDecoder().decode(StoredAsJSON<Nest>.self, from: Data(text.utf8))
      if let nest { expectEqual(nest.storedValue, .text(text)) }
    }
    // Brackets in a text are no levels.
    let brackets = StoredAsJSON([String(repeating: "[{", count: 1000)])
    #expect(try StoredAsJSON<[String]>(storedValue: brackets.storedValue) == brackets)
  }

  @Test func `S6: the old form of a decimal NaN is refused, and no import stops the program`()
    throws
  {
    let old =
      #"{"exponent":0,"length":0,"isNegative":true,"isCompact":true,"#
      + #""mantissa":[0,0,0,0,0,0,0,0]}"#
    #expect(throws: StoredValue.Mismatch.self) {
      try StoredAsJSON<Decimal>(storedValue: .text(old))
    }
    let ten = old.replacing("[0,", with: "[10,").replacing(
      #""length":0,"isNegative":true"#, with: #""length":1,"isNegative":false"#)
    #expect(try StoredAsJSON<Decimal>(storedValue: .text(ten)).value == 10)
    let line = old.replacing("\"", with: "\\\"")
    let store = try Store(.inMemory, entities: [Offer.self])
    var parts = [
      Data(
        (#"{"format":"signalbox-objects","version":1,"entities":[{"name":"Offer","count":1}]}"#
          + "\n" + #"{"entity":"Offer","values":{"id":1,"price":"\#(line)"}}"# + "\n").utf8)
    ]
    let error = #expect(throws: JSONLinesError.self) {
      try store.importJSONLines { parts.popLast() }
    }
    #expect(error?.line == 2)
    #expect(try store.version == 0)
  }
}
