import EntityStore
import FetchedObjects
import SQLitePersistence
import TestSupport
import Testing

private struct Day: Entity {
  let id: Int
  var label: String
  static let attributes = Attributes(.id(\Day.id), .attribute("label", \.label))
  static let schema = Schema(attributes, Day.init, rules: [.index(\.label)])
}

private struct Dawn: Entity {
  let id: Int
  var label: String
  static let attributes = Attributes(.id(\Dawn.id), .attribute("label", \.label))
  static let schema = Schema(
    attributes, Dawn.init, rules: [.index(\.label), .renamedFrom("Day")])
}

private struct Night: Entity {
  let id: Int
  var label: String
  static let attributes = Attributes(.id(\Night.id), .attribute("label", \.label))
  static let schema = Schema(attributes, Night.init, rules: [.index(\.label)])
}

@Suite struct `Triggers of a tool may write to their own table` {
  private let path = temporaryPath()
  private let store: Store
  private let garage: ReplayedGarage
  private let raw: RawDatabase
  private let commits: Recorder<Commit>

  init() throws {
    store = try openGarage(path, watching: .none)
    raw = try RawDatabase(path)
    try store.commit { draft in
      try draft.insert(Person(id: "ann", name: "Ann", height: 1.5))
      for id in 1...3 { try draft.insert(Car(id: id, model: "m\(id)")) }
    }
    garage = try ReplayedGarage(store)
    commits = Recorder(store.commits)
  }

  /// What the store tells of some statements.
  private func told(_ sql: String...) throws -> [String] {
    let count = commits.values.count
    for sql in sql { try raw.rows(sql) }
    try store.refresh()
    #expect(try garage.isExact())
    let new = commits.values[count...]
    return new.contains { !$0.isComplete } ? ["unknown"] : new.flatMap(\.changedObjects)
  }

