@_spi(Storage) import EntityStore
import FetchedObjects
import ListDiffing
import Relays
import SQLMapping
@_spi(Storage) @testable import SQLitePersistence
import TestSupport
import Testing

@Suite struct `The change log of a file has what other processes need` {
  private let path = temporaryPath()

  private func open(_ limits: ChangeLog.Limits) throws -> Store {
    let path = path
    return try Store(
      .custom {
        try SQLiteStorage(path: path, durability: .normal, watching: .none, log: limits)
      }, entities: [Person.self, Car.self])
  }

  private func log(_ file: RawDatabase) throws -> [Int] {
    try file.rows("SELECT version FROM signalbox_log ORDER BY version").map {
      Int($0[0] ?? "") ?? 0
    }
  }

  @Test func `P5: a store behind the pruned part learns that more has changed`() throws {
    let here = try openGarage(path, watching: .none)
    let there = try openGarage(path, watching: .none)
    let commits = Recorder(here.commits)
    for id in 1...5 { try there.commit { try $0.insert(Car(id: id, model: "\(id)")) } }
    let raw = try RawDatabase(path)
    try raw.rows("DELETE FROM signalbox_log WHERE version < 3")
    try here.refresh()
    try there.commit { try $0.delete(Car.self, 1) }
    try here.refresh()
    // A row in the middle is missing, which nobody makes.
    for id in 6...8 { try there.commit { try $0.insert(Car(id: id, model: "\(id)")) } }
    try raw.rows("DELETE FROM signalbox_log WHERE version = 8")
    try here.commit { try $0.delete(Car.self, 2) }
    #expect(
      commits.values.map(\.line) == [
        "1...5 foreign unknown", "6 foreign -Car(1)", "7...9 foreign unknown", "10 -Car(2)",
      ])
  }

  @Test(.oneThread)
  func `P5: more rows of a tool than are read at once make the results read again`() throws {
    let here = try openGarage(path, watching: .none)
    let commits = Recorder(here.commits)
    let rows = Int(ChangeLogObjects.mostRowsRead)
    let raw = try RawDatabase(path)
    func insert(_ range: Range<Int>) throws {
      try raw.rows(
        """
        WITH RECURSIVE number(id) AS (
          SELECT \(range.lowerBound) UNION ALL SELECT id + 1 FROM number
          WHERE id < \(range.upperBound - 1))
        INSERT INTO Car (id, model) SELECT id, 'm' || id FROM number
        """)
    }
    let model = try FetchedObjectsModel(Query<Car>().limit(3), in: here)
    let events = Recorder(model.didChange)
    try insert(0..<rows)
    try here.refresh()
    #expect(commits.values.map(\.isComplete) == [true])
    #expect(commits.values.map { $0.changedObjects.count } == [rows])
    try insert(rows..<2 * rows + 1)
    try raw.rows("DELETE FROM Car WHERE id = 1")
    // The triggers have deleted what nobody would read.
    #expect(try log(raw).count == rows + 1)
    try here.refresh()
    #expect(commits.values.map(\.isComplete) == [true, false])
    #expect(model.fetchedObjects.map(\.id) == [0, 2, 3])
    #expect(model.snapshot.totalCount == 2 * rows)
    #expect(
      events.values.last?.changes
        == ListChanges(
          deletes: [ListPath(section: 0, row: 1)], inserts: [ListPath(section: 0, row: 2)]))
  }

  @Test func `P5: a commit that would make too long a row says only that it was`() throws {
    let there = try open(ChangeLog.Limits(row: 1_000))
    let here = try openGarage(path, watching: .none)
    let commits = Recorder(here.commits)
    try there.commit { draft in
      for id in 1...200 { try draft.insert(Car(id: id, model: "\(id)")) }
    }
    try here.refresh()
    try there.commit { try $0.deleteAll(Car.self) }
    try here.refresh()
    try there.commit { try $0.insert(Car(id: 1, model: "a")) }
    try here.refresh()
    #expect(commits.values.map(\.isComplete) == [true, false, true])
    #expect(commits.values.map { $0.changedObjects.count } == [200, 0, 1])
    let raw = try RawDatabase(path)
    #expect(try raw.value("SELECT max(length(changes)) < 1000 FROM signalbox_log") == "1")
  }

  @Test func `P5: many bytes go before many rows do, and the last row never`() throws {
    let store = try open(ChangeLog.Limits(rows: 50, bytes: 100_000, row: 1_000_000))
    let file = try RawDatabase(path)
    for number in 1...700 { try store.commit { try $0.upsert(Person(id: "a", name: "\(number)")) } }
    #expect(try log(file).count <= 50 + 256)
    #expect(try log(file).last == 700)
    for number in 1...20 {
      try store.commit {
        let photo = [UInt8](repeating: UInt8(number), count: 30_000)
        try $0.upsert(Person(id: "a", name: "a", photo: photo))
      }
      let sum = try #require(try file.value("SELECT sum(length(changes)) FROM signalbox_log"))
      let bytes = try #require(Int(sum))
      // An eighth over the limit, and the last row.
      #expect(bytes < 142_600)
    }
    try store.commit { draft in
      try draft.upsert(Person(id: "a", name: "a", photo: Array(repeating: 1, count: 500_000)))
    }
    try store.commit { try $0.delete(Person.self, "a") }
    #expect(try log(file) == [722])
    #expect(try openGarage(path).version == 722)
  }

  @Test func `P5: a row without old values is as short as what changed`() throws {
    let store = try openGarage(path, watching: .none)
    let photo = [UInt8](repeating: 1, count: 50_000)
    try store.commit { try $0.insert(Person(id: "a", name: "a", photo: photo)) }
    try store.commit { try $0.update(Person.self, "a") { $0.height = 1 } }
    let lengths = try RawDatabase(path).rows("SELECT length(changes) FROM signalbox_log")
    #expect(lengths.compactMap { $0[0].flatMap { Int($0) } }.allSatisfy { $0 < 40 })
  }

  @Test func `P5: a file of format 1 is made one of format 2 when it is opened`() throws {
    try openGarage(path).commit { try $0.insert(Car(id: 1, model: "a")) }
    let raw = try RawDatabase(path)
    for trigger in try raw.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      try raw.rows("DROP TRIGGER '\(trigger[0] ?? "")'")
    }
    try raw.rows("UPDATE signalbox_log SET changes = NULL")
    try raw.rows("UPDATE signalbox_metadata SET value = 1 WHERE name = 'format'")
    let store = try openGarage(path, watching: .none)
    let commits = Recorder(store.commits)
    #expect(try raw.value("SELECT value FROM signalbox_metadata WHERE name = 'format'") == "2")
    #expect(try store.version == 1)
    try raw.rows("UPDATE Car SET model = 'b'")
    try store.refresh()
    #expect(commits.values.map(\.line) == ["2 foreign ~Car(1).model"])
  }

  @Test func `P5: triggers are made once, and again if they aren't as they should be`() throws {
    _ = try openGarage(path)
    let raw = try RawDatabase(path)
    let schema = try raw.value("PRAGMA schema_version")
    _ = try openGarage(path)
    #expect(try raw.value("PRAGMA schema_version") == schema)
    let wanted = try raw.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY 1")
    #expect(wanted.count == 7)
    let name = "signalbox_trigger before delete on \"\"Car\"\""
    try raw.rows("DROP TRIGGER \"\(name)\"")
    try raw.rows("CREATE TRIGGER \"\(name)\" BEFORE DELETE ON Car BEGIN SELECT 1; END")
    try raw.rows("CREATE TRIGGER theirs AFTER DELETE ON Car BEGIN SELECT 1; END")
    _ = try openGarage(path)
    let found = try raw.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name <> 'theirs' ORDER BY 1")
    #expect(found == wanted)
    #expect(try raw.value("SELECT count(*) FROM sqlite_master WHERE name = 'theirs'") == "1")
  }

  @Test func `P5: our own connections run no triggers`() throws {
    let store = try openGarage(path)
    for number in 1...3 { try store.commit { try $0.insert(Car(id: number, model: "\(number)")) } }
    try store.commit { try $0.deleteAll(Car.self) }
    #expect(try log(RawDatabase(path)) == [1, 2, 3, 4])
  }

  @Test func `P5: two processes whose schemas have another order read each other's rows`() throws {
    struct Turned: Entity {
      var tower: Ref<Turned>?
      var model: String
      let id: Int
      var driver: Ref<Person>?
      var owner: Ref<Person>?
      static let entityName = "Car"
      static let attributes = Attributes(
        .one("tower", \.tower, lateBound: true), .attribute("model", \.model),
        .id(\Turned.id), .one("driver", \.driver), .one("owner", \.owner))
      static let schema = Schema(
        attributes, Turned.init, rules: [.unique(\.model), .index(\.model, \.owner)])
    }
    let here = try openGarage(path, watching: .none)
    let there = try Store(
      .sqlite(path: path, durability: .normal, watching: .none),
      entities: [Turned.self, Person.self])
    let commits = Recorder(here.commits)
    let others = Recorder(there.commits)
    try there.commit { try $0.insert(Turned(model: "a", id: 1)) }
    try here.commit { try $0.update(Car.self, 1) { $0.tower = Ref(5) } }
    try there.commit { try $0.update(Turned.self, 1) { $0.model = "b" } }
    try RawDatabase(path).rows("UPDATE Car SET model = 'c'")
    try here.commit { try $0.delete(Car.self, 1) }
    try there.refresh()
    #expect(
      commits.values.map(\.line) == [
        "1 foreign +Car(1)", "2 ~Car(1).tower", "3...4 foreign ~Car(1).model", "5 -Car(1)",
      ])
    #expect(
      others.values.map(\.line) == [
        "1 +Car(1)", "2 foreign ~Car(1).tower", "3 ~Car(1).model", "4...5 foreign -Car(1)",
      ])
    #expect(others.values.last?.changes(of: Turned.self).deleted.first?.model == "b")
  }
}
