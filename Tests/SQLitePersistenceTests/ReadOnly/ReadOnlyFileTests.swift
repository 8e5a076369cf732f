import EntityStore
import FetchedObjects
import Foundation
import SQLitePersistence
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ReadOnlyFileTests {
  /// Reads the file in another process, and says which files differ afterwards.
  private func filesChangedByReading(
    _ path: String, _ ids: [Int], user: UInt32 = getuid()
  ) async throws -> [String] {
    let before = try FolderState(enclosingFolder(of: path))
    await #expect(processExitsWith: .success) {
      [path = path as String, ids = ids as [Int], user = user as UInt32] in
      if user != getuid() { precondition(setuid(user) == 0) }
      let found = try await readInEachWay(path)
      precondition(found == ids)
    }
    return try FolderState(enclosingFolder(of: path)).differences(from: before)
  }

  private func makeClosed(_ path: String, count: Int = 3) async throws {
    let store = try openGarage(path)
    try store.commit { try $0.insert(contentsOf: (1...count).map(numberedCar)) }
    await store.close()
  }

  @Test(arguments: ["store.sqlite", "100% of #1? é&x=y.sqlite"])
  func `P9: reading a closed file changes nothing in its folder`(_ name: String) async throws {
    let path = try pathInOwnFolder(name)
    try await makeClosed(path)
    #expect(try FolderState(enclosingFolder(of: path)).names == [name])
    #expect(try await filesChangedByReading(path, [1, 2, 3]) == [])
  }

  @Test func `P9: reading beside a writer changes nothing, not even the shared memory`()
    async throws
  {
    let path = try pathInOwnFolder()
    try await makeClosed(path)
    let store = try openGarage(path)
    #expect(try await filesChangedByReading(path, [1, 2, 3]) == [])
    // One commit, after which this process doesn't read.
    try store.commit { try $0.insert(numberedCar(4)) }
    #expect(try FolderState(enclosingFolder(of: path)).names.count == 3)
    #expect(try await filesChangedByReading(path, [1, 2, 3, 4]) == [])
    try store.commit { try $0.insert(numberedCar(5)) }
    #expect(try await filesChangedByReading(path, [1, 2, 3, 4, 5]) == [])
    try store.eraseDeleted()
    #expect(try await filesChangedByReading(path, [1, 2, 3, 4, 5]) == [])
  }

  @Test func `P9: reading after a writer was killed changes nothing, and sees its commits`()
    async throws
  {
    let path = try pathInOwnFolder()
    try await makeClosed(path)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try openGarage(path)
      try store.commit { try $0.insert(numberedCar(4)) }
      try store.commit { draft in
        try draft.insert(numberedCar(5))
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try FolderState(enclosingFolder(of: path)).names.count == 3)
    #expect(try await filesChangedByReading(path, [1, 2, 3, 4]) == [])
    #expect(try openGarage(path).fetch(Query<Car>()).map(\.id) == [1, 2, 3, 4])
  }

  @Test(.enabled(if: getuid() == 0, "only root may be another user"), arguments: [false, true])
  func `P9: a folder that may not be written is enough`(_ hasWriter: Bool) async throws {
    let path = try pathInOwnFolder()
    try await makeClosed(path)
    let store = hasWriter ? try openGarage(path) : nil
    try store?.commit { try $0.delete(Car.self, 3) }
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: enclosingFolder(of: path)) {
      try files.setAttributes(
        [.posixPermissions: 0o444], ofItemAtPath: enclosingFolder(of: path) + "/" + name)
    }
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: enclosingFolder(of: path))
    let changed = try await filesChangedByReading(
      path, hasWriter ? [1, 2] : [1, 2, 3], user: 65_534)
    #expect(changed == [])
  }

  @Test func `P9: what would write throws readOnly, and what reads works`() async throws {
    let path = try pathInOwnFolder()
    try await makeClosed(path)
    let before = try FolderState(enclosingFolder(of: path))
    let store = try readGarage(path)
    func expectReadOnly(_ body: () throws -> Void) {
      do {
        try body()
        Issue.record("A store that only reads writes")
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .readOnly)
        #expect(fault.message.contains("open it with access: .readWrite"))
      } catch { Issue.record("\(error)") }
    }
    expectReadOnly { try store.commit { _ in recordIssue("The body runs") } }
    do {
      try await store.commitAsync { _ in recordIssue("The body runs") }
      Issue.record("A store that only reads commits")
    } catch StoreError.storage(let fault) { #expect(fault.kind == .readOnly) }
    expectReadOnly { try store.eraseDeleted() }
    expectReadOnly { try store.changeKey(to: .passphrase("another one")) }
    store.historyLimit = 5
    expectReadOnly { try store.undo() }
    expectReadOnly { try store.redo() }
    #expect(store.undoNames == [])
    try store.clearHistory()
    let copy = temporaryPath("copy")
    try store.backUp(to: copy)
    #expect(try openGarage(copy).fetch(Query<Car>()).map(\.id) == [1, 2, 3])
    #expect(store.suspend())
    #expect(throws: StoreError.self) { try store.find(Car.self, 1) }
    store.resume()
    #expect(try store.find(Car.self, 1)?.model == "m1")
    await store.close()
    #expect(try FolderState(enclosingFolder(of: path)) == before)
  }

  @Test func `P9: a file that keeps a history is read without it`() async throws {
    let path = try pathInOwnFolder()
    let writer = try Store(
      .sqlite(path: path, historyLimit: 5), entities: [Person.self, Car.self])
    try writer.commit(named: "Add") { try $0.insert(numberedCar(1)) }
    await writer.close()
    let store = try Store(
      .sqlite(path: path, access: .readOnly, historyLimit: 5), entities: [Person.self, Car.self])
    #expect(store.undoNames == [])
    #expect(try store.find(Car.self, 1) != nil)
  }

  @Test(arguments: [["VACUUM", "ANALYZE"], ["VACUUM", "VACUUM"], []])
  func `P9: a tool's VACUUM and ANALYZE are no older copy`(_ statements: [String]) throws {
    let path = try pathInOwnFolder()
    // The indexes of cars stand in the file before the tables of others, so these move.
    let entities: [any Entity.Type] = [Car.self, Person.self, Tome.self]
    let app = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    try app.commit { draft in
      try draft.insert(Person(id: "p", name: "p"))
      try draft.insert(contentsOf: (1...300).map(numberedCar))
      try draft.insert(Tome(id: 1, title: "tea", text: nil))
    }
    let store = try Store(
      .sqlite(path: path, access: .readOnly, watching: .none), entities: entities)
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let commits = Recorder(store.commits)
    let raw = try RawDatabase(path)
    for sql in statements { try raw.rows(sql) }
    // It makes the index of words again, too.
    if statements.isEmpty { try app.eraseDeleted() }
    for _ in 0..<2 { try store.refresh() }
    #expect(commits.values.isEmpty && model.fetchedObjects.count == 300)
    try app.commit { try $0.insert(numberedCar(301)) }
    try store.refresh()
    #expect(model.fetchedObjects.count == 301)
  }

  // MARK: Files that can't be read

  private func fault(_ body: () throws -> Store) -> StorageFault? {
    do {
      _ = try body()
    } catch StoreError.storage(let fault) { return fault } catch { Issue.record("\(error)") }
    return nil
  }

  @Test func `P9: a file that isn't there is none, and isn't made`() async throws {
    let path = try pathInOwnFolder()
    let found = fault { try readGarage(path) }
    #expect(found?.kind == .cannotOpen)
    #expect(found?.message.contains("open the app first") ?? false)
    #expect(try FolderState(enclosingFolder(of: path)).names == [])
  }

  @Test func `P9: a file that would have to be migrated doesn't fit, and stays as it is`()
    async throws
  {
    let path = try pathInOwnFolder()
    let first = try Store(.sqlite(path: path), entities: [Person.self])
    await first.close()
    let before = try FolderState(enclosingFolder(of: path))
    let found = fault { try readGarage(path) }
    #expect(found?.kind == .schemaMismatch)
    #expect(found?.message.contains("open the app first") ?? false)
    #expect(try FolderState(enclosingFolder(of: path)) == before)
    try await makeClosed(path)
    let pending = fault {
      try readGarage(path, migrations: [Migration("later") { _ in }])
    }
    #expect(pending?.kind == .schemaMismatch)
    #expect(pending?.detail?.contains("later") ?? false)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(fault { try readGarage(path) }?.kind == .schemaMismatch)
    try Data("No database at all".utf8).write(to: URL(fileURLWithPath: path))
    #expect(fault { try readGarage(path) }?.kind == (encryptsAll ? .wrongKey : .foreign))
    #expect(try FolderState(enclosingFolder(of: path)).names == ["store.sqlite"])
  }

  @Test func `P9: a WAL without its shared memory can't be read, and stays as it is`()
    async throws
  {
    let path = try pathInOwnFolder()
    try await makeClosed(path)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try openGarage(path)
      try store.commit { try $0.insert(numberedCar(4)) }
      kill(getpid(), SIGKILL)
      await store.close()
    }
    try FileManager.default.removeItem(atPath: path + "-shm")
    let found = fault { try readGarage(path, busyTimeout: .milliseconds(20)) }
    #expect(found?.kind == .busy)
    #expect(found?.message.contains("open the app") ?? false)
    #expect(
      try FolderState(enclosingFolder(of: path)).names == ["store.sqlite", "store.sqlite-wal"])
  }
}
