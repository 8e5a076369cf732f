@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// A note with two texts, one of which may be nil.
struct Leaf: Entity, Equatable {
  let id: Int
  var title: String
  var text: String?
  var next: Ref<Leaf>?

  static let attributes = Attributes(
    .id(\Leaf.id), .attribute("title", \.title), .attribute("text", \.text),
    .one("next", \.next, lateBound: true))
  static let schema = Schema(attributes, Leaf.init, rules: [.fullText(\.title, \.text)])
}

/// Random texts whose words are often the same, or nearly.
enum RandomWords {
  static let words = [
    "tea", "TEA", "teas", "te", "tée", "gardening", "gardenias", "gardenia", "Garden", "straße",
    "STRASSE", "strasse", "don't", "x", "日本", "日本語", "가나", "\u{301}", "e\u{301}t", "ñandú", "42",
    "4²",
    "ﬁsh", "ΣΊΣΥΦΟΣ", "σίσυφος", "नमस्ते", "a_b", "\(nul)tea", "🍵",
    "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "葛\u{E0100}飾", "葛飾", "co\u{AD}op", "coop", "te\u{200B}a",
    String(repeating: "ab", count: 200),
    String(repeating: "ab", count: 200) + "c",
  ]

  static func text(_ random: inout some RandomNumberGenerator, upTo most: Int = 6) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in
      (words.randomElement(using: &random) ?? "")
        + ([" ", " ", ", ", "-", "\n"].randomElement(using: &random) ?? " ")
    }.joined()
  }

  /// Returns a pattern in its written form.
  static func pattern(_ random: inout some RandomNumberGenerator, depth: Int = 2) -> String {
    func word() -> String {
      let some = words.filter { FoldedWords($0).count > 0 && !$0.contains(nul) }
      return some.randomElement(using: &random) ?? "tea"
    }
    let kind = Int.random(in: 0..<(depth == 0 ? 4 : 8), using: &random)
    switch kind {
    case 0: return word()
    case 1: return String(word().unicodeScalars.prefix(Int.random(in: 2...9, using: &random))) + "*"
    case 2: return "\"\(word()) \(word())\""
    case 3: return "\"\(word()) \(word())\"*"
    default:
      let (a, b) = (pattern(&random, depth: depth - 1), pattern(&random, depth: depth - 1))
      let sign = [" ", " AND ", " OR ", " NOT "][kind - 4]
      return "(\(a)\(sign)\(b))"
    }
  }
}

@Suite(.oneThread) struct `Full-text search` {
  @Test(arguments: TestStorage.withServer, seeds(60))
  func `finds what plain lists of words say (S7)`(storage: TestStorage, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let store = try storage.makeStore(Leaf.self)
    var leaves: [Int: Leaf] = [:]
    for _ in 0..<6 {
      let isBig = Int.random(in: 0..<3, using: &random) == 0
      try store.commit { draft in
        for _ in 0..<(isBig ? 80 : Int.random(in: 1...4, using: &random)) {
          let id = Int.random(in: 0..<60, using: &random)
          if Int.random(in: 0..<5, using: &random) == 0 {
            if leaves.removeValue(forKey: id) != nil { try draft.delete(Leaf.self, id) }
            continue
          }
          let leaf = Leaf(
            id: id, title: RandomWords.text(&random),
            text: Bool.random(using: &random) ? RandomWords.text(&random) : nil,
            next: leaves.keys.filter { $0 != id }.randomElement(using: &random).map { Ref($0) })
          leaves[id] = leaf
          try draft.upsert(leaf)
        }
      }
      for text in [""] + (0..<6).map({ _ in RandomWords.pattern(&random) }) {
        guard let pattern = try? SearchPattern(parsing: text) else { continue }
        try check(pattern, text, store, leaves)
      }
    }
  }

  private func check(
    _ pattern: SearchPattern, _ text: String, _ store: Store, _ leaves: [Int: Leaf]
  ) throws {
    func ids(_ query: Query<Leaf>) throws -> [Int] { try store.fetch(query).map(\.id) }
    func plain(_ isIn: (Leaf) -> Bool) -> [Int] { leaves.values.filter(isIn).map(\.id).sorted() }
    func holds(_ leaf: Leaf?, _ texts: (Leaf) -> [String?]) -> Bool {
      // A pattern without words matches even what isn't there.
      guard let leaf else { return pattern.isEmpty }
      return PlainSearch.holds(
        pattern.node, texts(leaf).compactMap { $0 }.map(StoredValue.text))
    }
    let both: (Leaf) -> [String?] = { [$0.title, $0.text] }
    expectEqual(try ids(Query().matching(pattern)), plain { holds($0, both) }, text)
    expectEqual(
      try ids(Query().filter { $0.text.matches(pattern) }), plain { holds($0) { [$0.text] } }, text)
    expectEqual(
      try ids(Query().filter { !$0.matches(pattern) }), plain { !holds($0, both) }, text)
    expectEqual(
      try ids(Query().filter { $0.next.matches(pattern) }),
      plain { holds($0.next.flatMap { leaves[$0.id] }, both) }, text)
    expectEqual(
      try ids(Query().filter { $0.id < 30 && $0.matches(pattern) }.limit(3)),
      Array(plain { $0.id < 30 && holds($0, both) }.prefix(3)), text)
    expectEqual(
      try store.count(Query<Leaf>().matching(pattern)), plain { holds($0, both) }.count, text)
    expectEqual(try SearchPattern(parsing: pattern.description), pattern)
  }
}
