@_spi(Storage) import EntityStore
import FetchedObjects
import Foundation
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

@Suite struct `Deleted data can be erased from a file` {
  private let path = temporaryPath()
  private let secret = "TOPSECRET-4711"

  /// The ends of the names of files beside a path that have a text in them.
  private func files(beside path: String, with text: String) throws -> [String] {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(url.lastPathComponent) }
      .filter {
        try Data(contentsOf: folder.appendingPathComponent($0)).range(of: Data(text.utf8)) != nil
      }
      .map { String($0.dropFirst(url.lastPathComponent.count)) }
  }

  /// A deleted value, one that was overwritten, and one that has come back to its place.
  private func fill(_ store: Store) throws {
    try store.commit { draft in
      for number in 1...200 {
        try draft.insert(Person(id: "p\(number)", name: "\(secret) \(number)", photo: [1, 2, 3]))
      }
      try draft.insert(Car(id: 1, model: secret, owner: Ref("p1")))
    }
    try store.commit { draft in
      try draft.update(Car.self, 1) { ($0.model, $0.owner) = ("harmless", nil) }
      for number in 1...199 { try draft.delete(Person.self, "p\(number)") }
      try draft.update(Person.self, "p200") { $0.name = "harmless" }
    }
  }

  @Test(.plainFile) func `P3: neither the file nor its log nor a backup has it then`() throws {
    let copy = temporaryPath("copy")
    do {
      let store = try openGarage(path)
      try fill(store)
      #expect(try !files(beside: path, with: secret).isEmpty)
      try store.backUp(to: copy)
      #expect(try !files(beside: copy, with: secret).isEmpty)
      try store.eraseDeleted()
      #expect(try files(beside: path, with: secret) == [])
      try store.backUp(to: copy, replacingFile: true)
      #expect(try files(beside: copy, with: secret) == [])
      #expect(try store.version == 2)
      try store.commit { try $0.insert(Car(id: 2, model: "new")) }
    }
    #expect(try files(beside: path, with: secret) == [])
    let store = try openGarage(path)
    #expect(
      try store.fetch(Query<Car>().sorted { [$0.id.ascending] }).map(\.model) == [
        "harmless", "new",
      ])
    #expect(try store.fetch(Query<Person>()).map(\.name) == ["harmless"])
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P5: other stores' models publish the exact difference, and those here nothing`()
    throws
  {
    let here = try openGarage(path)
    let there = try openGarage(path)
    try fill(here)
    let query = Query<Person>().sorted { [$0.name.ascending] }
    try there.refresh()
    let model = try ReplayedModel(query, in: there)
    let index = try ReplayedIndex(query, in: there)
    let own = try FetchedObjectsModel(query, in: here)
    let events = Recorder(own.didChange)
    let commits = Recorder(here.commits)
    try here.eraseDeleted()
    #expect(events.values.isEmpty && commits.values.isEmpty)
    try there.refresh()
    for number in 1...3 {
      try here.commit { try $0.insert(Person(id: "n\(number)", name: "n\(number)")) }
    }
    try here.eraseDeleted()
    try there.refresh()
    let (isExact, isIndexExact) = (try model.isExact(), try index.isExact())
    #expect(isExact && isIndexExact)
    try there.commit { try $0.delete(Person.self, "n2") }
    let (isExactAtLast, isIndexExactAtLast) = (try model.isExact(), try index.isExact())
    #expect(isExactAtLast && isIndexExactAtLast)
  }

  @Test func `P3: a reader that stays prevents it, with an error that says so`() throws {
    let store = try Store(
      .custom {
        let storage = try SQLiteStorage(path: path, watching: .none)
        try storage.limit(waiting: 20)
        return storage
      }, entities: [Person.self, Car.self])
    try fill(store)
    let raw = try RawDatabase(path)
    try raw.rows("BEGIN")
    try raw.rows("SELECT * FROM Car")
    let error = #expect(throws: StoreError.self) { try store.eraseDeleted() }
    guard case .storage(let fault) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(fault.kind == .busy)
    #expect(fault.message.contains("end long reads"))
    try raw.rows("COMMIT")
    try store.eraseDeleted()
    #expect(try files(beside: path, with: secret) == [])
    #expect(try store.count(Query<Person>()) == 1)
  }

  /// Erases while another store commits, once, before the file is rewritten.
  ///
  /// - Returns: the versions whose marks have changed, and the number of commits.
  private func erase(waiting milliseconds: Int) throws -> (notes: [Int64], commits: Int) {
    let other = try openGarage(path)
    try other.commit { try $0.insert(Person(id: "p", name: secret)) }
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    _ = try storage.open([Person.schema.entity, Car.schema.entity])
    try storage.limit(waiting: milliseconds)
    var (notes, commits) = ([Int64](), 0)
    func overtake() {
      do {
        try other.commit { try $0.update(Person.self, "p") { $0.name = "x" } }
        commits += 1
      } catch { Issue.record(error) }
    }
    try storage.eraseDeleted(overtake) { version, old, new in
      notes.append(version)
      #expect(old != nil && old?.token == new?.token)
    }
    return (notes, commits)
  }

  @Test func `P3, P5: what another program overwrites meanwhile is erased, too`() throws {
    let (notes, commits) = try erase(waiting: 60_000)
    #expect(notes == [1, 2] && commits == 1)
    #expect(try files(beside: path, with: secret) == [])
    #expect(try openGarage(path).find(Person.self, "p")?.name == "x")
  }

  @Test func `P3, P5: with no time to wait, it is busy if another program commits meanwhile`()
    throws
  {
    try fault(.busy, naming: [path, "call it again"]) { _ = try erase(waiting: 0) }
    try openGarage(path).eraseDeleted()
    #expect(try files(beside: path, with: secret) == [])
  }

  @Test func `P5: if a file that was rewritten is busy then, its version's mark is known`() throws {
    try openGarage(path).commit { try $0.insert(Car(id: 1, model: "1")) }
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    _ = try storage.open([Person.schema.entity, Car.schema.entity])
    try storage.limit(waiting: 20)
    let raw = try RawDatabase(path)
    var marks: [StorageMark?] = []
    try fault(.busy) {
      try storage.eraseDeleted({}) { _, _, new in
        if marks.isEmpty {
          do { try raw.rows("BEGIN IMMEDIATE") } catch { Issue.record(error) }
        }
        marks.append(new)
      }
    }
    try raw.rows("ROLLBACK")
    let mark = try storage.read { try ($0 as? SQLiteReader)?.mark(of: 1) }
    #expect(mark != nil && marks == [mark])
  }

  @Test func `P5: if a store is suspended before its file is rewritten, its mark is known`()
    throws
  {
    let file = TomeFile()
    try file.open(Tome.self).commit { try $0.insert(Tome(id: 1, title: "tea")) }
    let storage = try SQLiteStorage(path: file.path, durability: .normal, watching: .none)
    _ = try storage.open([Tome.schema.entity])
    var marks: [StorageMark?] = []
    // The index of words has been made again by then.
    try fault(.suspended) {
      try storage.eraseDeleted({ _ = storage.gate.close(within: .zero) }) { marks.append($2) }
    }
    _ = storage.gate.open()
    let mark = try storage.read { try ($0 as? SQLiteReader)?.mark(of: 1) }
    #expect(mark != nil && marks == [mark])
  }

  @Test func `P3: with overwritesDeleted free pages have nothing once the log has moved on`() throws
  {
    do {
      let storage = try SQLiteStorage(
        path: path, durability: .normal, watching: .none, overwritesDeleted: true,
        log: ChangeLog.Limits(rows: 8))
      let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
      try fill(store)
      #expect(try RawDatabase(path).value("SELECT count(*) FROM signalbox_log") == "2")
      // What pushes old rows out of the log.
      for id in 2...300 {
        try store.commit { try $0.upsert(Car(id: id % 3 + 2, model: "m\(id)")) }
      }
    }
    #expect(try files(beside: path, with: secret) == [])
  }

  @Test func `P3: a store in memory has nothing to erase`() throws {
    let store = try Store(.inMemory, entities: [Person.self, Car.self])
    try fill(store)
    try store.eraseDeleted()
    #expect(try store.version == 2)
  }

  @Test func `P3: samples that a tool's ANALYZE has kept go, and the plans stay`() throws {
    let store = try openGarage(path)
    try fill(store)
    let file = try RawDatabase(path)
    try file.rows("ANALYZE")
    if try file.value("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4'") == nil {
      // This SQLite keeps none; another one may have.
      try file.rows("PRAGMA writable_schema = ON")
      try file.rows("CREATE TABLE sqlite_stat4 (tbl, idx, neq, nlt, ndlt, sample)")
      try file.rows("PRAGMA writable_schema = OFF")
    }
    try file.rows(
      "INSERT INTO sqlite_stat4 VALUES ('Car', 'x', '1', '0', '0', CAST('\(secret)' AS BLOB))")
    let plans = try file.rows("SELECT * FROM sqlite_stat1")
    try store.eraseDeleted()
    #expect(try files(beside: path, with: secret) == [])
    #expect(try file.rows("SELECT * FROM sqlite_stat4") == [])
    #expect(try file.rows("SELECT * FROM sqlite_stat1") == plans)
  }

  @Test(arguments: ["sqlite_stat2", "sqlite_stat3"])
  func `P3: samples that an ANALYZE of an earlier SQLite has kept go, too`(_ table: String) throws {
    let store = try openGarage(path)
    try fill(store)
    let file = try RawDatabase(path)
    try file.rows("PRAGMA writable_schema = ON")
    try file.rows("CREATE TABLE \(table) (tbl, idx, sampleno, sample)")
    try file.rows("PRAGMA writable_schema = OFF")
    try file.rows("INSERT INTO \(table) VALUES ('Car', 'x', 1, '\(secret)')")
    try store.eraseDeleted()
    #expect(try files(beside: path, with: secret) == [])
    #expect(try file.rows("SELECT * FROM \(table)") == [])
  }

  @Test func `S4: the highest id stays, so that it isn't given again`() throws {
    let store = try openGarage(path)
    try store.commit { try $0.insert(Car(id: 4711, model: "gone")) }
    try store.commit { try $0.delete(Car.self, 4711) }
    try store.eraseDeleted()
    #expect(
      try RawDatabase(path).value("SELECT value FROM signalbox_metadata WHERE name = 'lastID car'")
        == "4711")
    try store.commit { draft in
      let id = try draft.nextID(Car.self)
      #expect(id == 4712)
    }
  }
}
