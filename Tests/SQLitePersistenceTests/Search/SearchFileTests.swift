import TestSupport
import Testing

@_spi(Inspection) @_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLitePersistence

@Suite(.oneThread) struct `An index of words in a file` {
  private let file = TomeFile()

  // MARK: Other writers

  @Test(arguments: seeds(40))
  func `P5: finds the same rows after commits, tools, vacuums and openings`(_ seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["tea", "Tée", "garden", "gardener", "of", "x"]
    func text() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
    }
    var store: Store? = try file.open()
    for _ in 0..<12 {
      if store == nil { store = try file.open() }
      guard let open = store else { return }
      var isCurrent = true
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        let raw = try RawDatabase(file.path)
        let id = Int.random(in: 0..<8, using: &random)
        _ = try raw.rows("INSERT OR REPLACE INTO Tome VALUES (\(id), '\(text())', '\(text())')")
        _ = try raw.rows("UPDATE Tome SET title = '\(text())' WHERE id % 3 = 1")
        _ = try raw.rows("INSERT OR REPLACE INTO Page VALUES ('p\(id)', \(id + 50), '\(text())')")
        _ = try raw.rows("DELETE FROM Page WHERE number % 4 = 1")
        isCurrent = false
      case 1:
        _ = try RawDatabase(file.path).rows("VACUUM")
        isCurrent = false
      case 2: store = nil
      default:
        try open.commit { draft in
          for _ in 0..<Int.random(in: 1...5, using: &random) {
            let id = Int.random(in: 0..<8, using: &random)
            if try draft.find(Tome.self, id) != nil, random.chance(0.3) {
              try draft.delete(Tome.self, id)
            } else {
              try draft.upsert(Tome(id: id, title: text(), text: random.chance(0.7) ? text() : nil))
            }
            if try draft.find(Page.self, "p\(id)") != nil, random.chance(0.3) {
              try draft.delete(Page.self, "p\(id)")
            }
          }
          // Some pages get another unique number, so their rows are written again.
          let numbers = (0..<8).shuffled(using: &random)
          for id in 0..<3 {
            try draft.upsert(Page(id: "p\(id)", number: numbers[id], text: text()))
          }
          for page in try draft.fetch(Query<Page>()) where page.number < 8 && page.id > "p2" {
            try draft.update(Page.self, page.id) {
              $0.number = 100 + numbers[3] * 10 + id(of: page)
            }
          }
        }
      }
      guard let open = store else { continue }
      for pattern: SearchPattern in ["tea", "gard*", "\"tea garden\"", "tea NOT gardener OR of"] {
        let books = try open.fetch(Query<Tome>()).filter {
          pattern.matches([$0.title, $0.text].compactMap { $0 })
        }
        expectEqual(try file.ids(pattern, in: open), books.map(\.id), "\(pattern)")
        let pages = try open.fetch(Query<Page>()).filter { pattern.matches([$0.text]) }
        expectEqual(
          try open.fetch(Query<Page>().matching(pattern)).map(\.id), pages.map(\.id), "\(pattern)")
      }
      if isCurrent {
        let words = try open.fetch(Query<Tome>()).reduce(0) {
          $0 + FoldedWords($1.title).count + FoldedWords($1.text ?? "").count
        }
        let counted = try RawDatabase(file.path).value(
          "SELECT words FROM signalbox_search WHERE entity = 'Tome'")
        expectEqual(counted, "\(words)", "the number of words")
        expectTrue(try file.isIndexed(Query<Tome>().matching("tea"), in: open), "books are indexed")
        expectTrue(try file.isIndexed(Query<Page>().matching("tea"), in: open), "pages are indexed")
      }
    }
  }

  private func id(of page: Page) -> Int { Int(page.id.dropFirst()) ?? 0 }

  @Test func `a tool's write leaves it behind, and the next commit brings it up to date`() throws {
    let store = try file.open()
    try store.commit { try $0.insert(Tome(id: 1, title: "Tea", text: nil)) }
    #expect(try file.isIndexed(Query<Tome>().matching("tea"), in: store))
    _ = try RawDatabase(file.path).rows("INSERT INTO Tome VALUES (2, 'Green tea', NULL)")
    #expect(try !file.isIndexed(Query<Tome>().matching("tea"), in: store))
    #expect(try file.ids("tea", in: store) == [1, 2])
    try store.commit { try $0.insert(Page(id: "a", number: 1, text: "")) }
    #expect(try file.isIndexed(Query<Tome>().matching("tea"), in: store))
    #expect(try file.ids("tea", in: store) == [1, 2])
  }

  @Test func `S8: a text that is no UTF-8 has no words, in the index and without it`() throws {
    let store = try file.open()
    try store.commit { try $0.insert(Tome(id: 1, title: "Tea", text: nil)) }
    _ = try RawDatabase(file.path).rows(
      "INSERT INTO Tome VALUES (2, 'milk', CAST(x'746561ff' AS TEXT))")
    let (tea, milk) = (Query<Tome>().matching("tea"), Query<Tome>().matching("milk"))
    #expect(try !file.isIndexed(tea, in: store))
    #expect(try store.count(tea) == 1)
    #expect(try store.count(milk) == 1)
    try store.commit { try $0.insert(Page(id: "a", number: 1, text: "")) }
    #expect(try file.isIndexed(tea, in: store))
    #expect(try store.count(tea) == 1)
    #expect(try store.count(milk) == 1)
  }

  @Test func `P5: a row with the number of one that a tool has deleted has its own words`() throws {
    let store = try file.open()
    try store.commit {
      try $0.insert(Page(id: "a", number: 1, text: "coffee"))
      try $0.insert(Page(id: "b", number: 2, text: "tea"))
    }
    let raw = try RawDatabase(file.path)
    let number = try raw.value("SELECT rowid FROM Page WHERE id = 'b'")
    _ = try raw.rows("DELETE FROM Page WHERE id = 'b'")
    _ = try raw.rows("INSERT INTO Page VALUES ('c', 3, 'milk')")
    #expect(try raw.value("SELECT rowid FROM Page WHERE id = 'c'") == number)
    try store.commit { try $0.insert(Page(id: "d", number: 4, text: "milk")) }
    #expect(try file.isIndexed(Query<Page>().matching("tea"), in: store))
    #expect(try store.fetch(Query<Page>().matching("tea")).isEmpty)
    #expect(try store.fetch(Query<Page>().matching("milk")).map(\.id) == ["c", "d"])
  }

  @Test func `a commit that is rolled back leaves it as it was`() throws {
    let store = try file.open()
    try store.commit { try $0.insert(Page(id: "a", number: 1, text: "tea")) }
    struct Failure: Error {}
    #expect(throws: StoreError.self) {
      try store.commit { draft in
        try draft.update(Page.self, "a") { $0.text = "milk" }
        try draft.insert(Page(id: "b", number: 1, text: "tea"))
      }
    }
    #expect(try store.fetch(Query<Page>().matching("tea")).map(\.id) == ["a"])
    try store.commit { try $0.insert(Page(id: "c", number: 3, text: "tea")) }
    #expect(try store.fetch(Query<Page>().matching("tea")).map(\.id) == ["a", "c"])
    #expect(try store.fetch(Query<Page>().matching("milk")).isEmpty)
  }

  @Test func `two stores on one file keep it together`() throws {
    let (a, b) = (try file.open(), try file.open())
    for id in 0..<6 {
      try (id % 2 == 0 ? a : b).commit {
        try $0.insert(Tome(id: id, title: "tea \(id)", text: nil))
      }
      for store in [a, b] {
        #expect(try file.isIndexed(Query<Tome>().matching("tea"), in: store))
        #expect(try file.ids("tea", in: store) == Array(0...id))
      }
    }
  }

  // MARK: Patterns

  @Test func `each pattern that is allowed is one of FTS5's`() throws {
    let store = try file.open()
    try store.commit { try $0.insert(Tome(id: 1, title: "w5 w6", text: "tea")) }
    let words = (0..<100).map { "w\($0)" }
    var patterns = [
      words.joined(separator: " OR "), words.joined(separator: " "),
      "tea NOT " + words.dropFirst(10).dropLast().joined(separator: " NOT "),
      "\"" + words.joined(separator: " ") + "\"",
    ]
    var nested = "tea"
    for depth in 0..<10 {
      nested = "(w OR tea AND tea NOT \(depth % 2 == 0 ? "" : "w OR ")\(nested))"
    }
    patterns.append(nested)
    for isBehind in [false, true] {
      if isBehind { _ = try RawDatabase(file.path).rows("INSERT INTO Tome VALUES (2, '', NULL)") }
      for text in patterns {
        let pattern = try SearchPattern(parsing: text)
        let expected = pattern.matches(["w5 w6", "tea"]) ? [1] : []
        #expect(try file.ids(pattern, in: store) == expected, "\(text)")
        #expect(try file.isIndexed(Query<Tome>().matching(pattern), in: store) != isBehind)
        #expect(try SearchPattern(parsing: pattern.description) == pattern)
      }
    }
    #expect(try file.ids("", in: store) == [1, 2])
  }
}
