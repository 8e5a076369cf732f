import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Note: Entity {
  let id: Int
  var text: String
  var next: Ref<Note>?
  static let attributes = Attributes(
    .id(\Note.id), .attribute("text", \.text), .one("next", \.next))
  static let schema = Schema(attributes, Note.init, rules: [.index(\.text)])
}

private struct Memo: Entity {
  let id: Int
  var text: String
  var next: Ref<Memo>?
  static let attributes = Attributes(
    .id(\Memo.id), .attribute("text", \.text), .one("next", \.next))
  static let schema = Schema(attributes, Memo.init, rules: [.index(\.text), .renamedFrom("Note")])
}

/// Another entity under the old name, with indexes of the same names.
private struct NewNote: Entity {
  let id: Int
  var text: Int
  var next: Ref<NewNote>?
  static let attributes = Attributes(
    .id(\NewNote.id), .attribute("text", \.text), .one("next", \.next))
  static let schema = Schema(attributes, NewNote.init, rules: [.index(\.text)])
  static var entityName: String { "Note" }
}

/// A migration that rewrites the table, and with it what stands on it.
private let rewriting = Migration("rewrite") { context in
  try context.rewrite("Note") { $0 }
  try context.renameEntity("Note", to: "Memo")
  try context.rename("text", to: "words", in: "Memo")
}

private struct Words: Entity {
  let id: Int
  var words: String
  var next: Ref<Words>?
  static let attributes = Attributes(
    .id(\Words.id), .attribute("words", \.words), .one("next", \.next))
  static let schema = Schema(attributes, Words.init, rules: [.index(\.words)])
  static var entityName: String { "Memo" }
}

@Suite struct `A table that is renamed` {
  private let path = temporaryPath()

