import SQLiteLibrary
@_spi(Storage) import EntityStore
import FetchedObjects
import ListDiffing
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A store recognises a file with another history` {
  private let path = temporaryPath()
  private let copy = temporaryPath("copy")
  private let store: Store
  private let raw: RawDatabase
  private let byModel = Query<Car>().sorted { [$0.model.ascending] }

  init() throws {
    store = try openGarage(path)
    raw = try RawDatabase(path)
    for id in 1...3 { try store.commit { try $0.insert(Car(id: id, model: "m\(id)")) } }
    try raw.rows("VACUUM INTO '\(copy)'")
    for id in 4...6 { try store.commit { try $0.insert(Car(id: id, model: "m\(id)")) } }
  }

  /// What `.restore` of the shell does: it writes a copy's pages over those of the file.
  private func restore() throws {
    var (source, target): (OpaquePointer?, OpaquePointer?)
    defer {
      sqlite3_close_v2(source)
      sqlite3_close_v2(target)
    }
    try #require(sqlite3_open(copy, &source) == SQLITE_OK)
    try #require(sqlite3_open(path, &target) == SQLITE_OK)
    giveTestKey(to: source)
    giveTestKey(to: target)
    sqlite3_busy_timeout(target, 5000)
    let backup = try #require(sqlite3_backup_init(target, "main", source, "main"))
    try #require(sqlite3_backup_step(backup, -1) == SQLITE_DONE)
    try #require(sqlite3_backup_finish(backup) == SQLITE_OK)
  }

  @Test(arguments: [3, 5], [false, true])
  func `P5, F14: models publish the exact difference to a restored copy with new commits`(
    _ writes: Int, _ byCommit: Bool
  ) throws {
    let model = try ReplayedModel(byModel, in: store)
    let index = try ReplayedIndex(byModel, in: store)
    let fed = try FetchedObjectsModel(byModel, in: store)
    let car = try ObservedEntity<Car>(5, in: store)
    let first = fed.feed(after: nil)
    try restore()
    for id in 0..<writes {
      try raw.rows("INSERT INTO Car (id, model) VALUES (\(100 + id), 'r\(id)')")
    }
    if byCommit {
      try store.commit { draft in
        #expect(try draft.find(Car.self, 5) == nil)
        try draft.insert(Car(id: 7, model: "seven"))
      }
    } else {
      try store.refresh()
    }
    let isExact = try model.isExact()
    #expect(isExact)
    let isIndexExact = try index.isExact()
    #expect(isIndexExact)
    #expect(car.state == .deleted)
    #expect(try store.fetch(byModel).count == 3 + writes + (byCommit ? 1 : 0))
    #expect(fed.feed(after: first.cursor).cursor.sum == fed.feed(after: nil).cursor.sum)
    // It goes on.
    try store.commit { try $0.delete(Car.self, 1) }
    try raw.rows("DELETE FROM Car WHERE id = 100")
    try store.refresh()
    let isExactAtLast = try model.isExact()
    #expect(isExactAtLast)
  }

  @Test func `P5: a restored older copy with new commits is read, also if its number is known`()
    async throws
  {
    let store = try openGarage(path, watching: .every(.milliseconds(10)))
    let errors = Recorder(store.errors)
    let model = try FetchedObjectsModel(byModel, in: store)
    // So that the watching has seen the newest version.
    try raw.rows("INSERT INTO Car (id, model) VALUES (7, 'm7')")
    #expect(await becomesTrue { model.snapshot.count == 7 })
    try restore()
    #expect(await becomesTrue { !errors.values.isEmpty })
    for id in 100..<104 { try raw.rows("INSERT INTO Car (id, model) VALUES (\(id), 'r\(id)')") }
    #expect(
      await becomesTrue {
        model.snapshot.fetchedObjects.map(\.id) == [1, 2, 3, 100, 101, 102, 103]
      })
    withExtendedLifetime(errors) {}
  }

  @Test(.large)
  func `P5: a restored copy that can't be read at once is read later, without a call`()
    async throws
  {
    let storage = try SQLiteStorage(
      path: path, durability: .normal, watching: .every(.milliseconds(10)))
    try storage.limit(waiting: 20)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    let errors = Recorder(store.errors)
    let model = try FetchedObjectsModel(byModel, in: store)
    // So that the watching has seen the newest version.
    try raw.rows("INSERT INTO Car (id, model) VALUES (7, 'm7')")
    #expect(await becomesTrue { model.snapshot.count == 7 })
    try raw.rows("DELETE FROM Car WHERE id = 7")
    #expect(await becomesTrue { model.snapshot.count == 6 })
    let other = try RawDatabase(copy)
    for id in 100..<105 { try other.rows("INSERT INTO Car (id, model) VALUES (\(id), 'r\(id)')") }
    let newest = "SELECT MAX(version) FROM signalbox_log"
    let (there, here) = (try other.value(newest), try raw.value(newest))
    try #require(there == here)
    try restore()
    try raw.rows("BEGIN IMMEDIATE")
    #expect(await becomesTrue { !errors.values.isEmpty })
    try raw.rows("ROLLBACK")
    #expect(
      await becomesTrue {
        model.snapshot.fetchedObjects.map(\.id) == [1, 2, 3, 100, 101, 102, 103, 104]
      })
  }

  @Test func `P5: a copy that is behind is refused`() throws {
    try restore()
    try raw.rows("INSERT INTO Car (id, model) VALUES (100, 'r')")
    let error = #expect(throws: StoreError.self) { try store.refresh() }
    guard case .storage(let fault) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(fault.kind == .replaced)
  }

  @Test func `P5: no new model shows a copy that is behind`() throws {
    let shown = try FetchedObjectsModel(Query<Car>().filter { $0.id > 4 }, in: store)
    try restore()
    func expectReplaced(_ make: () throws -> Void) {
      do {
        try make()
        Issue.record("The copy is shown")
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .replaced && fault.message.contains("at version 3, and was at 6"))
      } catch { Issue.record(error) }
    }
    expectReplaced { _ = try FetchedObjectsModel(byModel, in: store) }
    expectReplaced { _ = try IndexedObjectsModel(byModel, in: store) }
    expectReplaced { _ = try ObservedEntity<Car>(1, in: store) }
    expectReplaced { _ = try ObservedValue(in: store) { try $0.count(Query<Car>()) } }
    expectReplaced { try shown.setQuery(byModel) }
    #expect(shown.fetchedObjects.map(\.id) == [5, 6])
    // Others have reached the version that the store knows.
    for id in 11...13 { try raw.rows("INSERT INTO Car (id, model) VALUES (\(id), 'r\(id)')") }
    try store.refresh()
    #expect(try FetchedObjectsModel(byModel, in: store).fetchedObjects.map(\.id).contains(13))
  }

  @Test func `P5: every version has a number of its own`() throws {
    try raw.rows("INSERT INTO Car (id, model) VALUES (100, 'r')")
    let tokens = try raw.rows("SELECT DISTINCT token FROM signalbox_log")
    #expect(tokens.count == 7)
  }

  @Test func `P5: a file of an older version of the library gets such numbers when it opens`()
    throws
  {
    let path = temporaryPath()
    do { try openGarage(path).fill() }
    let raw = try RawDatabase(path)
    try raw.rows("DROP TABLE signalbox_log")
    try raw.rows(
      "CREATE TABLE signalbox_log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB) STRICT")
    try raw.rows("INSERT INTO signalbox_log VALUES (7, x'00')")
    let store = try openGarage(path)
    #expect(try store.version == 7)
    try store.commit { try $0.delete(Person.self, "ann") }
    try raw.rows("INSERT INTO Car (id, model) VALUES (100, 'r')")
    try store.refresh()
    #expect(try raw.value("SELECT count(DISTINCT token) FROM signalbox_log") == "3")
    #expect(try store.version == 9)
  }

  @Test func `P5: rows that another program's unique index replaces are published`() throws {
    let model = try ReplayedModel(byModel, in: store)
    try raw.rows("CREATE UNIQUE INDEX other ON Car (model, owner, tower)")
    try raw.rows("CREATE UNIQUE INDEX another ON Car (tower)")
    try raw.rows("UPDATE Car SET tower = 1 WHERE id = 2")
    try store.refresh()
    for id in 11...13 {
      // It deletes the row before it, which no trigger sees.
      try raw.rows("INSERT OR REPLACE INTO Car (id, model, tower) VALUES (\(id), 'n\(id)', 1)")
      try store.refresh()
      let isExact = try model.isExact()
      #expect(isExact)
    }
    try raw.rows("INSERT OR REPLACE INTO Car (id, model, tower) VALUES (14, 'n14', 1)")
    try raw.rows("DROP INDEX another")
    try store.refresh()
    let isExact = try model.isExact()
    #expect(isExact)
    #expect(try store.find(Car.self, 13) == nil)
  }
}
