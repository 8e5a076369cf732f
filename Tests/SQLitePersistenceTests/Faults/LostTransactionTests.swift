import SQLiteLibrary
@_spi(Storage) import EntityStore
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

/// SQLite undoes a whole transaction where a read fails, and says so with that error alone.
@Suite struct `After a hidden fault, the rest of the body is refused` {
  private let path = temporaryPath()
  private let disk = FaultyDisk()

  /// So many that they aren't all in memory when a store has been opened.
  private func fill() throws {
    try openGarage(path).commit { draft in
      for id in 0..<3000 {
        try draft.insert(Person(id: "\(id)", name: String(repeating: "x", count: 100) + "\(id)"))
      }
      for id in 0..<3000 { try draft.insert(Car(id: id, model: "\(id)")) }
    }
  }

  private func expectFault(_ body: () throws -> Void) {
    do {
      try body()
      Issue.record("It goes on")
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .inputOutput, "\(fault)")
    } catch { Issue.record("\(error)") }
  }

  @Test func `S5: after a hidden fault the other reads of its body are refused`() throws {
    try fill()
    let store = try Store(
      .custom { try disk.storage(path, .normal) }, entities: [Person.self, Car.self])
    let other = try openGarage(path, watching: .none)
    expectFault {
      try store.read { reading in
        disk.fail(.read, .main, with: SQLITE_IOERR | (1 << 8))
        #expect(throws: StoreError.self) { try reading.fetch(Query<Person>()) }
        #expect(disk.failures == 1)
        disk.heal()
        try other.commit { try $0.insert(Car(id: 3000, model: "new")) }
        #expect(throws: StoreError.self) { try reading.find(Car.self, 3000) }
        #expect(throws: StoreError.self) { try reading.count(Query<Car>()) }
        _ = try reading.fetch(Query<Car>())
      }
    }
    #expect(try store.count(Query<Car>()) == 3001)
  }

  enum Search: CaseIterable {
    case fetch, rows, each, count, plan, numbers

    /// Makes a read that first looks for an index of words.
    func run(_ plan: FetchPlan, _ reader: any StorageReader) throws {
      switch self {
      case .fetch: _ = try reader.fetch(plan)
      case .rows: _ = try reader.rows(plan)
      case .each: _ = try reader.forEachRow(plan) { _ in }
      case .count: _ = try reader.count(plan.entity, where: plan.filter)
      case .plan: _ = try reader.explain(plan)
      case .numbers: try reader.rowNumberReader?.forEachRowNumber(plan) { _, _ in }
      }
    }
  }

  @Test(arguments: Search.allCases)
  func `S5: a fault of the look for an index of words ends the search`(_ search: Search) throws {
    let query = Query<Tome>().matching("tea")
    do {
      let store = try Store(
        .sqlite(path: path, durability: .normal, watching: .none), entities: [Tome.self])
      try store.commit { try $0.insert(Tome(id: 1, title: "tea", text: nil)) }
    }
    let storage = try disk.storage(path, .normal)
    let store = try Store(.custom { storage }, entities: [Tome.self])
    let other = try RawDatabase(path)
    expectFault {
      try storage.read { reader in
        // The state of the index isn't in the memory of this read's connection yet.
        disk.fail(.read, with: SQLITE_IOERR | (1 << 8))
        defer { disk.heal() }
        // What is read from here on would be another version.
        try other.rows("INSERT INTO Tome (id, title) VALUES (2, 'tea')")
        try search.run(FetchPlan(query.description), reader)
      }
    }
    #expect(try store.count(query) == 2)
  }

  @Test(.plainFile)
  func `S5: after a damaged page the rest is read, by a connection that isn't used again`() throws {
    try fill()
    try damage("Person", path)
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    #expect(try store.count(Query<Car>()) == 3000)
    #expect(storage.idleConnectionCount == 1)
    try store.read { reading in
      #expect(throws: StoreError.self) { try reading.fetch(Query<Person>()) }
      let count = try reading.count(Query<Car>())
      #expect(count == 3000)
    }
    #expect(storage.idleConnectionCount == 0)
    #expect(try store.count(Query<Car>()) == 3000)
    #expect(storage.idleConnectionCount == 1)
  }

  private func open(_ migration: Migration) throws -> Store {
    try Store(
      .custom {
        try SQLiteStorage(
          path: path, durability: .normal, watching: .none, log: .init(), vfs: disk.name,
          migrations: [migration])
      }, entities: [Person.self, Car.self])
  }

  @Test func `P4: after a hidden fault the next steps of a migration are refused`() throws {
    try fill()
    let migration = Migration("drop") { [disk] context in
      disk.fail(.read, .main, with: SQLITE_IOERR | (1 << 8))
      #expect(throws: StoreError.self) { try context.rows(of: "Person") }
      #expect(disk.failures == 1)
      disk.heal()
      #expect(throws: StoreError.self) { try context.attributes(of: "Car") }
      #expect(throws: StoreError.self) {
        try context.insert(["id": .integer(3001), "model": .text("z")], into: "Car")
      }
      try? context.dropEntity("Car")
    }
    expectFault { _ = try open(migration) }
    let file = try RawDatabase(path)
    #expect(try file.value("SELECT count(*) FROM Car") == "3000")
    #expect(try file.value("SELECT count(*) FROM signalbox_migrations") == "0")
    // It runs again, and does its work.
    let again = try open(
      Migration("drop") { try $0.delete(from: "Car") { $0["id"] == .integer(7) } })
    #expect(try again.count(Query<Car>()) == 2999)
  }

  @Test func `P4: after a hidden fault of another program's index no column is renamed`() throws {
    // So many bytes that they aren't all in memory when they have been rewritten.
    try openGarage(path).commit { draft in
      for id in 0..<3000 {
        try draft.insert(
          Person(id: "\(id)", name: "\(id)", photo: [UInt8](repeating: 1, count: 2000)))
      }
    }
    try RawDatabase(path).rows("CREATE INDEX mine ON Person(height)")
    for place in [1, 8, 64] {
      let migration = Migration("rename") { [disk] context in
        try context.rewrite("Person") { $0 }
        // The index is put back before the column is renamed, and reads all rows.
        disk.fail(.read, .log, at: place, with: SQLITE_IOERR | (1 << 8))
        try context.rename("name", to: "title", in: "Person")
      }
      expectFault { _ = try open(migration) }
      expectEqual(disk.failures, 1, "at \(place)")
      disk.heal()
      let columns = "SELECT count(*) FROM pragma_table_info('Person') WHERE name = 'name'"
      expectEqual(try RawDatabase(path).value(columns), "1", "at \(place)")
    }
  }

  @Test func `P3: a migration for whose end there is no room leaves no copy beside the file`()
    throws
  {
    try openGarage(path).fill()
    let migration = Migration("delete") { [disk, path] context in
      try context.delete(from: "Car") { $0["model"] == .text("") }
      #expect(hasCopy(path))
      disk.fail(.write, .log, with: SQLITE_FULL)
    }
    try fault(.full) { _ = try open(migration) }
    #expect(disk.failures == 1)
    disk.heal()
    #expect(!hasCopy(path))
    #expect(try RawDatabase(path).value("SELECT count(*) FROM Car") == "2")
  }

  @Test(arguments: [false, true])
  func `P4: after a hidden fault a rewriting is refused`(_ deletes: Bool) throws {
    try fill()
    let migration = Migration("rewrite") { [disk] context in
      var isFirst = true
      try context.rewrite("Car") { car in
        if isFirst {
          isFirst = false
          disk.fail(.read, .main, with: SQLITE_IOERR | (1 << 8))
          #expect(throws: StoreError.self) { try context.rows(of: "Person") }
          #expect(disk.failures == 1)
          disk.heal()
        }
        return deletes ? nil : car
      }
    }
    expectFault { _ = try open(migration) }
    let file = try RawDatabase(path)
    #expect(try file.value("SELECT count(*) FROM Car") == "3000")
    #expect(try file.value("SELECT count(*) FROM signalbox_migrations") == "0")
  }
}
