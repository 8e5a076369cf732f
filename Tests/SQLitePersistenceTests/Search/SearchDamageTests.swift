import Foundation
import SQLiteLibrary
import TestSupport
import Testing

@_spi(Inspection) @_spi(Storage) @testable import EntityStore
@_spi(Storage) @testable import SQLitePersistence

@Suite(.oneThread) struct `An index of words that is damaged or forged` {
  private let file = TomeFile()

  // MARK: Trust

  @Test(arguments: [
    "USING fts5(t0, t1, content='Page', columnsize=0, tokenize='ascii')",
    "USING fts5(t0, t1, tokenize='ascii')", "USING rtree(t0, t1, t2)",
  ])
  func `P6: another definition of it is refused`(_ definition: String) throws {
    let name = SQL.quoted(StoreTables.searchName(of: "Tome"))
    do { _ = try file.open() }
    let raw = try RawDatabase(file.path)
    _ = try raw.rows("DROP TABLE \(name)")
    _ = try raw.rows("CREATE VIRTUAL TABLE \(name) \(definition)")
    let error = #expect(throws: StoreError.self) { try file.open() }
    #expect("\(error, default: "")".contains("isn't as the library makes it"))
  }

  @Test func `S6: no number in its table stops a commit`() throws {
    let store = try file.open()
    try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: "")) }
    let raw = try RawDatabase(file.path)
    let least = "-9223372036854775808"
    _ = try raw.rows("UPDATE Tome SET title = 'pot'")
    _ = try raw.rows(
      "INSERT INTO signalbox_log (version, changes, token) VALUES (\(least), NULL, 1)")
    _ = try raw.rows("UPDATE signalbox_search SET version = \(least), token = 1")
    try store.commit { try $0.insert(Tome(id: 2, title: "cup", text: "")) }
    #expect(try file.ids("cup", in: store) == [2])
    #expect(try file.ids("pot", in: store) == [1])
  }

  @Test func `P6: statements in SQL can't read it`() throws {
    let store = try file.open()
    let name = StoreTables.searchName(of: "Tome")
    for table in [name, name + "_data", "signalbox_search"].map(SQL.quoted) {
      #expect(throws: StoreError.self) {
        try store.sql(
          SQL(stringLiteral: "SELECT 1 FROM \(table)"), as: [Int].self, reading: [Tome.self])
      }
    }
  }

  @Test func `P3: erased words are in no page of the file`() throws {
    let store = try file.open()
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
      let data = try Data(contentsOf: URL(fileURLWithPath: file.path + suffix))
      #expect(data.range(of: Data(secret.utf8)) == nil)
    }
    #expect(try file.ids("milk tea", in: store).count == 300)
    try store.commit { try $0.insert(Page(id: "q", number: 999, text: "milk")) }
    #expect(try file.isIndexed(Query<Page>().matching("milk"), in: store))
    #expect(try store.count(Query<Page>().matching("milk")) == 301)
  }

  @Test func `P3: erased words are in no index that the store doesn't keep, either`() throws {
    let secret = "zzyzxsecret"
    do {
      let store = try file.open()
      try store.commit { draft in
        for id in 0..<50 { try draft.insert(Tome(id: id, title: "\(secret)\(id)", text: nil)) }
      }
      try store.commit { draft in
        for id in 0..<50 { try draft.delete(Tome.self, id) }
      }
    }
    do { try file.open(Page.self).eraseDeleted() }
    let data = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(data.range(of: Data(secret.utf8)) == nil)
    let store = try file.open()
    try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    #expect(try file.ids("tea", in: store) == [1])
  }

  // MARK: What goes wrong

  /// Makes the table of tomes again as a tool does, with its triggers.
  private func remake(_ word: String) throws {
    let raw = try RawDatabase(file.path)
    func texts(_ sql: String) throws -> [String] {
      try raw.rows(sql).compactMap { $0.first ?? nil }
    }
    let triggers = "FROM sqlite_master WHERE type = 'trigger' AND tbl_name ="
    let kept = try texts("SELECT sql \(triggers) 'Tome'")
    let table = try texts("SELECT sql FROM sqlite_master WHERE name = 'Tome'")[0]
    _ = try raw.rows("ALTER TABLE Tome RENAME TO Former")
    for name in try texts("SELECT name \(triggers) 'Former'") {
      _ = try raw.rows("DROP TRIGGER \(SQL.quoted(name))")
    }
    _ = try raw.rows(table)
    _ = try raw.rows("INSERT INTO Tome SELECT id, '\(word)', text FROM Former")
    _ = try raw.rows("DROP TABLE Former")
    for trigger in kept { _ = try raw.rows(trigger) }
  }

  @Test func `P5: a table that a tool has made again, with its triggers, is indexed again`() throws
  {
    do {
      let store = try file.open()
      try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    }
    try remake("coffee")
    let store = try file.open()
    #expect(try file.ids("coffee", in: store) == [1])
    #expect(try file.ids("tea", in: store).isEmpty)
    try remake("milk")
    #expect(try file.ids("milk", in: store) == [1])
    #expect(try file.ids("coffee", in: store).isEmpty)
    try store.commit { try $0.insert(Tome(id: 2, title: "milk", text: nil)) }
    #expect(try file.isIndexed(Query<Tome>().matching("milk"), in: store))
    #expect(try file.ids("milk", in: store) == [1, 2])
    #expect(try file.ids("coffee", in: store).isEmpty)
  }

  @Test func `P5: versions that repeat after the log was emptied don't make it current`() throws {
    do {
      let store = try file.open()
      for id in 1...4 {
        try store.commit { try $0.insert(Tome(id: id, title: "tea", text: nil)) }
      }
    }
    do {
      let raw = try RawDatabase(file.path)
      _ = try raw.rows("DELETE FROM signalbox_log")
      for id in 1...4 { _ = try raw.rows("UPDATE Tome SET title = 'coffee' WHERE id = \(id)") }
    }
    let store = try file.open()
    #expect(try file.ids("coffee", in: store) == [1, 2, 3, 4])
    #expect(try file.ids("tea", in: store).isEmpty)
  }

  @Test(arguments: ["zeroblob(3)", "x'FFFFFFFFFFFFFFFF'"])
  func `P3: a damaged one is made again by a commit`(_ block: String) throws {
    let store = try file.open()
    try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    let data = SQL.quoted(StoreTables.searchName(of: "Tome") + "_data")
    _ = try RawDatabase(file.path).rows("UPDATE \(data) SET block = \(block) WHERE id = 10")
    for id in 2...4 {
      try store.commit { try $0.insert(Tome(id: id, title: "tea", text: nil)) }
    }
    #expect(try file.ids("tea", in: store) == [1, 2, 3, 4])
    _ = try RawDatabase(file.path).rows("UPDATE signalbox_search SET words = 9223372036854775807")
    try store.commit { try $0.insert(Tome(id: 5, title: "tea", text: nil)) }
    #expect(try file.isIndexed(Query<Tome>().matching("tea"), in: store))
    #expect(try file.ids("tea", in: store) == [1, 2, 3, 4, 5])
  }

  @Test func `P3: a fault while a damaged one is emptied ends the commit, and nothing is written`()
    throws
  {
    do {
      let store = try file.open(Tome.self)
      try store.commit { draft in
        for id in 0..<300 {
          let words = (0..<100).map { "w\(id * 100 + $0)" }.joined(separator: " ")
          try draft.insert(Tome(id: id, title: "tea", text: words))
        }
      }
    }
    let raw = try RawDatabase(file.path)
    let data = SQL.quoted(StoreTables.searchName(of: "Tome") + "_data")
    // Without the numbers of words, no row can be added.
    _ = try raw.rows("DELETE FROM \(data) WHERE id = 1")
    let schema = try raw.value("PRAGMA schema_version")
    let disk = FaultyDisk()
    var place = 1
    // The index has more pages than are skipped, and each of them is read when it is emptied.
    while true {
      let store = try Store(
        .custom { try disk.storage(file.path, .normal) }, entities: [Tome.self])
      disk.fail(.read, at: place, with: SQLITE_IOERR | (1 << 8))
      let result = Result {
        try store.commit { try $0.insert(Tome(id: 300, title: "tea", text: nil)) }
      }
      let failures = disk.failures
      disk.heal()
      if failures == 0 {
        _ = try result.get()
        break
      }
      #expect(throws: StoreError.self, "at \(place)") { try result.get() }
      expectEqual(try raw.value("PRAGMA schema_version"), schema, "at \(place)")
      place += 20
    }
    expectTrue(place > 100, "The commit reads the index")
    #expect(try file.ids("w7", in: file.open(Tome.self)) == [0])
  }

  @Test func `P3: a commit that has hardly room leaves it behind, and the next one doesn't`() throws
  {
    let storage = try SQLiteStorage(path: file.path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: [Tome.self])
    let long = String(repeating: "word ", count: 800)
    let longer = long + String(repeating: "new ", count: 300)
    try store.commit { draft in
      for id in 0..<20 { try draft.insert(Tome(id: id, title: "", text: long)) }
    }
    _ = try RawDatabase(file.path).rows("INSERT INTO Tome VALUES (100, 'toolword', NULL)")
    var isFull = true
    var failures = 0
    var room = Int(try RawDatabase(file.path).value("PRAGMA page_count") ?? "") ?? 0
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
    #expect(try file.ids("toolword", in: store) == [100])
    #expect(try file.ids("new", in: store).count == 20)
    try storage.limit(pages: 1_000_000)
    try store.commit { try $0.insert(Tome(id: 101, title: "toolword", text: nil)) }
    #expect(try file.isIndexed(Query<Tome>().matching("toolword"), in: store))
    #expect(try file.ids("toolword", in: store) == [100, 101])
    #expect(try file.ids("new", in: store).count == 20)
  }

  @Test func `names of entities that end like FTS5's own tables are no trouble`() throws {
    let store = try file.open(Tome.self, TomeData.self)
    try store.commit {
      try $0.insert(Tome(id: 1, title: "tea", text: nil))
      try $0.insert(TomeData(id: 1, text: "milk"))
    }
    #expect(try file.ids("tea", in: store) == [1])
    #expect(try store.count(Query<TomeData>().matching("milk")) == 1)
    #expect(try file.isIndexed(Query<TomeData>().matching("milk"), in: store))
  }

  /// An entity with the name of one of the tables that FTS5 makes for another.
  private struct TomeData: Entity {
    let id: Int
    var text: String

    static let entityName = "Tome_data"
    static let attributes = Attributes(.id(\TomeData.id), .attribute("text", \.text))
    static let schema = Schema(attributes, TomeData.init, rules: [.fullText(\.text)])
  }
}
