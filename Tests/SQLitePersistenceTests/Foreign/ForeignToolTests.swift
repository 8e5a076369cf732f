import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private enum Mood: String, Storable {
  case good, bad

  static let storedType = StoredType.text
  var storedValue: StoredValue { .text(rawValue) }
  init(storedValue: StoredValue) throws {
    guard case .text(let text) = storedValue, let mood = Mood(rawValue: text) else {
      throw StoredValue.Mismatch(storedValue, type: Self.self)
    }
    self = mood
  }
}

private struct Cat: Entity {
  let id: Int
  var mood: Mood
  static let attributes = Attributes(.id(\Cat.id), .attribute("mood", \.mood))
  static let schema = Schema(attributes, Cat.init)
}

private struct Seat: Entity {
  struct ID: CompositeID {
    var train: String
    var number: Int
  }
  let id: ID
  var from: Ref<Seat>?
  static let attributes = Attributes(
    .id(\Seat.id, ID.init, .part("train", \.train), .part("number", \.number)),
    .one("from", \.from))
  static let schema = Schema(attributes, Seat.init)
}

/// Named as what a trigger calls the row that was, and the one that is.
private struct Old: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Old.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Old.init, rules: [.unique(\.name)])
}

private struct New: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\New.id), .attribute("name", \.name))
  static let schema = Schema(attributes, New.init, rules: [.unique(\.name)])
}

@Suite struct `A write of another tool is an exact commit` {
  private let path = temporaryPath()
  private let store: Store
  private let raw: RawDatabase
  private let commits: Recorder<Commit>

  init() throws {
    store = try openGarage(path, watching: .none)
    raw = try RawDatabase(path)
    try store.commit { draft in
      try draft.insert(Person(id: "ann", name: "Ann", height: 1.5, photo: [1, 2]))
      try draft.insert(Person(id: "bo", name: "Bo"))
      for id in 1...3 { try draft.insert(Car(id: id, model: "m\(id)")) }
    }
    commits = Recorder(store.commits)
  }

  /// What becomes of a statement, the versions left out.
  private func told(_ sql: String...) throws -> [String] {
    let count = commits.values.count
    for sql in sql { try raw.rows(sql) }
    try store.refresh()
    for commit in commits.values[count...] { #expect(commit.isExternal && commit.isComplete) }
    return commits.values[count...].flatMap(\.changedObjects)
  }

  @Test func `P5: a table may have the name of a trigger's row`() throws {
    let path = temporaryPath()
    let store = try Store(.sqlite(path: path, watching: .none), entities: [Old.self, New.self])
    try store.commit { draft in
      for id in 1...3 {
        try draft.insert(Old(id: id, name: "\(id)"))
        try draft.insert(New(id: id, name: "\(id)"))
      }
    }
    let raw = try RawDatabase(path)
    let commits = Recorder(store.commits)
    for table in ["Old", "New"] {
      try raw.rows("UPDATE OR REPLACE \(table) SET name = '2' WHERE id = 1")
      try raw.rows("INSERT INTO \(table) (id, name) VALUES (4, '4')")
      try raw.rows("INSERT OR REPLACE INTO \(table) (id, name) VALUES (5, '3')")
      try store.refresh()
      #expect(
        commits.values.last?.changedObjects
          == ["~\(table)(1).name", "-\(table)(2)", "-\(table)(3)", "+\(table)(4)", "+\(table)(5)"])
      // None of the rows that aren't concerned is logged.
      #expect(commits.values.last?.versions.count ?? 0 <= 6)
    }
  }

