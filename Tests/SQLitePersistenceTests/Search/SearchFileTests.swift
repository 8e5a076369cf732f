import CSQLite
import Foundation
import Locking
import TestSupport
import Testing

@_spi(Inspection) @_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLitePersistence

/// An entity whose row numbers are its ids.
private struct Tome: Entity {
  let id: Int
  var title: String
  var text: String?

  static let attributes = Attributes(
    .id(\Tome.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(attributes, Tome.init, rules: [.fullText(\.title, \.text)])
}

/// An entity whose row numbers are SQLite's own, and may change.
private struct Page: Entity {
  let id: String
  var number: Int
  var text: String

  static let attributes = Attributes(
    .id(\Page.id), .attribute("number", \.number), .attribute("text", \.text))
  static let schema = Schema(
    attributes, Page.init, rules: [.unique(\.number), .fullText(\.text)])
}

/// Tome as another version of an app has it: with an index of one text only.
private struct TitledTome: Entity {
  let id: Int
  var title: String
  var text: String?

  static let entityName = "Tome"
  static let attributes = Attributes(
    .id(\TitledTome.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(attributes, TitledTome.init, rules: [.fullText(\.title)])
}

/// Tome as a version of an app has it that doesn't search.
private struct PlainTome: Entity {
  let id: Int
  var title: String
  var text: String?

  static let entityName = "Tome"
  static let attributes = Attributes(
    .id(\PlainTome.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(attributes, PlainTome.init)
}

/// Tome under a new name.
private struct Volume: Entity {
  let id: Int
  var title: String
  var text: String?

  static let attributes = Attributes(
    .id(\Volume.id), .attribute("title", \.title), .attribute("text", \.text))
  static let schema = Schema(
    attributes, Volume.init, rules: [.renamedFrom("Tome"), .fullText(\.title, \.text)])
}

@Suite(.oneThread) struct `An index of words in a file` {
  private let path = temporaryPath("words")

  private func open(_ entities: any Entity.Type...) throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none),
      entities: entities.isEmpty ? [Tome.self, Page.self] : entities)
  }

  /// True if a query is answered by the index.
  private func isIndexed<Root>(_ query: Query<Root>, in store: Store) throws -> Bool {
    let plan = try query.plan(in: store)
    expectTrue(plan.isWhollySaid, "SQL says it with the index or without")
    return plan.statement.contains("MATCH")
  }

  private func ids(_ pattern: SearchPattern, in store: Store) throws -> [Int] {
    try store.fetch(Query<Tome>().matching(pattern)).map(\.id)
  }

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
    var store: Store? = try open()
    for _ in 0..<12 {
      if store == nil { store = try open() }
      guard let open = store else { return }
      var isCurrent = true
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        let raw = try RawDatabase(path)
        let id = Int.random(in: 0..<8, using: &random)
        _ = try raw.rows("INSERT OR REPLACE INTO Tome VALUES (\(id), '\(text())', '\(text())')")
        _ = try raw.rows("UPDATE Tome SET title = '\(text())' WHERE id % 3 = 1")
        _ = try raw.rows("INSERT OR REPLACE INTO Page VALUES ('p\(id)', \(id + 50), '\(text())')")
        _ = try raw.rows("DELETE FROM Page WHERE number % 4 = 1")
        isCurrent = false
      case 1:
        _ = try RawDatabase(path).rows("VACUUM")
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
        expectEqual(try ids(pattern, in: open), books.map(\.id), "\(pattern)")
        let pages = try open.fetch(Query<Page>()).filter { pattern.matches([$0.text]) }
        expectEqual(
          try open.fetch(Query<Page>().matching(pattern)).map(\.id), pages.map(\.id), "\(pattern)")
      }
      if isCurrent {
        let words = try open.fetch(Query<Tome>()).reduce(0) {
          $0 + FoldedWords($1.title).count + FoldedWords($1.text ?? "").count
        }
        let counted = try RawDatabase(path).value(
          "SELECT words FROM signalbox_search WHERE entity = 'Tome'")
        expectEqual(counted, "\(words)", "the number of words")
        expectTrue(try isIndexed(Query<Tome>().matching("tea"), in: open), "books are indexed")
        expectTrue(try isIndexed(Query<Page>().matching("tea"), in: open), "pages are indexed")
      }
    }
  }

  private func id(of page: Page) -> Int { Int(page.id.dropFirst()) ?? 0 }

  @Test func `a tool's write leaves it behind, and the next commit brings it up to date`() throws {
    let store = try open()
    try store.commit { try $0.insert(Tome(id: 1, title: "Tea", text: nil)) }
    #expect(try isIndexed(Query<Tome>().matching("tea"), in: store))
    _ = try RawDatabase(path).rows("INSERT INTO Tome VALUES (2, 'Green tea', NULL)")
    #expect(try !isIndexed(Query<Tome>().matching("tea"), in: store))
    #expect(try ids("tea", in: store) == [1, 2])
    try store.commit { try $0.insert(Page(id: "a", number: 1, text: "")) }
    #expect(try isIndexed(Query<Tome>().matching("tea"), in: store))
    #expect(try ids("tea", in: store) == [1, 2])
  }

  @Test func `a commit that is rolled back leaves it as it was`() throws {
    let store = try open()
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
    let (a, b) = (try open(), try open())
    for id in 0..<6 {
      try (id % 2 == 0 ? a : b).commit {
        try $0.insert(Tome(id: id, title: "tea \(id)", text: nil))
      }
      for store in [a, b] {
        #expect(try isIndexed(Query<Tome>().matching("tea"), in: store))
        #expect(try ids("tea", in: store) == Array(0...id))
      }
    }
  }

  // MARK: Versions of an app

  @Test func `P4: it follows the rule, the name and the rows when a file is opened`() throws {
    do {
      let store = try open(PlainTome.self)
      try store.commit {
        try $0.insert(PlainTome(id: 1, title: "Tea", text: "milk"))
        try $0.insert(PlainTome(id: 2, title: "Milk", text: "tea"))
      }
    }
    func tables() throws -> String? {
      try RawDatabase(path).value(
        "SELECT count(*) FROM sqlite_master WHERE name LIKE 'signalbox_words%'")
    }
    #expect(try tables() == "0")
    for _ in 0..<2 {
      let store = try open(TitledTome.self)
      #expect(try isIndexed(Query<TitledTome>().matching("tea"), in: store))
      #expect(try store.fetch(Query<TitledTome>().matching("tea")).map(\.id) == [1])
      #expect(try tables() == "4")
    }
    do { #expect(try ids("tea", in: try open(Tome.self)) == [1, 2]) }
    do {
      let store = try open(Volume.self)
      #expect(try isIndexed(Query<Volume>().matching("tea"), in: store))
      #expect(try store.fetch(Query<Volume>().matching("tea milk")).map(\.id) == [1, 2])
      #expect(try tables() == "4")
    }
    // A version of the app that doesn't know the rule leaves the index behind, as a tool does.
    do {
      let store = try open(PlainVolume.self)
      try store.commit { try $0.insert(PlainVolume(id: 3, title: "tea", text: "milk")) }
    }
    #expect(try tables() == "4")
    let store = try open(Volume.self)
    #expect(try isIndexed(Query<Volume>().matching("tea"), in: store))
    #expect(try store.fetch(Query<Volume>().matching("tea milk")).map(\.id) == [1, 2, 3])
  }

  /// Volume without an index.
  private struct PlainVolume: Entity {
    let id: Int
    var title: String
    var text: String?

    static let entityName = "Volume"
    static let attributes = Attributes(
      .id(\PlainVolume.id), .attribute("title", \.title), .attribute("text", \.text))
    static let schema = Schema(attributes, PlainVolume.init, rules: [.renamedFrom("Tome")])
  }

  @Test func `its making is reported as a step of the opening`() throws {
    do {
      let store = try open(PlainTome.self)
      try store.commit { draft in
        for id in 0..<10 { try draft.insert(PlainTome(id: id, title: "tea", text: nil)) }
      }
    }
    let steps = Locked<[String]>([])
    _ = try Store(
      .sqlite(
        path: path, durability: .normal,
        progress: { step in
          steps.withLock {
            $0.append("\(step.step) \(step.entity) \(step.completed)/\(step.total)")
          }
        }),
      entities: [Tome.self])
    #expect(steps.withLock { $0 } == ["index words Tome 0/10", "index words Tome 10/10"])
  }

  @Test func `without FTS5 it is refused with what to do`() throws {
    let connection = try StoreConnection(path: path, .readWriteCreate)
    sqlite3_drop_modules(connection.handle, nil)
    let error = #expect(throws: StoreError.self) {
      try SearchIndexes(connection, [Tome.schema.entity]).checkModule()
    }
    #expect("\(error, default: "")".contains("no FTS5; use one that is built"))
  }

  // MARK: Trust

  @Test(arguments: [
    "USING fts5(t0, t1, content='Page', columnsize=0, tokenize='ascii')",
    "USING fts5(t0, t1, tokenize='ascii')", "USING rtree(t0, t1, t2)",
  ])
  func `P6: another definition of it is refused`(_ definition: String) throws {
    let name = SQLName.quoted(StoreTables.searchName(of: "Tome"))
    do { _ = try open() }
    let raw = try RawDatabase(path)
    _ = try raw.rows("DROP TABLE \(name)")
    _ = try raw.rows("CREATE VIRTUAL TABLE \(name) \(definition)")
    let error = #expect(throws: StoreError.self) { try open() }
    #expect("\(error, default: "")".contains("isn't as the library makes it"))
  }

  @Test func `P6: statements in SQL can't read it`() throws {
    let store = try open()
    let name = StoreTables.searchName(of: "Tome")
    for table in [name, name + "_data", "signalbox_search"].map(SQLName.quoted) {
      #expect(throws: StoreError.self) {
        try store.sql(
          SQL(stringLiteral: "SELECT 1 FROM \(table)"), as: [Int].self, reading: [Tome.self])
      }
    }
  }

