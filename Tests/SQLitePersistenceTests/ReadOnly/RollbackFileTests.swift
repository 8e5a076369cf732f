import EntityStore
import FetchedObjects
import Relays
import SQLitePersistence
import TestSupport
import Testing

/// Opens a garage to write, and waits for nobody.
private func openAtOnce(_ path: String) throws -> Store {
  try Store(
    .sqlite(path: path, durability: .normal, watching: .none, busyTimeout: .zero),
    entities: [Person.self, Car.self])
}

/// Files that have a journal and no WAL, as `VACUUM INTO` and the shell make them.
@Suite(.timeLimit(.minutes(20))) struct RollbackFileTests {
  private func makeRollbackFile() async throws -> String {
    let path = try pathInOwnFolder()
    let store = try openGarage(path)
    try store.commit { try $0.insert(contentsOf: (1...3).map(numberedCar)) }
    await store.close()
    #expect(try RawDatabase(path).value("PRAGMA journal_mode = DELETE") == "delete")
    return path
  }

  @Test func `P9: reading one changes nothing in its folder`() async throws {
    let path = try await makeRollbackFile()
    let before = try FolderState(enclosingFolder(of: path))
    let ids = try await readInEachWay(path)
    #expect(ids == [1, 2, 3])
    #expect(try FolderState(enclosingFolder(of: path)) == before)
  }

  @Test func `P9: a store that has read one keeps nobody from opening it to write`() async throws {
    let path = try await makeRollbackFile()
    // Nobody has the file when it reads, so it waits for nobody.
    let store = try readGarage(path, busyTimeout: .zero)
    #expect(try store.count(Query<Car>()) == 3)
    let copy = temporaryPath("copy")
    try store.backUp(to: copy)
    #expect(try openGarage(copy).count(Query<Car>()) == 3)
    // The first one comes and goes while nobody reads.
    let first = try openAtOnce(path)
    try first.commit { try $0.insert(numberedCar(4)) }
    await first.close()
    #expect(!fileExists(path + "-wal"))
    #expect(try store.count(Query<Car>()) == 4)
    let second = try openAtOnce(path)
    try second.commit { try $0.insert(numberedCar(5)) }
    #expect(try store.count(Query<Car>()) == 5)
  }

  @Test func `P5, P9: a store that watches one keeps nobody from opening it to write`()
    async throws
  {
    let path = try await makeRollbackFile()
    let store = try readGarage(path, watching: .automatic)
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let events = Recorder(model.didChange)
    // It waits, because the watching may read at this moment.
    let writer = try openGarage(path)
    try writer.commit { try $0.insert(numberedCar(4)) }
    #expect(await becomesTrue { model.fetchedObjects.count == 4 && events.values.count == 1 })
  }

  @Test func `P5, P9: a tool writes to one beside a store that has read it`() async throws {
    let path = try await makeRollbackFile()
    let store = try readGarage(path)
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let raw = try RawDatabase(path)
    try raw.rows("PRAGMA busy_timeout = 0")
    for id in 4...5 {
      try raw.rows("INSERT INTO Car (id, model) VALUES (\(id), 'm\(id)')")
      try store.refresh()
      #expect(model.fetchedObjects.map(\.id) == Array(1...id))
    }
    #expect(!fileExists(path + "-wal"))
  }

  @Test func `P3, P9: a read of one sees one version, and keeps it from getting a WAL`()
    async throws
  {
    let path = try await makeRollbackFile()
    let store = try readGarage(path)
    try store.read { reader in
      let before = try reader.fetch(Query<Car>()).map(\.id)
      do {
        _ = try openAtOnce(path)
        recordIssue("The file gets a WAL while it is read")
      } catch StoreError.storage(let fault) {
        expectEqual(fault.kind, .busy)
        expectTrue(fault.message.contains("end long reads"), "\(fault)")
      }
      let after = try reader.fetch(Query<Car>()).map(\.id)
      expectEqual(after, before)
    }
    let writer = try openAtOnce(path)
    try writer.commit { try $0.insert(numberedCar(4)) }
    #expect(try store.count(Query<Car>()) == 4)
  }
}