  @Test func `P5: statements of every kind, by their old values`() throws {
    #expect(
      try told("UPDATE Person SET height = 2, photo = NULL WHERE id = 'ann'")
        == ["~Person(\"ann\").height,photo"])
    let person = commits.values.last?.changes(of: Person.self).updated.first
    #expect(person?.old.photo == [1, 2] && person?.old.height == 1.5 && person?.new.height == 2)
    #expect(try told("INSERT INTO Car (id, model) VALUES (4, 'm4')") == ["+Car(4)"])
    #expect(try told("INSERT INTO Car (model) VALUES ('m5')") == ["+Car(5)"])
    #expect(try told("UPDATE Car SET id = 6 WHERE id = 5") == ["-Car(5)", "+Car(6)"])
    #expect(try told("UPDATE Car SET model = model") == [])
    #expect(
      try told("UPDATE Car SET tower = id") == (1...4).map { "~Car(\($0)).tower" } + [
        "~Car(6).tower"
      ])
    #expect(commits.values.last?.versions.count == 5)
    #expect(try told("DELETE FROM Car WHERE id > 4") == ["-Car(6)"])
    #expect(try told("DELETE FROM Car") == (1...4).map { "-Car(\($0))" })
    #expect(
      commits.values.last?.changes(of: Car.self).deleted.map(\.model) == ["m1", "m2", "m3", "m4"])
  }

  @Test func `P5: rows that OR REPLACE takes away without a word`() throws {
    // By the id.
    #expect(
      try told("INSERT OR REPLACE INTO Car (id, model) VALUES (1, 'new')") == ["~Car(1).model"])
    // By a unique key.
    #expect(
      try told("INSERT OR REPLACE INTO Car (id, model) VALUES (9, 'm2')") == ["-Car(2)", "+Car(9)"])
    // By both.
    #expect(
      try told("REPLACE INTO Car (id, model) VALUES (9, 'm3')") == ["-Car(3)", "~Car(9).model"])
    #expect(
      try told("UPDATE OR REPLACE Car SET model = 'm3' WHERE id = 1") == [
        "~Car(1).model", "-Car(9)",
      ])
    #expect(try told("INSERT INTO Car (id, model) VALUES (2, 'x')") == ["+Car(2)"])
    #expect(
      try told("UPDATE OR REPLACE Car SET id = 2 WHERE id = 1") == ["-Car(1)", "~Car(2).model"])
    #expect(commits.values.last?.changes(of: Car.self).updated.map(\.old.model) == ["x"])
    #expect(
      try told("INSERT INTO Car (id, model) VALUES (2, 'y') ON CONFLICT DO UPDATE SET model = 'z'")
        == ["~Car(2).model"])
    #expect(try told("INSERT OR IGNORE INTO Car (id, model) VALUES (2, 'y')") == [])
  }

  @Test func `P5: transactions, savepoints and recursive triggers`() throws {
    #expect(
      try told(
        "BEGIN", "INSERT INTO Car (id, model) VALUES (7, 'a')", "SAVEPOINT s",
        "DELETE FROM Car WHERE id = 1", "ROLLBACK TO s", "DELETE FROM Car WHERE id = 7",
        "UPDATE Car SET id = 8 WHERE id = 2", "UPDATE Car SET id = 2 WHERE id = 8", "COMMIT") == [])
    #expect(try told("BEGIN", "DELETE FROM Car", "ROLLBACK") == [])
    #expect(
      try told("PRAGMA recursive_triggers = 1", "REPLACE INTO Car (id, model) VALUES (9, 'm1')")
        == ["-Car(1)", "+Car(9)"])
  }

  @Test func `P5: a tool's write between two commits of another store is in the one net commit`()
    throws
  {
    let there = try openGarage(path, watching: .none)
    try there.commit { try $0.update(Car.self, 1) { $0.model = "a" } }
    try raw.rows("UPDATE Car SET model = 'b', tower = 3 WHERE id = 1")
    try there.commit { draft in
      #expect(try draft.find(Car.self, 1)?.model == "b")
      try draft.update(Car.self, 1) { $0.tower = nil }
      try draft.delete(Car.self, 2)
    }
    #expect(try told("INSERT INTO Car (id, model) VALUES (2, 'm2')") == ["~Car(1).model"])
    #expect(commits.values.map(\.line) == ["2...5 foreign ~Car(1).model"])
    #expect(commits.values.last?.changes(of: Car.self).updated.map(\.old.model) == ["m1"])
  }

  @Test func `P5: hostile values come back as they were`() throws {
    try raw.rows(
      """
      INSERT INTO Person (id, name, height, photo) VALUES
        ('nul', 'a' || char(0) || 'b', 9e999, zeroblob(0)),
        ('', '', -9e999, x'00ff'),
        ('\u{1F600}''"', 'e\u{301},;', 5e-324, NULL),
        ('third', char(10), 0.1 + 0.2, NULL)
      """)
    try raw.rows("INSERT INTO Car (id, model) VALUES (9223372036854775807, ',;')")
    try raw.rows("INSERT INTO Car (id, model) VALUES (-9223372036854775807 - 1, 'min')")
    try store.refresh()
    let inserted = try #require(commits.values.last?.changes(of: Person.self).inserted)
    #expect(inserted.map(\.id) == ["", "nul", "third", "\u{1F600}'\""])
    #expect(inserted.map(\.height) == [-.infinity, .infinity, 0.1 + 0.2, .leastNonzeroMagnitude])
    // What was there is read from the log.
    try raw.rows("DELETE FROM Person WHERE id NOT IN ('ann', 'bo')")
    try raw.rows("DELETE FROM Car WHERE abs(id / 2) > 1000")
    try store.refresh()
    let last = try #require(commits.values.last)
    let deleted = last.changes(of: Person.self).deleted
    #expect(deleted.map { Array($0.name.utf8) } == inserted.map { Array($0.name.utf8) })
    #expect(deleted.map(\.height) == inserted.map(\.height))
    #expect(deleted.map(\.photo) == [[0, 255], [], nil, nil])
    #expect(last.changes(of: Car.self).deleted.map(\.id) == [.min, .max])
  }

  @Test func `P5: numbers with a fraction come back to the last bit`() throws {
    var generator = SeededGenerator(number: 5)
    let numbers = (0..<500).map { index in
      Double.random(in: -1...1, using: &generator) * (index % 2 == 0 ? 1e6 : 1e-6)
    }
    try store.commit { draft in
      for (index, number) in numbers.enumerated() {
        try draft.insert(Person(id: "\(1000 + index)", name: "\(index)", height: number))
      }
    }
    try raw.rows("DELETE FROM Person WHERE id >= '1000' AND id < '2'")
    try store.refresh()
    let deleted = try #require(commits.values.last?.changes(of: Person.self).deleted)
    #expect(deleted.map(\.height) == numbers.map { $0 })
  }

  @Test func `P5: a number with a fraction that a tool leaves alone hasn't changed`() throws {
    // SQLite reads its first 15 digits as this number, and Swift as the one beside it.
    let height = 0.8071378605232991
    try store.commit { try $0.insert(Person(id: "cy", name: "Cy", height: height)) }
    #expect(try told("UPDATE Person SET name = 'Di' WHERE id = 'cy'") == ["~Person(\"cy\").name"])
    let change = commits.values.last?.changes(of: Person.self).updated.first
    #expect(change?.old.height == height && change?.new.height == height)
  }

  @Test
  func `P5: text that is no UTF-8 is an error of its readers, and the rest can be read`()
    throws
  {
    try raw.rows("UPDATE Person SET name = CAST(x'61ff' AS TEXT) WHERE id = 'ann'")
    try store.refresh()
    #expect(commits.values.last?.line == "2 foreign unknown")
    #expect(throws: StoreError.self) { try store.find(Person.self, "ann") }
    #expect(try store.find(Person.self, "bo")?.name == "Bo")
    try raw.rows("INSERT INTO Person (id, name) VALUES (CAST(x'ff' AS TEXT), 'x')")
    try store.refresh()
    #expect(commits.values.last?.isComplete == false)
    #expect(commits.values.last?.line == "3 foreign unknown")
  }

  @Test func `P5: an old text that is no UTF-8 isn't reported as a different text`() throws {
    try raw.rows("UPDATE Person SET name = CAST(x'61ff' AS TEXT) WHERE id = 'ann'")
    try store.refresh()
    try raw.rows("UPDATE Person SET name = 'Ann' WHERE id = 'ann'")
    try store.refresh()
    #expect(commits.values.map(\.line) == ["2 foreign unknown", "3 foreign unknown"])
    #expect(try store.find(Person.self, "ann")?.name == "Ann")
    #expect(try told("UPDATE Person SET name = 'Di' WHERE id = 'ann'") == ["~Person(\"ann\").name"])
  }

  @Test func `P5: a composite id, and a reference to it`() throws {
    let path = temporaryPath()
    let store = try Store(.sqlite(path: path, watching: .none), entities: [Seat.self])
    let raw = try RawDatabase(path)
    let commits = Recorder(store.commits)
    try raw.rows("INSERT INTO Seat (train, number) VALUES ('a', 1)")
    try raw.rows(
      "INSERT INTO Seat (train, number, from_train, from_number) VALUES ('b', 2, 'a', 1)")
    try store.refresh()
    try raw.rows("REPLACE INTO Seat (train, number) VALUES ('b', 2)")
    try store.refresh()
    try raw.rows("UPDATE Seat SET number = 3 WHERE train = 'a'")
    try store.refresh()
    #expect(
      commits.values.map(\.line) == [
        "1...2 foreign +Seat(\"a\", 1) +Seat(\"b\", 2)",
        "3 foreign ~Seat(\"b\", 2).from", "4 foreign -Seat(\"a\", 1) +Seat(\"a\", 3)",
      ])
    let there = try Store(.sqlite(path: path, watching: .none), entities: [Seat.self])
    try there.commit { draft in
      let seat = Seat.ID(train: "b", number: 2)
      try draft.update(Seat.self, seat) { $0.from = Ref(.init(train: "a", number: 3)) }
    }
    try store.refresh()
    #expect(commits.values.last?.line == "5 foreign ~Seat(\"b\", 2).from")
  }

  @Test func `P5: names with quotes`() throws {
    struct Odd: Entity {
      let id: Int
      var note: String
      static let entityName = "o'd\"d"
      static let attributes = Attributes(.id(\Odd.id), .attribute("n'o\"te", \.note))
      static let schema = Schema(attributes, Odd.init)
    }
    let path = temporaryPath()
    let store = try Store(.sqlite(path: path, watching: .none), entities: [Odd.self])
    let commits = Recorder(store.commits)
    try RawDatabase(path).rows("INSERT INTO \"o'd\"\"d\" (id, \"n'o\"\"te\") VALUES (1, 'x')")
    try RawDatabase(path).rows("UPDATE \"o'd\"\"d\" SET \"n'o\"\"te\" = 'y'")
    try store.refresh()
    #expect(commits.values.map(\.changedObjects.count) == [1])
    try RawDatabase(path).rows("REPLACE INTO \"o'd\"\"d\" VALUES (1, 'z')")
    try store.refresh()
    #expect(commits.values.last?.changes(of: Odd.self).updated.map(\.old.note) == ["y"])
  }

  @Test func `P5, F11: a value that an attribute can't have stops only its readers`() throws {
    let path = temporaryPath()
    let store = try Store(
      .sqlite(path: path, watching: .none), entities: [Cat.self, Car.self, Person.self])
    let commits = Recorder(store.commits)
    let raw = try RawDatabase(path)
    try raw.rows("INSERT INTO Cat VALUES (1, 'good')")
    try raw.rows("INSERT INTO Car (id, model) VALUES (1, 'a')")
    try store.refresh()
    try raw.rows("UPDATE Cat SET mood = 'odd'")
    try raw.rows("UPDATE Car SET model = 'b'")
    try store.refresh()
    #expect(throws: StoreError.self) { try store.find(Cat.self, 1) }
    try raw.rows("UPDATE Cat SET mood = 'bad'")
    try store.refresh()
    try raw.rows("UPDATE Cat SET mood = 'good'")
    try store.refresh()
    #expect(
      commits.values.map(\.line) == [
        "1...2 foreign +Car(1) +Cat(1)", "3...4 foreign unknown", "5 foreign unknown",
        "6 foreign ~Cat(1).mood",
      ])
  }
}