  @Test func `P3: erased words are in no page of the file`() throws {
    let store = try open()
    let secret = "zzyzxsecret"
    try store.commit { draft in
      for id in 0..<300 {
        try draft.insert(Tome(id: id, title: "\(secret)\(id)", text: "tea"))
        try draft.insert(Page(id: "p\(id)", number: id, text: "\(secret)\(id)"))
      }
    }
    try store.commit { draft in
      for id in 0..<300 {
        try draft.update(Tome.self, id) { $0.title = "milk" }
        try draft.update(Page.self, "p\(id)") { $0.text = "milk" }
      }
    }
    try store.eraseDeleted()
    for suffix in ["", "-wal"] {
      let data = try Data(contentsOf: URL(fileURLWithPath: path + suffix))
      #expect(data.range(of: Data(secret.utf8)) == nil)
    }
    #expect(try ids("milk tea", in: store).count == 300)
    try store.commit { try $0.insert(Page(id: "q", number: 999, text: "milk")) }
    #expect(try isIndexed(Query<Page>().matching("milk"), in: store))
    #expect(try store.count(Query<Page>().matching("milk")) == 301)
  }

  @Test func `P3: erased words are in no index that the store doesn't keep, either`() throws {
    let secret = "zzyzxsecret"
    do {
      let store = try open()
      try store.commit { draft in
        for id in 0..<50 { try draft.insert(Tome(id: id, title: "\(secret)\(id)", text: nil)) }
      }
      try store.commit { draft in
        for id in 0..<50 { try draft.delete(Tome.self, id) }
      }
    }
    do { try open(Page.self).eraseDeleted() }
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(data.range(of: Data(secret.utf8)) == nil)
    let store = try open()
    try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    #expect(try ids("tea", in: store) == [1])
  }