  @Test(arguments: ["", "TEMP "])
  func `P5, F1: after an insertion`(_ kind: String) throws {
    try raw.rows(
      """
      CREATE \(kind)TRIGGER norm AFTER INSERT ON main.Car
      BEGIN UPDATE Car SET model = trim(NEW.model) WHERE id = NEW.id; END
      """)
    if kind.isEmpty {
      // The first look after others have changed the schema.
      #expect(try told("INSERT INTO Car (id, model) VALUES (9, ' x ')") == ["unknown"])
    }
    #expect(try told("INSERT INTO Car (id, model) VALUES (4, ' a ')") == ["+Car(4)"])
    #expect(commits.values.last?.changes(of: Car.self).inserted.first?.model == "a")
    #expect(
      try told("REPLACE INTO Car (id, model) VALUES (4, ' b ')") == ["~Car(4).model"])
    // Nobody knew the id before, so the list is read again.
    #expect(try told("INSERT INTO Car (model) VALUES (' c ')") == ["unknown"])
    #expect(try told("DELETE FROM Car WHERE id = 4") == ["-Car(4)"])
  }

  @Test(arguments: ["", "TEMP "])
  func `P5, F1: after an update or a deletion`(_ kind: String) throws {
    for sql in [
      """
      CREATE \(kind)TRIGGER changed AFTER UPDATE ON main.Car
      BEGIN UPDATE Car SET tower = 7 WHERE id = NEW.id; END
      """,
      """
      CREATE \(kind)TRIGGER gone AFTER DELETE ON main.Car
      BEGIN INSERT INTO Car (id, model) VALUES (OLD.id, OLD.model || ' gone'); END
      """,
    ] {
      try raw.rows(sql)
    }
    if kind.isEmpty { _ = try told("INSERT INTO Car (id, model) VALUES (9, 'x')") }
    #expect(try told("UPDATE Car SET model = 'a' WHERE id = 1") == ["~Car(1).model,tower"])
    #expect(commits.values.last?.changes(of: Car.self).updated.first?.old.model == "m1")
    #expect(try told("DELETE FROM Car WHERE id = 2") == ["~Car(2).model"])
    #expect(commits.values.last?.changes(of: Car.self).updated.first?.old.model == "m2")
    #expect(try told("UPDATE Car SET id = 5 WHERE id = 3") == ["-Car(3)", "+Car(5)"])
  }

  @Test func `P5, F1: a trigger that takes a row back`() throws {
    try raw.rows(
      """
      CREATE TEMP TRIGGER refused AFTER INSERT ON main.Car WHEN NEW.model = 'bad'
      BEGIN DELETE FROM Car WHERE id = NEW.id; END
      """)
    #expect(try told("INSERT INTO Car (id, model) VALUES (4, 'bad')") == [])
    // The row is gone, and so the log can't say that it has never been there.
    #expect(try told("INSERT INTO Car (model) VALUES ('bad')") == ["unknown"])
    #expect(try told("INSERT INTO Car (model) VALUES ('good')") == ["+Car(4)"])
    #expect(
      try told("DELETE FROM Car WHERE id = 4", "INSERT INTO Car (model) VALUES ('better')")
        == ["~Car(4).model"])
  }

  @Test func `P5: ids that SQLite gives, and rows that don't come`() throws {
    // Where one doesn't come nothing says so, and the lists are read again.
    #expect(try told("INSERT OR IGNORE INTO Car (model) VALUES ('m1')") == ["unknown"])
    #expect(try told("INSERT INTO Car (model) VALUES ('a'), ('b')") == ["+Car(4)", "+Car(5)"])
    #expect(
      try told("INSERT OR REPLACE INTO Car (model) VALUES ('m1'), ('a')")
        == ["-Car(1)", "-Car(4)", "+Car(6)", "+Car(7)"])
    #expect(try told("INSERT INTO Car (id, model) VALUES (-1, 'below')") == ["+Car(-1)"])
    #expect(try told("REPLACE INTO Car (id, model) VALUES (-1, 'c')") == ["~Car(-1).model"])
    #expect(try told("INSERT OR IGNORE INTO Car (id, model) VALUES (20, 'm2')") == [])
    #expect(
      try told(
        "INSERT OR IGNORE INTO Car (id, model) VALUES (8, 'm2')",
        "INSERT INTO Car (model) VALUES ('d')") == ["+Car(8)"])
  }

  @Test func `P5, F7: a tool says the numbers of rows`() throws {
    #expect(try told("UPDATE Person SET rowid = rowid + 100") == [])
    #expect(
      try told("REPLACE INTO Person (rowid, id, name) VALUES (5, 'bo', 'Bo')") == [
        "+Person(\"bo\")"
      ])
    #expect(
      try told("REPLACE INTO Person (rowid, id, name) VALUES (5, 'cy', 'Cy')")
        == ["-Person(\"bo\")", "+Person(\"cy\")"])
    #expect(
      try told("UPDATE OR REPLACE Person SET rowid = 5 WHERE id = 'ann'") == ["-Person(\"cy\")"])
  }

  /// What keeps the log from saying which id SQLite has given; the last word inserts a car.
  private static let silences = [
    (
      "AFTER INSERT ON main.Car BEGIN INSERT INTO Person (id, name) VALUES (NEW.id, 'p'); END",
      "INSERT INTO Car (model) VALUES ('new')"
    ),
    (
      "AFTER INSERT ON main.Car BEGIN INSERT INTO Note (id) VALUES (NEW.id); END",
      "INSERT INTO Car (model) VALUES ('new')"
    ),
    (
      "AFTER INSERT ON main.Car BEGIN SELECT RAISE(IGNORE); END",
      "INSERT INTO Car (model) VALUES ('new')"
    ),
    (
      "AFTER INSERT ON main.Car BEGIN SELECT RAISE(FAIL, 'no'); END",
      "INSERT INTO Car (model) VALUES ('new')"
    ),
    (
      "AFTER INSERT ON main.Car BEGIN INSERT INTO Car (model) VALUES ('m1'); END",
      "INSERT OR FAIL INTO Car (model) VALUES ('new')"
    ),
  ]

  @Test(arguments: silences, ["", "TEMP "])
  func `P5, F1: a trigger of a tool that comes before the log's`(
    _ silence: (trigger: String, insertion: String), _ kind: String
  ) throws {
    try raw.rows("CREATE TABLE Note (id INTEGER PRIMARY KEY)")
    try raw.rows("CREATE \(kind)TRIGGER first \(silence.trigger)")
    _ = try told("UPDATE Person SET height = 2")
    _ = try? raw.rows(silence.insertion)
    _ = try told()
    #expect(garage.cars.list.count == 4)
    #expect(try store.count(Query<Car>()) == 4)
  }

  /// Makes a table again by the tool, so that it has no triggers any more, and changes a row of it.
  ///
  /// The triggers and indexes stay with the former table, if that stays.
  private func makeCarsAgain(_ keepsFormer: Bool) throws {
    let sql = try #require(try raw.value("SELECT sql FROM sqlite_master WHERE name = 'Car'"))
    for statement in [
      "BEGIN", "ALTER TABLE Car RENAME TO Before", sql, "INSERT INTO Car SELECT * FROM Before",
      keepsFormer ? "SELECT 1" : "DROP TABLE Before",
      "UPDATE Car SET model = 'again' WHERE id = 2", "COMMIT",
    ] {
      try raw.rows(statement)
    }
  }

  @Test(arguments: [false, true])
  func `P5, F1: a table that was made again is read again once the file is opened again`(
    _ keepsFormer: Bool
  ) throws {
    try makeCarsAgain(keepsFormer)
    try fault(.schemaMismatch) { try store.refresh() }
    try raw.rows("UPDATE Car SET model = 'later' WHERE id = 1")
    try fault(.schemaMismatch) { try store.refresh() }
    // Another store gives the table its triggers back.
    _ = try openGarage(path, watching: .none)
    try store.refresh()
    #expect(commits.values.map(\.isComplete) == [false])
    #expect(try garage.isExact())
    #expect(garage.lines.contains("again"))
    // Nothing is lost now, so there is nothing new.
    _ = try openGarage(path, watching: .none)
    #expect(try told("UPDATE Car SET model = 'x' WHERE id = 1") == ["~Car(1).model"])
  }

  @Test func `P5, F1: exchanged tables are read again once the file is opened again`() throws {
    let path = temporaryPath()
    let kind = StorageKind.sqlite(path: path, durability: .normal, watching: .none)
    let store = try Store(kind, entities: [Day.self, Night.self])
    try store.commit { draft in
      try draft.insert(Day(id: 1, label: "day"))
      try draft.insert(Night(id: 1, label: "night"))
    }
    let raw = try RawDatabase(path)
    for (name, new) in [("Day", "Other"), ("Night", "Day"), ("Other", "Night")] {
      try raw.rows("ALTER TABLE \(name) RENAME TO \(new)")
    }
    try fault(.schemaMismatch) { try store.refresh() }
    _ = try Store(kind, entities: [Day.self, Night.self])
    for table in ["Day", "Night"] {
      let indexes = "SELECT name FROM pragma_index_list('\(table)') WHERE origin = 'c'"
      #expect(try raw.rows(indexes) == [["signalbox_index on \"\(table)\" \"label\""]])
    }
    let commits = Recorder(store.commits)
    try store.refresh()
    #expect(commits.values.contains { !$0.isComplete })
    #expect(try store.find(Day.self, 1)?.label == "night")
    try raw.rows("UPDATE Day SET label = 'new'")
    try store.refresh()
    #expect(commits.values.last?.changedObjects == ["~Day(1).label"])
  }

  @Test func `P4: a table that a tool has renamed is missed by an entity with a new name, too`()
    throws
  {
    let path = temporaryPath()
    let kind = StorageKind.sqlite(path: path, durability: .normal, watching: .none)
    try Store(kind, entities: [Day.self]).commit { try $0.insert(Day(id: 1, label: "day")) }
    let raw = try RawDatabase(path)
    try raw.rows("ALTER TABLE Day RENAME TO Former")
    try fault(.schemaMismatch, naming: ["Day", "Former"]) {
      _ = try Store(kind, entities: [Dawn.self])
    }
    try raw.rows("ALTER TABLE Former RENAME TO Day")
    #expect(try Store(kind, entities: [Dawn.self]).find(Dawn.self, 1)?.label == "day")
  }

  @Test func `P5, F1: a table that a tool has renamed is missed, and no empty one is made`() throws
  {
    try raw.rows("ALTER TABLE Car RENAME TO Former")
    try fault(.schemaMismatch, naming: ["Car"]) { try store.refresh() }
    try fault(.schemaMismatch, naming: ["Car", "Former"]) {
      _ = try openGarage(path, watching: .none)
    }
    try raw.rows("ALTER TABLE Former RENAME TO Car")
    #expect(try openGarage(path, watching: .none).count(Query<Car>()) == 3)
  }

  @Test(.timeLimit(.minutes(20)))
  func `P5, F11: models are notified of a table that was made again, without a commit`()
    async throws
  {
    let here = try openGarage(path, watching: .every(.milliseconds(1)))
    let model = try FetchedObjectsModel(Query<Car>(), in: here)
    let errors = Recorder(model.errors)
    // The file's number is known by then.
    try raw.rows("UPDATE Car SET model = 'x' WHERE id = 1")
    #expect(await becomesTrue { model.fetchedObjects.first?.model == "x" })
    try raw.rows("DROP TRIGGER \"signalbox_trigger before update on \"\"Car\"\"\"")
    #expect(await becomesTrue { !errors.values.isEmpty })
  }

  /// What tools may do in triggers, each with a name of its own.
  private static let triggers = [
    "AFTER INSERT ON main.Car BEGIN SELECT RAISE(IGNORE); END",
    "AFTER INSERT ON main.Car WHEN NEW.id % 2 BEGIN SELECT RAISE(FAIL, 'odd'); END",
    "AFTER INSERT ON main.Car BEGIN INSERT OR REPLACE INTO Person (id, name) VALUES (NEW.id, NEW.model); END",
    "BEFORE INSERT ON main.Car BEGIN INSERT OR IGNORE INTO Person (id, name) VALUES ('x', NEW.model); END",
    "AFTER INSERT ON main.Car BEGIN UPDATE OR IGNORE Car SET model = model || '+' WHERE id = NEW.id; END",
    "AFTER INSERT ON main.Car WHEN NEW.model < 'm2' BEGIN DELETE FROM Car WHERE id = NEW.id; END",
    "BEFORE INSERT ON main.Car BEGIN DELETE FROM Car WHERE id = (SELECT max(id) FROM Car); END",
    "AFTER INSERT ON main.Car BEGIN REPLACE INTO Car (id, model) VALUES (NEW.id, NEW.model || '!'); END",
    "AFTER INSERT ON main.Car BEGIN INSERT OR IGNORE INTO Car (model) VALUES (NEW.model); END",
    "AFTER INSERT ON main.Car BEGIN DELETE FROM Car WHERE id = NEW.id; INSERT OR IGNORE INTO Car (id, model) VALUES (NEW.id, 'n' || NEW.id); END",
    "AFTER DELETE ON main.Car BEGIN INSERT OR IGNORE INTO Car (id, model) VALUES (OLD.id, 'gone ' || OLD.id); END",
    "AFTER DELETE ON main.Car BEGIN INSERT OR IGNORE INTO Car (model) VALUES ('again ' || OLD.model); END",
    "AFTER UPDATE ON main.Car BEGIN UPDATE Car SET tower = NEW.id + 1 WHERE id = NEW.id; END",
    "BEFORE UPDATE ON main.Car WHEN NEW.model > 'm5' BEGIN SELECT RAISE(IGNORE); END",
    "AFTER UPDATE ON main.Car WHEN NEW.model < 'm3' BEGIN DELETE FROM Car WHERE id = NEW.id; END",
    "AFTER INSERT ON main.Person BEGIN UPDATE Person SET height = 1 WHERE id = NEW.id; END",
    "AFTER UPDATE ON main.Person BEGIN UPDATE OR IGNORE Person SET name = name || '.' WHERE id = NEW.id; END",
    "AFTER DELETE ON main.Person BEGIN INSERT OR REPLACE INTO Person (id, name) VALUES (OLD.id, 'gone'); END",
    "AFTER INSERT ON main.Person BEGIN INSERT OR IGNORE INTO Car (model) VALUES (NEW.id); END",
    "AFTER INSERT ON main.Car BEGIN UPDATE Person SET height = height + 1; END",
  ]

  @Test(.oneThread, arguments: 0..<10)
  func `P5, F7: models stay exact whatever triggers a tool has`(_ seed: Int) throws {
    var writes = ForeignWrites(seed: seed)
    let count = rounds(200)
    tried(count, "looks after writes of a tool with triggers of its own")
    for step in 0..<count {
      if step % 10 == 0 {
        for index in Self.triggers.indices {
          try raw.rows("DROP TRIGGER IF EXISTS temp.tool\(index)")
          try raw.rows("DROP TRIGGER IF EXISTS main.tool\(index)")
        }
        for _ in 0..<3 {
          let index = Self.triggers.indices.randomElement(using: &writes.generator) ?? 0
          let kind = writes.generator.chance(0.7) ? "TEMP " : ""
          try raw.rows("CREATE \(kind)TRIGGER IF NOT EXISTS tool\(index) \(Self.triggers[index])")
        }
        if writes.generator.chance(0.3) { try raw.rows("PRAGMA recursive_triggers = 1") }
        if writes.generator.chance(0.5) { try raw.rows("PRAGMA recursive_triggers = 0") }
      }
      for _ in 0..<Int.random(in: 1...3, using: &writes.generator) {
        // What breaks a rule, or goes round, is undone by SQLite.
        _ = try? raw.rows(
          writes.generator.chance(0.3) ? writes.insertionWithoutID() : writes.statement())
      }
      if writes.generator.chance(0.2) { try writes.commit(to: store) }
      try store.refresh()
      let isExact = try garage.isExact()
      #expect(isExact, "after step \(step)")
      if !isExact { return }
    }
  }
}
