import Fixtures
import TestSupport
import Testing

@_spi(Inspection) @_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLitePersistence

/// An entity whose row numbers are the only part of its ids.
private struct Berth: Entity {
  struct ID: CompositeID { var number: Int }
  let id: ID
  var text: String
  static let attributes = Attributes(
    .id(\Berth.id, ID.init, .part("number", \.number)), .attribute("text", \.text))
  static let schema = Schema(attributes, Berth.init, rules: [.fullText(\.text)])
}

@Suite(.oneThread) struct `An index of words that is made again` {
  private let file = TomeFile()

  @Test func `S7: a row that a tool has deleted leaves no words, with an id of one part`() throws {
    let store = try file.open(Berth.self)
    try store.commit { try $0.insert(Berth(id: .init(number: 1), text: "tea")) }
    _ = try RawDatabase(file.path).rows("DELETE FROM Berth WHERE number = 1")
    try store.commit { try $0.insert(Berth(id: .init(number: 1), text: "milk")) }
    #expect(try file.isIndexed(Query<Berth>().matching("tea"), in: store))
    #expect(try store.fetch(Query<Berth>().matching("tea")).isEmpty)
    #expect(try store.fetch(Query<Berth>().matching("milk")).map(\.id.number) == [1])
  }

  @Test func `P3: it has all words, no matter how many other statements were prepared before`()
    throws
  {
    // The connection that writes keeps 200 statements. With one of these counts there is room for
    // one more when the texts are read.
    for count in 130..<200 {
      let file = TomeFile()
      try file.open().commit { try $0.insert(Page(id: "p", number: 1, text: "tea")) }
      // This connection hasn't made the index before.
      let store = try file.open()
      _ = try RawDatabase(file.path).rows("INSERT INTO Page VALUES ('q', 2, 'tea')")
      try store.commit { draft in
        // Each length of the list is another statement.
        for length in 1...count {
          _ = try draft.fetch(Query<Tome>().filter { Array(0..<length).contains($0.id) })
        }
        try draft.insert(Page(id: "r", number: 3, text: "milk"))
      }
      let query = Query<Page>().matching("tea")
      #expect(try file.isIndexed(query, in: store))
      #expect(try store.fetch(query).map(\.id) == ["p", "q"], "\(count)")
    }
  }

  @Test func `P5: a tool's commit is exact after a commit that has made it again`() throws {
    let store = try file.open()
    try store.commit { try $0.insert(Page(id: "a", number: 1, text: "tea")) }
    let commits = Recorder(store.commits)
    let raw = try RawDatabase(file.path)
    _ = try raw.rows("INSERT INTO Page VALUES ('b', 2, 'tea')")
    try store.commit { try $0.insert(Page(id: "c", number: 3, text: "tea")) }
    _ = try raw.rows("INSERT INTO Page VALUES ('d', 4, 'tea')")
    try store.refresh()
    #expect(commits.values.map(\.isComplete) == [true, true, true])
    try store.commit { try $0.delete(Page.self, "a") }
    #expect(try store.fetch(Query<Page>().matching("tea")).map(\.id) == ["b", "c", "d"])
  }

