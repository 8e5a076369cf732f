import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private let first = "na\"me 🚗"
private let second = "SELECT"
private let third = "e\u{301}; --"

private struct Old: Entity {
  let id: String
  var name: String
  var size: Int?
  var next: Ref<Old>?
  static let attributes = Attributes(
    .id(\Old.id), .attribute(first, \.name), .attribute(second, \.size), .one("next", \.next))
  static let schema = Schema(attributes, Old.init, rules: [.unique(\.name), .index(\.size)])
  static var entityName: String { "The \"table\"" }
}

/// The same with other names: of the entity, of the id, of attributes that exchange them.
private struct Renamed: Entity {
  let id: String
  var name: String
  var size: Int?
  var after: Ref<Renamed>?
  static let attributes = Attributes(
    .id(\Renamed.id, name: "key", renamedFrom: "id"),
    .attribute(second, \.name, renamedFrom: "never", first),
    .attribute(third, \.size, renamedFrom: second), .one("after", \.after, renamedFrom: "next"))
  static let schema = Schema(
    attributes, Renamed.init,
    rules: [.unique(\.name), .index(\.size), .renamedFrom("older", "The \"table\"")])
  static var entityName: String { "ORDER by" }
}

private struct Dropped: Entity {
  let id: String
  var next: Ref<Dropped>?
  static let attributes = Attributes(.id(\Dropped.id), .one("next", \.next))
  static let schema = Schema(
    attributes, Dropped.init, rules: [.dropped(first), .dropped(second, "x")])
  static var entityName: String { Old.entityName }
}

private struct Filled: Entity {
  let id: String
  var name: String?
  var size: Int
  var next: Ref<Filled>?
  static let attributes = Attributes(
    .id(\Filled.id), .attribute(first, \.name), .attribute(second, \.size, default: 7),
    .one("next", \.next, onDelete: .cascade, lateBound: false))
  static let schema = Schema(attributes, Filled.init, rules: [.index(\.name, \.size)])
  static var entityName: String { Old.entityName }
}

private struct Late: Entity {
  let id: String
  var name: String
  var size: Int?
  var next: Ref<Late>?
  static let attributes = Attributes(
    .id(\Late.id), .attribute(first, \.name), .attribute(second, \.size),
    .one("next", \.next, lateBound: true))
  static let schema = Schema(attributes, Late.init, rules: [.unique(\.name), .index(\.size)])
  static var entityName: String { Old.entityName }
}

@Suite struct `A file is adapted to a changed schema without code` {
  private let path = temporaryPath()

  private func fill() throws {
    try Store(.sqlite(path: path), entities: [Old.self]).commit { draft in
      try draft.insert(Old(id: "a", name: "it's", size: 1, next: Ref("b")))
      try draft.insert(Old(id: "b", name: "", next: Ref("b")))
      try draft.insert(Old(id: "c\0", name: "n", size: .min))
    }
  }

  private func checkFile() throws {
    let file = try RawDatabase(path)
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(!hasCopy(path))
  }