  // MARK: What goes wrong

  /// Makes the table of tomes again as a tool does, with its triggers.
  private func remake(_ word: String) throws {
    let raw = try RawDatabase(path)
    func texts(_ sql: String) throws -> [String] {
      try raw.rows(sql).compactMap { $0.first ?? nil }
    }
    let triggers = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name ="
    let kept = try texts("SELECT sql \(triggers) 'Tome'")
    let table = try texts("SELECT sql FROM sqlite_master WHERE name = 'Tome'")[0]
    _ = try raw.rows("ALTER TABLE Tome RENAME TO Former")
    for name in try texts("SELECT name \(triggers) 'Former'") {
      _ = try raw.rows("DROP TRIGGER \(SQLName.quoted(name))")
    }
    _ = try raw.rows(table)
    _ = try raw.rows("INSERT INTO Tome SELECT id, '\(word)', text FROM Former")
    _ = try raw.rows("DROP TABLE Former")
    for trigger in kept { _ = try raw.rows(trigger) }
  }

  @Test func `P5: a table that a tool has made again, with its triggers, is indexed again`() throws
  {
    do {
      let store = try open()
      try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    }
    try remake("coffee")
    let store = try open()
    #expect(try ids("coffee", in: store) == [1])
    #expect(try ids("tea", in: store).isEmpty)
    try remake("milk")
    #expect(try ids("milk", in: store) == [1])
    #expect(try ids("coffee", in: store).isEmpty)
    try store.commit { try $0.insert(Tome(id: 2, title: "milk", text: nil)) }
    #expect(try isIndexed(Query<Tome>().matching("milk"), in: store))
    #expect(try ids("milk", in: store) == [1, 2])
    #expect(try ids("coffee", in: store).isEmpty)
  }