  @Test(arguments: [
    "CREATE VIEW Note AS SELECT * FROM Memo", "CREATE INDEX Note ON Memo(text)",
    "CREATE VIRTUAL TABLE Note USING fts5(text)", "CREATE TABLE Note (x) WITHOUT ROWID",
  ])
  func `P4: something else that has its former name is another program's`(_ sql: String) throws {
    do {
      let store = try Store(.sqlite(path: path, durability: .normal), entities: [Memo.self])
      try store.commit { try $0.insert(Memo(id: 1, text: "a", next: nil)) }
    }
    // Its table has a key of its own, and may.
    let sql = sql.replacing("(x) WITHOUT", with: "(x PRIMARY KEY) WITHOUT")
    try RawDatabase(path).rows(sql)
    let store = try Store(.sqlite(path: path, durability: .normal), entities: [Memo.self])
    #expect(try store.fetch(Query<Memo>()).map(\.id) == [1])
    #expect(
      try RawDatabase(path).value("SELECT COUNT(*) FROM sqlite_master WHERE name = 'Note'") == "1")
  }

  private func fill() throws {
    try Store(.sqlite(path: path, durability: .normal), entities: [Note.self]).commit { draft in
      for id in 1...3 { try draft.insert(Note(id: id, text: "\(id)", next: Ref(1))) }
    }
  }

  @Test func `P4: takes its indexes along, so a new entity of its old name has its own`() throws {
    try fill()
    for entities in [[Memo.self, NewNote.self], [NewNote.self, Memo.self]] as [[any Entity.Type]] {
      let store = try Store(.sqlite(path: path), entities: entities)
      #expect(try store.count(Query<Memo>()) == 3)
      #expect(try store.count(Query<NewNote>()) == 0)
    }
    #expect(
      try RawDatabase(path).rows(
        "SELECT tbl_name, name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY 2"
      )
        == [
          ["Memo", #"signalbox_index on "Memo" "next""#],
          ["Memo", #"signalbox_index on "Memo" "text""#],
          ["Note", #"signalbox_index on "Note" "next""#],
          ["Note", #"signalbox_index on "Note" "text""#],
        ])
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P4: keeps the index of another program, also where it is rewritten first`() throws {
    try fill()
    let file = try RawDatabase(path)
    try file.rows("CREATE INDEX mine ON Note(text DESC)")
    try file.rows("CREATE TRIGGER theirs AFTER DELETE ON Note BEGIN SELECT OLD.text; END")
    _ = try Store(.sqlite(path: path, migrations: [rewriting]), entities: [Words.self])
    #expect(
      try file.rows("SELECT tbl_name FROM sqlite_master WHERE name IN ('mine', 'theirs')")
        == [["Memo"], ["Memo"]])
    #expect(try file.value("SELECT name FROM pragma_index_info('mine')") == "words")
    #expect(try file.value("PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [false, true])
  func `P4: keeps an index and a trigger of one name, whichever was first`(_ isReversed: Bool)
    throws
  {
    try fill()
    let file = try RawDatabase(path)
    let objects = [
      "CREATE INDEX mine ON Note(text DESC)",
      "CREATE TRIGGER mine AFTER DELETE ON Note BEGIN SELECT OLD.text; END",
    ]
    for sql in isReversed ? objects.reversed() : objects { try file.rows(sql) }
    _ = try Store(.sqlite(path: path, migrations: [rewriting]), entities: [Words.self])
    #expect(
      try file.rows("SELECT type, tbl_name FROM sqlite_master WHERE name = 'mine' ORDER BY type")
        == [["index", "Memo"], ["trigger", "Memo"]])
    #expect(try file.value("SELECT name FROM pragma_index_info('mine')") == "words")
  }

  @Test func `P4: has its new name in a trigger on another table, which is rewritten`() throws {
    struct Dog: Entity {
      let id: Int
      var name: String
      static let attributes = Attributes(.id(\Dog.id), .attribute("name", \.name))
      static let schema = Schema(attributes, Dog.init)
    }
    struct Kennel: Entity {
      let id: Int
      var dogs: Int
      static let attributes = Attributes(.id(\Kennel.id), .attribute("dogs", \.dogs))
      static let schema = Schema(attributes, Kennel.init)
    }
    struct Shelter: Entity {
      let id: Int
      var guests: Int
      static let attributes = Attributes(
        .id(\Shelter.id), .attribute("guests", \.guests, renamedFrom: "dogs"))
      static let schema = Schema(attributes, Shelter.init, rules: [.renamedFrom("Kennel")])
    }
    do {
      let store = try Store(.sqlite(path: path), entities: [Dog.self, Kennel.self])
      try store.commit { draft in
        try draft.insert(Dog(id: 1, name: "Rex"))
        try draft.insert(Kennel(id: 1, dogs: 1))
      }
    }
    let file = try RawDatabase(path)
    try file.rows(
      "CREATE TRIGGER theirs AFTER INSERT ON Dog BEGIN UPDATE Kennel SET dogs = dogs + 1; END")
    let migration = Migration("rewrite") { context in try context.rewrite("Dog") { $0 } }
    let store = try Store(
      .sqlite(path: path, migrations: [migration]), entities: [Dog.self, Shelter.self])
    try file.rows("INSERT INTO Dog VALUES (2, 'Bo')")
    #expect(try store.find(Shelter.self, 1)?.guests == 2)
    #expect(try store.count(Query<Dog>()) == 2)
  }

  @Test func `P4: is refused where what another program has put on it doesn't fit any more`() throws
  {
    try fill()
    try RawDatabase(path).rows("CREATE INDEX mine ON Note(text)")
    let migration = Migration("take the text") { context in
      try context.rewrite("Note") { old in
        var new = old
        new.set("words", to: try old.value("text", as: String.self) ?? "")
        new.remove("text")
        return new
      }
      try context.renameEntity("Note", to: "Memo")
    }
    try refusal(
      path, [Words.self], migrations: [migration],
      naming: ["index \"mine\" of another program", "Note", "drop that index"])
  }
}
