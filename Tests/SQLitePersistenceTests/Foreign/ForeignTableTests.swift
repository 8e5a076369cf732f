import EntityStore
import FetchedObjects
import ListDiffing
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A table that a tool changes behind the change log` {
  private let path = temporaryPath()
  private let here: Store
  private let there: Store
  private let raw: RawDatabase

  init() throws {
    let kind = StorageKind.sqlite(path: path, durability: .normal, watching: .none)
    here = try Store(kind, entities: [LabelledTag.self])
    there = try Store(kind, entities: [LabelledTag.self])
    raw = try RawDatabase(path)
    try here.commit { draft in
      for number in 1...9 {
        try draft.insert(LabelledTag(id: "tag \(number)", label: "label \(number)"))
      }
    }
    try there.refresh()
  }

  /// The first value of each row.
  private func texts(_ sql: String) throws -> [String] {
    try raw.rows(sql).compactMap { $0.first ?? nil }
  }

  @Test(arguments: [false, true])
  func `P5: it is read again, where it was made again in its place or was without a trigger`(
    _ isTrigger: Bool
  ) throws {
    let model = try FetchedObjectsModel(
      Query<LabelledTag>().sorted { [$0.id.ascending] }, in: here)
    let events = Recorder(model.didChange)
    let schema = "FROM sqlite_master WHERE"
    let table = try texts("SELECT sql \(schema) name = 'LabelledTag'")
    let triggers = "\(schema) type = 'trigger'" + (isTrigger ? " AND name LIKE '%update%'" : "")
    let made = try texts("SELECT sql \(triggers)")
    let dropped = try texts("SELECT 'DROP TRIGGER ' || quote(name) \(triggers)")
    try raw.rows("CREATE TEMP TABLE kept AS SELECT * FROM LabelledTag")
    let again: [String] =
      ["DROP TABLE LabelledTag"] + table + ["INSERT INTO LabelledTag SELECT * FROM kept"]
    try raw.rows("BEGIN")
    for sql in isTrigger ? dropped : again { try raw.rows(sql) }
    try raw.rows("UPDATE LabelledTag SET weight = 5 WHERE id = 'tag 4'")
    for sql in made { try raw.rows(sql) }
    try raw.rows("COMMIT")
    try here.refresh()
    #expect(model.fetchedObjects[3].weight == 5)
    #expect(events.values.map(\.changes.count) == [1])
    // Once is enough, for all stores.
    let version = try here.version
    for store in [here, there] { try store.refresh() }
    #expect(try here.version == version)
  }

  /// Makes the table again with other rules, and puts its triggers back.
  ///
  /// Each tag has a weight of its own then.
  private func makeAgain(_ rule: String, _ new: String) throws {
    let schema = "FROM sqlite_master WHERE"
    let table = try texts("SELECT sql \(schema) name = 'LabelledTag'")
    #expect(table.first?.contains(rule) == true)
    let triggers = try texts("SELECT sql \(schema) type = 'trigger'")
    try raw.rows(
      "CREATE TEMP TABLE kept AS "
        + "SELECT id, label, CAST(substr(id, 5) AS INTEGER) AS weight FROM LabelledTag")
    let statements =
      ["BEGIN", "DROP TABLE LabelledTag"] + table.map { $0.replacing(rule, with: new) }
      + ["INSERT INTO LabelledTag (id, label, weight) SELECT id, label, weight FROM kept"]
      + triggers + ["COMMIT"]
    for sql in statements { try raw.rows(sql) }
  }

  @Test(arguments: ["UNIQUE (\"label\"), UNIQUE (\"weight\")", "UNIQUE (\"weight\")"])
  func `P5: rows that another unique key of a table replaces are published`(_ keys: String) throws {
    let query = Query<LabelledTag>().sorted { [$0.id.ascending] }
    let model = try FetchedObjectsModel(query, in: here)
    try makeAgain("UNIQUE (\"label\")", keys)
    try here.refresh()
    // It deletes the tag of that weight, which no trigger sees.
    try raw.rows("REPLACE INTO LabelledTag (id, label, weight) VALUES ('new', 'new', 4)")
    try here.refresh()
    #expect(model.fetchedObjects.count == 9)
    #expect(try model.fetchedObjects.map(\.id) == here.fetch(query).map(\.id))
  }

  @Test func `P5: a column that a tool adds may have rules of its own`() throws {
    try raw.rows("ALTER TABLE LabelledTag ADD COLUMN note TEXT COLLATE NOCASE CHECK (note <> '')")
    try here.refresh()
    try here.commit { try $0.insert(LabelledTag(id: "new", label: "new", weight: 4)) }
    try raw.rows("UPDATE LabelledTag SET note = 'tool', weight = 5 WHERE id = 'new'")
    try here.refresh()
    #expect(try here.find(LabelledTag.self, "new")?.weight == 5)
  }

  @Test(arguments: [
    ("UNIQUE (\"label\")", "UNIQUE (\"label\"), UNIQUE (\"weight\") ON CONFLICT REPLACE"),
    ("UNIQUE (\"label\")", "UNIQUE (\"label\"), CHECK (\"weight\" < 100)"),
    ("\"label\" TEXT", "\"label\" TEXT COLLATE NOCASE"), (" PRIMARY KEY", " UNIQUE"),
  ])
  func `P5: a table with other rules is a mismatch until the file is opened again`(
    _ rule: String, _ new: String
  ) throws {
    try makeAgain(rule, new)
    try fault(.schemaMismatch, naming: ["LabelledTag"]) { try here.refresh() }
    try fault(.schemaMismatch, naming: ["LabelledTag"]) {
      try here.commit { try $0.insert(LabelledTag(id: "new", label: "new", weight: 4)) }
    }
    #expect(try raw.value("SELECT count(*) FROM LabelledTag") == "9")
    _ = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: [LabelledTag.self])
    try here.commit { try $0.insert(LabelledTag(id: "new", label: "new", weight: 4)) }
    #expect(try here.count(Query<LabelledTag>()) == 10)
  }

  @Test(arguments: [
    ("UNIQUE (\"label\")", "note TEXT, UNIQUE (\"label\"), UNIQUE (weight) ON CONFLICT REPLACE"),
    ("UNIQUE (\"label\")", "note TEXT, UNIQUE (\"label\"), CHECK (\"weight\" < 100)"),
    ("UNIQUE (\"label\")", "note TEXT COLLATE NOCASE, UNIQUE (\"label\" COLLATE NOCASE)"),
    ("\"label\" TEXT", "note TEXT, \"label\" TEXT COLLATE NOCASE"),
  ])
  func `P5: other rules are a mismatch beside a column that a tool has added, too`(
    _ rule: String, _ new: String
  ) throws {
    try makeAgain(rule, new)
    try fault(.schemaMismatch, naming: ["LabelledTag"]) {
      try here.commit { try $0.insert(LabelledTag(id: "new", label: "new", weight: 4)) }
    }
    #expect(try raw.value("SELECT count(*) FROM LabelledTag") == "9")
  }

  @Test func `P6: a column that a tool has added keeps its values when unique keys change`() throws
  {
    try raw.rows("ALTER TABLE LabelledTag ADD COLUMN note TEXT")
    try raw.rows("UPDATE LabelledTag SET note = id")
    let ids = try here.fetch(Query<LabelledTag>().sorted { [$0.id.ascending] }).map(\.id)
    try here.commit { draft in
      // One takes the key of a deleted object.
      let label = try #require(try draft.find(LabelledTag.self, ids[2])).label
      try draft.delete(LabelledTag.self, ids[2])
      try draft.update(LabelledTag.self, ids[0]) { $0.label = label }
      try draft.update(LabelledTag.self, ids[1]) { $0.label = "other" }
    }
    #expect(try raw.value("SELECT count(*) FROM LabelledTag WHERE note = id") == "8")
    // These take each other's, so their rows are written again.
    try here.commit { draft in
      let labels = try ids[0...1].map { try #require(try draft.find(LabelledTag.self, $0)).label }
      for (id, label) in zip(ids[0...1], labels.reversed()) {
        try draft.update(LabelledTag.self, id) { $0.label = label }
      }
    }
    #expect(try here.find(LabelledTag.self, ids[0])?.label == "other")
    #expect(try raw.value("SELECT count(*) FROM LabelledTag WHERE note = id") == "6")
  }

  @Test func `P5: what is only added makes no commit, and nor does a VACUUM`() throws {
    let commits = Recorder(here.commits)
    for sql in [
      "CREATE INDEX one ON LabelledTag (weight)", "CREATE INDEX two ON LabelledTag (weight, id)",
      "CREATE TABLE Note (id INTEGER PRIMARY KEY, text TEXT UNIQUE)",
      "CREATE TRIGGER noted AFTER DELETE ON Note BEGIN SELECT 1; END", "ANALYZE", "VACUUM",
    ] {
      try raw.rows(sql)
    }
    try here.refresh()
    #expect(commits.values.isEmpty)
    #expect(try here.version == 1)
  }
}