  @Test func `P5: commits of stores with other entities, in turns, don't make it again`() throws {
    let (pages, tomes) = (try file.open(Page.self), try file.open(Tome.self))
    // Each store notices that the other one has created a table.
    try pages.commit { try $0.insert(Page(id: "p", number: 0, text: "tea")) }
    try tomes.commit { try $0.insert(Tome(id: 0, title: "tea", text: nil)) }
    try pages.refresh()
    let raw = try RawDatabase(file.path)
    let schema = try raw.value("PRAGMA schema_version")
    let commits = [Recorder(pages.commits), Recorder(tomes.commits)]
    for id in 1...3 {
      try pages.commit { try $0.insert(Page(id: "p\(id)", number: id, text: "tea")) }
      try tomes.commit { try $0.insert(Tome(id: id, title: "tea", text: nil)) }
    }
    try pages.refresh()
    // Commits that change no entity of a store aren't sent there.
    for recorder in commits { #expect(recorder.values.map(\.isComplete) == [true, true, true]) }
    #expect(try raw.value("PRAGMA schema_version") == schema)
    #expect(try file.isIndexed(Query<Tome>().matching("tea"), in: tomes))
    #expect(try file.ids("tea", in: tomes) == [0, 1, 2, 3])
    // An index that is made again has this word again.
    let name = SQL.quoted(StoreTables.searchName(of: "Page"))
    _ = try raw.rows(
      "INSERT INTO \(name) (\(name), rowid, t0) "
        + "SELECT 'delete', rowid, 'tea' FROM Page WHERE id = 'p3'")
    try pages.commit { try $0.delete(Page.self, "p2") }
    #expect(try file.isIndexed(Query<Page>().matching("tea"), in: pages))
    #expect(try pages.fetch(Query<Page>().matching("tea")).map(\.id) == ["p", "p1"])
  }

  @Test func `P5: it keeps its table, after a tool's write and at the next opening`() throws {
    let raw: RawDatabase
    let schema: String?
    do {
      let store = try file.open()
      try store.commit { draft in
        try draft.insert(Page(id: "a", number: 1, text: "tea"))
        try draft.insert(Page(id: "b", number: 2, text: "tea"))
      }
      raw = try RawDatabase(file.path)
      schema = try raw.value("PRAGMA schema_version")
      _ = try raw.rows("UPDATE Page SET text = 'green milk' WHERE id = 'a'")
      try store.commit { try $0.insert(Page(id: "c", number: 3, text: "tea")) }
      #expect(try file.isIndexed(Query<Page>().matching("tea"), in: store))
      #expect(try store.fetch(Query<Page>().matching("tea")).map(\.id) == ["b", "c"])
      #expect(try store.fetch(Query<Page>().matching("milk")).map(\.id) == ["a"])
    }
    _ = try raw.rows("DELETE FROM Page WHERE id = 'b'")
    let store = try file.open()
    #expect(try file.isIndexed(Query<Page>().matching("tea"), in: store))
    #expect(try store.fetch(Query<Page>().matching("tea")).map(\.id) == ["c"])
    #expect(try store.fetch(Query<Page>().matching("milk")).map(\.id) == ["a"])
    let words = "SELECT words FROM signalbox_search WHERE entity = 'Page'"
    #expect(try raw.value(words) == "3")
    #expect(try raw.value("PRAGMA schema_version") == schema)
  }

  @Test(arguments: [true, false])
  func `P5: after erasing there is no commit here, and a tool's commit is exact`(
    _ hasWords: Bool
  ) throws {
    let path = temporaryPath()
    // The indexes of cars stand in the file before the tables of others, so they move.
    let store = try Store(
      .sqlite(path: path, durability: .normal, watching: .none),
      entities: [Car.self, Person.self] + (hasWords ? [Tome.self, Page.self] : []))
    try store.commit { draft in
      try draft.insert(Person(id: "p", name: "p", photo: nil))
      for id in 1...3 { try draft.insert(Car(id: id, model: "m\(id)", owner: nil)) }
      if hasWords { try draft.insert(Tome(id: 1, title: "tea", text: nil)) }
    }
    let commits = Recorder(store.commits)
    try store.eraseDeleted()
    try store.refresh()
    #expect(commits.values.isEmpty)
    #expect(try store.version == 1)
    _ = try RawDatabase(path).rows("INSERT INTO Car (id, model) VALUES (5, 'five')")
    try store.refresh()
    #expect(commits.values.map(\.isComplete) == [true])
    #expect(commits.values.map(\.versions) == [2...2])
    if hasWords {
      #expect(try store.fetch(Query<Tome>().matching("tea")).map(\.id) == [1])
    }
  }

  @Test func `P5: erasing makes no commit here after a tool has changed the tables, either`() throws
  {
    let path = temporaryPath()
    let store = try Store(
      .sqlite(path: path, durability: .normal, watching: .none),
      entities: [Car.self, Person.self, Tome.self, Page.self])
    try store.commit { draft in
      for id in 1...300 { try draft.insert(Car(id: id, model: "m\(id)", owner: nil)) }
      try draft.insert(Tome(id: 1, title: "tea", text: nil))
    }
    let commits = Recorder(store.commits)
    _ = try RawDatabase(path).rows("ANALYZE")
    try store.eraseDeleted()
    try store.refresh()
    #expect(commits.values.isEmpty)
    #expect(try store.version == 1)
  }

  @Test func `P5: an erasing that fails after it has rewritten the file makes no commit here`()
    throws
  {
    let path = temporaryPath()
    let store = try Store(
      .custom {
        let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
        try storage.limit(waiting: 20)
        return storage
      }, entities: [Car.self, Person.self, Tome.self, Page.self])
    try store.commit { draft in
      try draft.insert(Person(id: "p", name: "p", photo: nil))
      try draft.insert(Tome(id: 1, title: "tea", text: nil))
    }
    let commits = Recorder(store.commits)
    let raw = try RawDatabase(path)
    _ = try raw.rows("BEGIN")
    _ = try raw.rows("SELECT * FROM Car")
    #expect(throws: StoreError.self) { try store.eraseDeleted() }
    _ = try raw.rows("COMMIT")
    try store.refresh()
    #expect(commits.values.isEmpty)
    #expect(try store.version == 1)
    #expect(try store.fetch(Query<Tome>().matching("tea")).map(\.id) == [1])
    try store.eraseDeleted()
    _ = try raw.rows("INSERT INTO Car (id, model) VALUES (5, 'five')")
    try store.refresh()
    #expect(commits.values.map(\.isComplete) == [true])
  }
}
