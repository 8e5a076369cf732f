import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A file that is deleted or replaced while it is open is noticed` {
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
