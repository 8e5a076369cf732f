@_spi(Storage) import EntityStore
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Reads of a file have their own connections` {
  private struct Failure: Error {}

  private let path = temporaryPath("pool")
  private let storage: SQLiteStorage
  private let store: Store

  init() throws {
    // Unwatched: what the watching reads for a moment is a reader, too.
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    self.storage = storage
    store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { try $0.insert(Car(id: 1, model: "a")) }
  }

  /// How many reads are open at once, one in another, and what each sees.
  private func nested(_ depth: Int) throws -> [Int64] {
    if depth == 0 { return [] }
    return try store.read { reader in
      let version = reader.version
      try store.commit { try $0.update(Car.self, 1) { $0.model = "\(depth)" } }
      let inner = try nested(depth - 1)
      let (again, model) = (reader.version, try reader.find(Car.self, 1)?.model)
      #expect(again == version)
      #expect(model != "\(depth)")
      return [version] + inner
    }
  }

  @Test func `S5: twenty reads at once don't wait, each at its version, and few are kept`()
    throws
  {
    #expect(try nested(20) == (1...20).map { Int64($0) })
    #expect(storage.idleConnectionCount == SQLiteStorage.mostIdle)
    #expect(try store.find(Car.self, 1)?.model == "1")
    #expect(storage.idleConnectionCount == SQLiteStorage.mostIdle)
  }

  /// Whether somebody reads an old version: then the log can't be taken into the file.
  private func isRead() throws -> Bool {
    try store.commit { try $0.update(Car.self, 1) { $0.model += "!" } }
    let other = try RawDatabase(path)
    try other.rows("PRAGMA busy_timeout = 0")
    return try other.value("PRAGMA wal_checkpoint(TRUNCATE)") != "0"
  }

  @Test func `no read transaction outlives a call, whichever way it ends`() throws {
    let wasRead = try store.read { reader in
      _ = try reader.find(Car.self, 1)
      return try isRead()
    }
    #expect(wasRead)
    #expect(try !isRead())
    _ = try store.find(Car.self, 1)
    #expect(try !isRead())
    _ = try store.find(Car.self, 2)
    #expect(try !isRead())
    _ = try store.fetch(Query<Car>().limit(1))
    #expect(try !isRead())
    #expect(throws: Failure.self) {
      try store.read { reader in
        _ = try reader.fetch(Query<Car>())
        throw Failure()
      }
    }
    #expect(try !isRead())
    // A row that can't be read, and then one that can.
    try RawDatabase(path).rows("INSERT INTO Car (id, model) VALUES (3, 'c')")
    try store.commit { try $0.insert(Person(id: "p", name: "p")) }
    #expect(try store.find(Car.self, 3)?.model == "c")
    #expect(try !isRead())
    #expect(storage.idleConnectionCount > 0)
  }
}
