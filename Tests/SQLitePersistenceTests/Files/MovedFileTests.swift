@_spi(Storage) import EntityStore
import Foundation
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite struct `The store notices that its open file was deleted or replaced` {
  /// Checks that neither commits nor reads go on, with errors that say why.
  private func expectReplaced(_ store: Store, _ words: String) {
    func check(_ body: () throws -> Void) {
      do {
        try body()
        Issue.record("It goes on")
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .replaced)
        #expect(fault.message.contains(words), "\(fault)")
        #expect(fault.path != nil && fault.operation != nil)
      } catch { Issue.record("\(error)") }
    }
    for _ in 0..<2 {
      check { try store.commit { (_: inout Draft) -> Void in Issue.record("The body runs") } }
      check { _ = try store.fetch(Query<Person>()) }
      check { _ = try store.find(Car.self, 1) }
    }
  }

  private func bytes(_ file: FileHandle) throws -> Data {
    try file.seek(toOffset: 0)
    return try file.readToEnd() ?? Data()
  }

  @Test func `P3: nothing is written into a deleted file, nor read from it`() throws {
    let path = temporaryPath()
    let store = try openGarage(path)
    try store.fill()
    let orphan = try #require(FileHandle(forReadingAtPath: path))
    let before = try bytes(orphan)
    try FileManager.default.removeItem(atPath: path)
    expectReplaced(store, "deleted or replaced")
    #expect(try bytes(orphan) == before)
    // Put back, it goes on where it was.
    try before.write(to: URL(fileURLWithPath: path))
    expectReplaced(store, "deleted or replaced")
  }

  @Test(arguments: [true, false])
  func `P3: a file that is replaced while it is opened is noticed`(withLog: Bool) throws {
    let path = temporaryPath()
    try openGarage(path).fill()
    let other = temporaryPath()
    do { try openGarage(other).commit { try $0.insert(Person(id: "new", name: "New")) } }
    let new = try Data(contentsOf: URL(fileURLWithPath: other))
    let migration = Migration("long") { _ in
      #expect(rename(other, path) == 0)
      if !withLog { try FileManager.default.removeItem(atPath: path + "-wal") }
    }
    do {
      _ = try Store(
        .sqlite(path: path, migrations: [migration]), entities: [Person.self, Car.self])
      Issue.record("It is opened")
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .replaced && fault.message.contains("deleted or replaced"), "\(fault)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == new)
  }

  @Test func `P3: a file that takes another one's place stays as it is`() throws {
    let (path, other) = (temporaryPath(), temporaryPath())
    do { try openGarage(other).commit { try $0.insert(Person(id: "new", name: "New")) } }
    var orphan: FileHandle?
    var before = Data()
    let new = try Data(contentsOf: URL(fileURLWithPath: other))
    do {
      let store = try openGarage(path)
      try store.fill()
      orphan = FileHandle(forReadingAtPath: path)
      before = try orphan.map { try bytes($0) } ?? Data()
      #expect(rename(other, path) == 0)
      expectReplaced(store, "deleted or replaced")
    }
    // Closing writes into neither of them.
    #expect(try orphan.map { try bytes($0) } == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == new)
    // The message says that the old log mustn't stay.
    for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    #expect(try openGarage(path).fetch(Query<Person>()).map(\.id) == ["new"])
  }

  @Test func `P3: a log that is deleted while the file is open loses nothing`() throws {
    let path = temporaryPath()
    do {
      let store = try openGarage(path)
      try store.fill()
      try FileManager.default.removeItem(atPath: path + "-wal")
      expectReplaced(store, "-wal")
    }
    let store = try openGarage(path)
    #expect(try store.version == 1)
    #expect(try store.count(Query<Person>()) == 2)
    try store.commit { try $0.delete(Person.self, "ann") }
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P3: shared memory that is deleted while the file is open ends the commits`() throws {
    let path = temporaryPath()
    do {
      let store = try openGarage(path)
      try store.fill()
      try FileManager.default.removeItem(atPath: path + "-shm")
      expectReplaced(store, "-shm")
    }
    #expect(try openGarage(path).version == 1)
    do {
      let store = try openGarage(path)
      // Too late for the look at the beginning, so it may have been done; nobody is told that it was.
      let error = #expect(throws: StoreError.self) {
        try store.commit { draft in
          try draft.delete(Person.self, "ann")
          try FileManager.default.removeItem(atPath: path + "-shm")
        }
      }
      guard case .outcomeUnknown(2, let fault) = error else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(fault?.kind == .replaced)
    }
    let store = try openGarage(path)
    let count = try store.count(Query<Person>())
    #expect(try store.version == Int64(3 - count))
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P1: of two processes with two shared memories only one commits`() async throws {
    let path = temporaryPath()
    do {
      let store = try Store(.sqlite(path: path), entities: [Person.self, Car.self])
      try store.commit { try $0.insert(Car(id: 1, model: "1")) }
      try FileManager.default.removeItem(atPath: path + "-shm")
      await #expect(processExitsWith: .success) { [path = path as String] in
        let other = try Store(.sqlite(path: path), entities: [Person.self, Car.self])
        try other.commit { try $0.insert(Car(id: 2, model: "2")) }
      }
      #expect(throws: StoreError.self) {
        try store.commit { try $0.insert(Car(id: 3, model: "3")) }
      }
      #expect(throws: StoreError.self) { try store.refresh() }
    }
    let store = try Store(.sqlite(path: path), entities: [Person.self, Car.self])
    #expect(try store.fetch(Query<Car>().sorted { [$0.id.ascending] }).map(\.id) == [1, 2])
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P3: a folder that may not be looked into any more isn't a file that was replaced`()
    async throws
  {
    let folder = try temporaryFolder("hidden")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    await #expect(processExitsWith: .exitCode(7)) { [folder = folder as String] in
      _ = setuid(65_534)
      let inner = folder + "/inner"
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      let store = try openGarage(inner + "/store.sqlite")
      try store.fill()
      chmod(inner, 0)
      do {
        try store.commit { try $0.delete(Person.self, "ann") }
        exit(1)
      } catch StoreError.storage(let fault) {
        guard fault.kind == .cannotOpen, fault.message.contains("rights") else { exit(2) }
      }
      chmod(inner, 0o700)
      try store.commit { try $0.delete(Person.self, "ann") }
      exit(try store.count(Query<Person>()) == 1 ? 7 : 3)
    }
  }

  @Test
  func `P3: a log that is deleted while the file is closed takes a tail with it, and no more`()
    async throws
  {
    let path = temporaryPath()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let library = Library(seed: 8)
      let store = try Store(
        .custom {
          let storage = try SQLiteStorage(path: path)
          try storage.limit(logPages: 30)
          return storage
        }, entities: Library.entities)
      for version in 1...20 { try library.commit(version, to: store) }
      kill(getpid(), SIGKILL)
    }
    try FileManager.default.removeItem(atPath: path + "-wal")
    let library = Library(seed: 8)
    let found = try library.check(path, "")
    #expect(found > 0 && found <= 20)
    do {
      let store = try Store(.sqlite(path: path), entities: Library.entities)
      try library.commit(found + 1, to: store)
    }
    #expect(try library.check(path, "") == found + 1)
  }

  @Test func `P3: a program that changes its folder keeps its file`() async throws {
    let folder = try temporaryFolder("folder")
    await #expect(processExitsWith: .exitCode(7)) { [folder = folder as String] in
      _ = FileManager.default.changeCurrentDirectoryPath(folder)
      let store = try openGarage("store.sqlite")
      try store.fill()
      _ = FileManager.default.changeCurrentDirectoryPath("/")
      guard try store.count(Query<Person>()) == 2 else { exit(1) }
      try store.commit { try $0.delete(Person.self, "ann") }
      exit(try store.count(Query<Person>()) == 1 ? 7 : 2)
    }
    #expect(try openGarage(folder + "/store.sqlite").version == 2)
  }
}
