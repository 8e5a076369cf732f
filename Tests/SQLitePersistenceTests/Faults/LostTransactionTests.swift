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