  @Test func `P5: versions that repeat after the log was emptied don't make it current`() throws {
    do {
      let store = try open()
      for id in 1...4 {
        try store.commit { try $0.insert(Tome(id: id, title: "tea", text: nil)) }
      }
    }
    do {
      let raw = try RawDatabase(path)
      _ = try raw.rows("DELETE FROM signalbox_log")
      for id in 1...4 { _ = try raw.rows("UPDATE Tome SET title = 'coffee' WHERE id = \(id)") }
    }
    let store = try open()
    #expect(try ids("coffee", in: store) == [1, 2, 3, 4])
    #expect(try ids("tea", in: store).isEmpty)
  }

  @Test(arguments: ["zeroblob(3)", "x'FFFFFFFFFFFFFFFF'"])
  func `P3: a damaged one is made again by a commit`(_ block: String) throws {
    let store = try open()
    try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    let data = SQLName.quoted(StoreTables.searchName(of: "Tome") + "_data")
    _ = try RawDatabase(path).rows("UPDATE \(data) SET block = \(block) WHERE id = 10")
    for id in 2...4 {
      try store.commit { try $0.insert(Tome(id: id, title: "tea", text: nil)) }
    }
    #expect(try ids("tea", in: store) == [1, 2, 3, 4])
    _ = try RawDatabase(path).rows("UPDATE signalbox_search SET words = 9223372036854775807")
    try store.commit { try $0.insert(Tome(id: 5, title: "tea", text: nil)) }
    #expect(try isIndexed(Query<Tome>().matching("tea"), in: store))
    #expect(try ids("tea", in: store) == [1, 2, 3, 4, 5])
  }

  @Test func `P3: a commit that has hardly room leaves it behind, and the next one doesn't`() throws
  {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: [Tome.self])
    let long = String(repeating: "word ", count: 800)
    let longer = long + String(repeating: "new ", count: 300)
    try store.commit { draft in
      for id in 0..<20 { try draft.insert(Tome(id: id, title: "", text: long)) }
    }
    _ = try RawDatabase(path).rows("INSERT INTO Tome VALUES (100, 'toolword', NULL)")
    var isFull = true
    var failures = 0
    var room = Int(try RawDatabase(path).value("PRAGMA page_count") ?? "") ?? 0
    while isFull {
      room += 4
      try storage.limit(pages: room)
      do {
        try store.commit { draft in
          for id in 0..<20 { try draft.update(Tome.self, id) { $0.text = longer } }
        }
        isFull = false
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .full)
        failures += 1
      }
    }
    #expect(failures > 0)
    #expect(try ids("toolword", in: store) == [100])
    #expect(try ids("new", in: store).count == 20)
    try storage.limit(pages: 1_000_000)
    try store.commit { try $0.insert(Tome(id: 101, title: "toolword", text: nil)) }
    #expect(try isIndexed(Query<Tome>().matching("toolword"), in: store))
    #expect(try ids("toolword", in: store) == [100, 101])
    #expect(try ids("new", in: store).count == 20)
  }

  @Test func `names of entities that end like FTS5's own tables are no trouble`() throws {
    let store = try open(Tome.self, TomeData.self)
    try store.commit {
      try $0.insert(Tome(id: 1, title: "tea", text: nil))
      try $0.insert(TomeData(id: 1, text: "milk"))
    }
    #expect(try ids("tea", in: store) == [1])
    #expect(try store.count(Query<TomeData>().matching("milk")) == 1)
    #expect(try isIndexed(Query<TomeData>().matching("milk"), in: store))
  }

  /// An entity with the name of one of the tables that FTS5 makes for another.
  private struct TomeData: Entity {
    let id: Int
    var text: String

    static let entityName = "Tome_data"
    static let attributes = Attributes(.id(\TomeData.id), .attribute("text", \.text))
    static let schema = Schema(attributes, TomeData.init, rules: [.fullText(\.text)])
  }

  // MARK: Patterns

  @Test func `each pattern that is allowed is one of FTS5's`() throws {
    let store = try open()
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
      if isBehind { _ = try RawDatabase(path).rows("INSERT INTO Tome VALUES (2, '', NULL)") }
      for text in patterns {
        let pattern = try SearchPattern(parsing: text)
        let expected = pattern.matches(["w5 w6", "tea"]) ? [1] : []
        #expect(try ids(pattern, in: store) == expected, "\(text)")
        #expect(try isIndexed(Query<Tome>().matching(pattern), in: store) != isBehind)
        #expect(try SearchPattern(parsing: pattern.description) == pattern)
      }
    }
    #expect(try ids("", in: store) == [1, 2])
  }
}
