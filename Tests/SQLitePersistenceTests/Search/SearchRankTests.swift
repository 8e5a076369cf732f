import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

@_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLMapping
@_spi(Storage) @testable import SQLitePersistence

/// A text with a title, to be ordered by relevance.
private struct Essay: Entity {
  let id: Int
  var title: String
  var text: String

  static let attributes = Attributes(
    .id(\Essay.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(attributes, Essay.init, rules: [.fullText(\.title, \.text)])
}

private struct Author: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Author.id))
  static let schema = Schema(attributes, Author.init)
}

extension Author { fileprivate var poems: Many<Author, Poem> { Many(\.author) } }

private struct Poem: Entity {
  let id: Int
  var text: String
  var author: Ref<Author>?
  static let attributes = Attributes(
    .id(\Poem.id), .attribute("text", \.text),
    .one("author", \.author, inverse: \.poems))
  static let schema = Schema(attributes, Poem.init, rules: [.fullText(\.text)])
}

@Suite(.oneThread) struct `The order by relevance` {
  private static let patterns: [SearchPattern] = [
    "tea", "gard*", "tea OR milk", "\"green tea\" OR of", "tea NOT milk", "of green",
  ]

  /// The relevance as FTS5 computes it, by ids; a smaller number is more relevant.
  private func ranks(_ pattern: SearchPattern, _ store: Store) throws -> [Int: Double] {
    let raw = try RawDatabase(temporaryPath("fts"))
    _ = try raw.rows("CREATE VIRTUAL TABLE f USING fts5(t0, t1, tokenize='ascii')")
    for essay in try store.fetch(Query<Essay>()) {
      let (title, text) = (FoldedWords(essay.title).joined, FoldedWords(essay.text).joined)
      _ = try raw.rows("INSERT INTO f (rowid, t0, t1) VALUES (\(essay.id), '\(title)', '\(text)')")
    }
    let table = try #require(SearchTable(Essay.schema.entity))
    let search = try #require(table.search(pattern, in: Essay.schema.entity.fullText))
    guard case .text(let text) = search.values[0] else { return [:] }
    let rows = try raw.rows("SELECT rowid, bm25(f) FROM f WHERE f MATCH '\(text)'")
    var ranks: [Int: Double] = [:]
    for row in rows {
      guard let id = row[0].flatMap(Int.init), let rank = row[1].flatMap(Double.init) else {
        continue
      }
      ranks[id] = rank
    }
    return ranks
  }

  private func check(_ ids: [Int], _ ranks: [Int: Double], _ label: String) {
    expectEqual(Set(ids), Set(ranks.keys), label)
    for (a, b) in zip(ids, ids.dropFirst()) {
      let (x, y) = (ranks[a] ?? 0, ranks[b] ?? 0)
      // FTS5 adds in another order.
      expectTrue(x < y + 1e-9, "\(label): \(a) before \(b)")
    }
  }

  @Test(arguments: TestStorage.allCases, seeds(20))
  func `S8: is that of FTS5, also in a model after each commit`(
    _ storage: TestStorage, _ seed: Int
  ) throws {
    var random = SeededGenerator(seed: seed)
    let store = try storage.makeStore(Essay.self)
    let words = ["tea", "green", "milk", "garden", "gardens", "of"]
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
    }
    let models = try Self.patterns.map { pattern in
      try FetchedObjectsModel(
        Query<Essay>().matching(pattern).sorted { [$0.rank(of: pattern)] }, in: store)
    }
    let page = try FetchedObjectsModel(
      Query<Essay>().matching("of").sorted { [$0.rank(of: "of")] }.limit(3), in: store)
    let first = try ObservedValue(in: store) {
      try $0.fetch(Query<Essay>().matching("of").sorted { [$0.rank(of: "of")] }.limit(1)).first?.id
    }
    for _ in 0..<6 {
      try store.commit { draft in
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let id = Int.random(in: 1..<30, using: &random)
          if random.chance(0.2), try draft.find(Essay.self, id) != nil {
            try draft.delete(Essay.self, id)
          } else {
            try draft.upsert(Essay(id: id, title: text(3), text: text(12)))
          }
        }
      }
      for (pattern, model) in zip(Self.patterns, models) {
        let ids = model.snapshot.rows.map(\.value.id)
        check(ids, try ranks(pattern, store), "\(pattern)")
        let query = Query<Essay>().matching(pattern).sorted { [$0.rank(of: pattern)] }
        expectEqual(ids, try store.fetch(query).map(\.id))
      }
      let all = try store.fetch(Query<Essay>().matching("of").sorted { [$0.rank(of: "of")] })
      expectEqual(page.snapshot.rows.map(\.value.id), all.prefix(3).map(\.id))
      expectEqual(first.value, all.first?.id)
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `F2, F15: follows what other objects have`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Essay.self)
    try store.commit { draft in
      try draft.insert(Essay(id: 1, title: "", text: "of"))
      try draft.insert(Essay(id: 2, title: "", text: "of of x x x x x x"))
      for id in 3..<8 { try draft.insert(Essay(id: id, title: "", text: "y")) }
    }
    let query = Query<Essay>().filter { $0.id < 3 }.sorted { [$0.rank(of: "of")] }
    let model = try FetchedObjectsModel(query, in: store)
    let page = try FetchedObjectsModel(query.limit(1), in: store)
    let first = try ObservedValue(in: store) { try $0.fetch(query).first?.id }
    let events = Recorder(model.didChange)
    // Another relevance that changes no place is no news.
    try store.commit { try $0.insert(Essay(id: 8, title: "y", text: "y")) }
    #expect(events.values.isEmpty)
    #expect(model.fetchedObjects.map(\.id) == [1, 2])
    // A long text without the word makes the others short.
    try store.commit {
      try $0.insert(Essay(id: 9, title: "", text: String(repeating: "z ", count: 600)))
    }
    #expect(model.fetchedObjects.map(\.id) == [2, 1])
    #expect(events.values.count == 1 && events.values[0].changes.updates.isEmpty)
    #expect(page.fetchedObjects.map(\.id) == [2])
    #expect(first.value == 2)
  }

  @Test func `S6: neither sections nor values of related objects can be ordered by it`() async {
    let sections = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Query<Essay>().sectioned(
        by: { $0.id }, title: { $0.title }, order: { $0.rank(of: "of") })
    }
    let text = String(decoding: sections?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Sections are ordered by relevance"))
    let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Query<Author>().including {
        $0.poems.values(by: { [$0.rank(of: "of")] }) { $0.text }
      }
    }
    let other = String(decoding: values?.standardErrorContent ?? [], as: UTF8.self)
    #expect(other.contains("The values of related objects are ordered by relevance"))
  }

  @Test func `F7: isn't for an index-only list, which says so`() throws {
    for storage in TestStorage.allCases {
      let store = try storage.makeStore(Essay.self)
      let error = #expect(throws: StoreError.self) {
        try IndexedObjectsModel(Query<Essay>().sorted { [$0.rank(of: "tea")] }, in: store)
      }
      guard let error, case .notIndexable("Essay", let part) = error else {
        Issue.record("Another error: \(error as Any)")
        continue
      }
      #expect(part.contains("rank(of: \"tea\")"))
    }
  }
}