  @Test func `P4: an entity, its id, attributes and references have other names`() throws {
    try fill()
    // The second opening finds nothing to migrate.
    for version in [2, 4] {
      let store = try Store(.sqlite(path: path), entities: [Renamed.self])
      let all = try store.fetch(Query<Renamed>())
      #expect(all.map(\.id) == ["a", "b", "c\0"])
      #expect(all.map(\.name) == ["it's", "", "n"])
      #expect(all.map(\.size) == [1, nil, .min])
      #expect(all.map(\.after) == [Ref("b"), Ref("b"), nil])
      #expect(try store.version == Int64(version))
      let taken = StoreError.notUnique(
        [ObjectID(Renamed.self, "c\0"), ObjectID(Renamed.self, "d")], attributes: [second],
        values: [.text("n")])
      #expect(throws: taken) { try store.commit { try $0.insert(Renamed(id: "d", name: "n")) } }
      try store.commit { try $0.update(Renamed.self, "c\0") { $0.after = $0.after } }
      try store.commit { draft in try draft.insert(Renamed(id: "x", name: "x")) }
      try store.commit { draft in try draft.delete(Renamed.self, "x") }
      try checkFile()
    }
    let file = try RawDatabase(path)
    #expect(
      try file.value(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND sql LIKE '%SELECT%'")
        == "1")
    #expect(
      try file.rows("SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list('ORDER by')")
        == [["ORDER by", "after", "key"]])
    #expect(
      try file.rows(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")
        == [
          ["signalbox_index on \"ORDER by\" \"after\""],
          ["signalbox_index on \"ORDER by\" \"e\u{301}; --\""],
        ])
    // The program of before finds no empty table of its own.
    try refusal(path, [Old.self], .newer, naming: ["update the app", "add a migration"])
  }

  @Test func `P4: an older program is refused what would only add to the table`() throws {
    struct Noted: Entity {
      let id: Int
      var note: String?
      var rank: Int
      static let attributes = Attributes(
        .id(\Noted.id), .attribute("note", \.note), .attribute("rank", \.rank, default: 3))
      static let schema = Schema(attributes, Noted.init, rules: [.unique(\.rank)])
      static var entityName: String { "Item" }
    }
    struct Bare: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Bare.id))
      static let schema = Schema(attributes, Bare.init, rules: [.dropped("note", "rank")])
      static var entityName: String { "Item" }
    }
    do { _ = try Store(.sqlite(path: path), entities: [Noted.self]) }
    do { _ = try Store(.sqlite(path: path), entities: [Bare.self]) }
    // Otherwise the later one would take its own table for an older one's.
    try refusal(path, [Noted.self], .newer, naming: ["update the app", "add a migration"])
    try Store(.sqlite(path: path), entities: [Bare.self]).commit { try $0.insert(Bare(id: 1)) }
    let back = try Store(
      .sqlite(path: path, migrations: [Migration("back") { _ in }]), entities: [Noted.self])
    #expect(try back.find(Noted.self, 1)?.rank == 3)
  }

  @Test func `P4: a table's name in other letters is the same one`() throws {
    struct Quiet: Entity {
      let id: Int
      var name = ""
      static let attributes = Attributes(.id(\Quiet.id), .attribute("name", \.name))
      static let schema = Schema(attributes, Quiet.init)
      static var entityName: String { "Person" }
    }
    struct Loud: Entity {
      let id: Int
      var name = ""
      static let attributes = Attributes(.id(\Loud.id), .attribute("name", \.name))
      static let schema = Schema(attributes, Loud.init)
      static var entityName: String { "PERSON" }
    }
    let quiet = try Store(.sqlite(path: path, watching: .none), entities: [Quiet.self])
    try quiet.commit { try $0.insert(Quiet(id: 1)) }
    for round in 2...3 {
      let loud = try Store(.sqlite(path: path, watching: .none), entities: [Loud.self])
      try loud.commit { try $0.insert(Loud(id: round)) }
      let commits = Recorder(quiet.commits)
      try quiet.refresh()
      // The first of them has given the table its name, and who is open reads anew after that.
      #expect(commits.values.map(\.isComplete) == [round == 3])
      #expect(try quiet.count(Query<Quiet>()) == round)
    }
    try RawDatabase(path).rows("DELETE FROM person WHERE id = 1")
    #expect(try quiet.count(Query<Quiet>()) == 2)
    try checkFile()
  }

  @Test func `P4: attributes are dropped that the schema declares as dropped`() throws {
    try fill()
    let store = try Store(.sqlite(path: path), entities: [Dropped.self])
    #expect(try store.fetch(Query<Dropped>()).map(\.next) == [Ref("b"), Ref("b"), nil])
    try checkFile()
    #expect(
      try RawDatabase(path).rows("SELECT name FROM pragma_table_info('The \"table\"')")
        == [["id"], ["next"]])
    try refusal(path, [Old.self], .newer)
  }

  @Test func `P4: optional becomes required with a default, required optional, rules come and go`()
    throws
  {
    try fill()
    let store = try Store(.sqlite(path: path), entities: [Filled.self])
    #expect(try store.fetch(Query<Filled>()).map(\.size) == [1, 7, .min])
    try store.commit { draft in
      try draft.insert(Filled(id: "d", name: nil, size: 1))
      try draft.insert(Filled(id: "e", name: "n", size: 1))
      // The delete rule is the program's own.
      try draft.delete(Filled.self, "b")
    }
    #expect(try store.fetch(Query<Filled>()).map(\.id) == ["c\0", "d", "e"])
    try checkFile()
    #expect(
      try RawDatabase(path).rows(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'signalbox%' ORDER BY 1")
        == [
          ["signalbox_index on \"The \"\"table\"\"\" \"na\"\"me 🚗\" \"SELECT\""],
          ["signalbox_index on \"The \"\"table\"\"\" \"next\""],
        ])
  }

  @Test func `P4: a migrated table is the one that a new file has`() throws {
    try fill()
    let other = temporaryPath()
    for entity in [Filled.self, Dropped.self] as [any Entity.Type] {
      let path = temporaryPath()
      try Store(.sqlite(path: path), entities: [Old.self]).commit {
        try $0.insert(Old(id: "a", name: "a"))
      }
      _ = try Store(.sqlite(path: path), entities: [entity])
      let new = temporaryPath()
      _ = try Store(.sqlite(path: new), entities: [entity])
      let sql = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
      #expect(try RawDatabase(path).rows(sql) == RawDatabase(new).rows(sql))
    }
    withExtendedLifetime(other) {}
  }

  @Test func `P4: a reference becomes late-bound, and checked again where its objects are there`()
    throws
  {
    try fill()
    do {
      let store = try Store(.sqlite(path: path), entities: [Late.self])
      try store.commit { try $0.delete(Late.self, "b") }
      #expect(try store.find(Late.self, "a")?.next == Ref("b"))
      #expect(
        try RawDatabase(path).rows("SELECT * FROM pragma_foreign_key_list('The \"table\"')").isEmpty
      )
    }
    let back = [Migration("checked again") { _ in }]
    try refusal(
      path, [Old.self], migrations: back,
      naming: ["The \"table\"", "(\"a\") refers by next", "make the reference late-bound"])
    try Store(.sqlite(path: path), entities: [Late.self]).commit {
      try $0.insert(Late(id: "b", name: "again"))
    }
    let store = try Store(.sqlite(path: path, migrations: back), entities: [Old.self])
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Old(id: "z", name: "z", next: Ref("nobody"))) }
    }
    try checkFile()
  }

  @Test func `P4: what other programs have put on a table stays, and follows names`() throws {
    try fill()
    let file = try RawDatabase(path)
    try file.rows("CREATE TABLE notes (about TEXT REFERENCES \"The \"\"table\"\"\"(id), text)")
    try file.rows("INSERT INTO notes VALUES ('a', 'x')")
    try file.rows("CREATE INDEX mine ON \"The \"\"table\"\"\"(next, id)")
    try file.rows(
      "CREATE TRIGGER \"their's\" AFTER DELETE ON \"The \"\"table\"\"\" BEGIN "
        + "DELETE FROM notes WHERE about = OLD.id; END")
    try file.rows("CREATE VIEW ids AS SELECT id FROM \"The \"\"table\"\"\"")
    _ = try Store(.sqlite(path: path), entities: [Dropped.self])
    #expect(
      try file.rows("SELECT name FROM sqlite_master WHERE name IN ('mine', 'their''s') ORDER BY 1")
        == [["mine"], ["their's"]])
    #expect(try file.rows("SELECT * FROM ids").count == 3)
    try checkFile()
    struct Keyed: Entity {
      let id: String
      var next: Ref<Keyed>?
      static let attributes = Attributes(
        .id(\Keyed.id, name: "k", renamedFrom: "id"), .one("next", \.next))
      static let schema = Schema(attributes, Keyed.init, rules: [.renamedFrom("The \"table\"")])
    }
    _ = try Store(.sqlite(path: path), entities: [Keyed.self])
    #expect(try file.rows("SELECT * FROM ids").count == 3)
    #expect(
      try file.rows("SELECT \"table\", \"to\" FROM pragma_foreign_key_list('notes')") == [
        ["Keyed", "k"]
      ])
    try checkFile()
  }

  @Test(arguments: ["(\"SELECT\")", "(next) WHERE \"select\" <> ''"])
  func `P4: what another program has put on a column that goes is refused by name`(
    _ columns: String
  ) throws {
    try fill()
    try RawDatabase(path).rows("CREATE INDEX mine ON \"The \"\"table\"\"\"\(columns)")
    try refusal(
      path, [Dropped.self], naming: ["index \"mine\" of another program", "drop that index"])
  }

  @Test func `P4: an entity more is made, and one that isn't opened stays`() throws {
    try fill()
    struct Other: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Other.id))
      static let schema = Schema(attributes, Other.init)
    }
    let store = try Store(.sqlite(path: path), entities: [Other.self])
    #expect(try store.count(Query<Other>()) == 0)
    #expect(try store.version == 1)
    #expect(try Store(.sqlite(path: path), entities: [Old.self]).count(Query<Old>()) == 3)
  }
}
