@_spi(Storage) import EntityStore
import Foundation
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A fault of the file is a typed error and loses nothing` {
  /// The fault that opening reports.
  private func fault(
    _ path: String, _ entities: [any Entity.Type] = [Person.self, Car.self]
  ) -> StorageFault? {
    do {
      _ = try Store(.sqlite(path: path), entities: entities)
      return nil
    } catch StoreError.storage(let fault) {
      #expect(fault.message.contains(path))
      return fault
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test func `P3: a file of other bytes is foreign and stays as it is`() throws {
    let path = temporaryPath()
    let bytes = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) })
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(fault(path)?.kind == (encryptsAll ? .wrongKey : .foreign))
    #expect(try contents(path) == bytes)
  }

  @Test func `P3: another program's database is foreign and stays as it is`() throws {
    for setUp in [
      "CREATE TABLE Person (id TEXT PRIMARY KEY)", "PRAGMA application_id = 7",
    ] {
      let path = temporaryPath()
      try RawDatabase(path).rows(setUp)
      let bytes = try contents(path)
      #expect(fault(path)?.kind == .foreign)
      #expect(try contents(path) == bytes, "after \(setUp)")
      #expect(try RawDatabase(path).value("PRAGMA journal_mode") == "delete")
    }
  }

  @Test func `P3: a file of a later format is newer, and stays as it is`() throws {
    let path = temporaryPath()
    try openGarage(path).fill()
    try RawDatabase(path).rows("UPDATE signalbox_metadata SET value = 99 WHERE name = 'format'")
    #expect(fault(path)?.kind == .newer)
    #expect(try RawDatabase(path).value("SELECT count(*) FROM Car") == "2")
  }

  @Test func `P3: an empty file is a new store`() throws {
    let path = temporaryPath()
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try openGarage(path).version == 0)
  }

  @Test func `P3: a damaged file is corrupt`() throws {
    let path = temporaryPath()
    do {
      let store = try openGarage(path)
      try store.commit { draft in
        for id in 0..<2_000 {
          try draft.insert(Person(id: "\(id)", name: String(repeating: "x", count: 50) + "\(id)"))
        }
      }
    }
    let file = try RawDatabase(path)
    try file.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    try file.rows("PRAGMA journal_mode = DELETE")
    var bytes = try contents(path)
    bytes.replaceSubrange(
      4096 * 3..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 4096 * 3))
    try bytes.write(to: URL(fileURLWithPath: path))
    do {
      let store = try openGarage(path)
      _ = try store.fetch(Query<Person>().sorted { [$0.name.ascending] })
      Issue.record("A damaged file can be read")
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .corrupt)
    }
  }

  @Test func `P3: a damaged page is corrupt, and what doesn't stand on it can be read and written`()
    throws
  {
    let path = temporaryPath()
    do {
      let store = try openGarage(path)
      try store.commit { draft in
        for id in 0..<300 {
          try draft.insert(
            Person(id: "\(id)", name: "\(id)", photo: [UInt8](repeating: 1, count: 900)))
          try draft.insert(Car(id: id, model: "\(id)"))
        }
      }
    }
    try damage("Person", path)
    let store = try openGarage(path)
    for _ in 0..<2 {
      do {
        _ = try store.fetch(Query<Person>())
        Issue.record("A damaged page can be read")
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .corrupt)
        #expect(fault.code == 11 && fault.path == path && fault.operation == "reading")
        #expect(fault.description.contains("put back a copy"))
      }
      #expect(try store.fetch(Query<Car>()).count == 300)
    }
    do {
      try store.commit { try $0.insert(Person(id: "new", name: "new")) }
      Issue.record("A damaged page can be written")
    } catch StoreError.storage(let fault) { #expect(fault.kind == .corrupt) }
    try store.commit { try $0.insert(Car(id: 300, model: "300")) }
    #expect(try store.version == 2)
    #expect(try openGarage(path).count(Query<Car>()) == 301)
  }

  @Test func `P3: a fault says what, where, on what occasion, and what to do`() {
    let fault = StorageFault(
      .full, "garage.db: its disk is full; free some room and try again", path: "garage.db",
      operation: "writing version 7", code: 13, extendedCode: 13, detail: "database or disk is full"
    )
    #expect(
      "\(StoreError.storage(fault))"
        == "garage.db: its disk is full; free some room and try again (while writing version 7; "
        + "code 13: database or disk is full)")
    #expect("\(StorageFault(.other, "No."))" == "No.")
    #expect(
      "\(StoreError.outcomeUnknown(version: 7, fault: StorageFault(.inputOutput, "a.db: it failed")))"
        == "The storage failed while it wrote version 7; open the store again to see whether it has it "
        + "(a.db: it failed)")
  }

  @Test func `P3: a path that is no file, or in no folder, can't be opened`() throws {
    #expect(fault(FileManager.default.temporaryDirectory.path)?.kind == .cannotOpen)
    #expect(fault("/nowhere/at/all.sqlite")?.kind == .cannotOpen)
  }

  @Test func `P3: a file that can't be written is read-only`() async throws {
    let folder = temporaryPath("readonly")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/store.sqlite"
    try openGarage(path).fill()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    // Rights bind everyone but root, so a process of its own gives them up.
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      _ = setuid(65_534)
      do {
        _ = try openGarage(path)
      } catch StoreError.storage(let fault) where fault.kind == .readOnly {
        exit(7)
      }
      exit(1)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      // The file may be written, but nothing made beside it.
      _ = setuid(65_534)
      do {
        _ = try openGarage(path)
      } catch StoreError.storage(let fault) where [.readOnly, .cannotOpen].contains(fault.kind) {
        exit(7)
      }
      exit(1)
    }
    #expect(try openGarage(path).count(Query<Car>()) == 2)
  }

  @Test func `P3: a file that is written elsewhere is busy, and is free again afterwards`()
    throws
  {
    let path = temporaryPath()
    let store = try Store(
      .custom {
        let storage = try SQLiteStorage(path: path, durability: .normal)
        try storage.limit(waiting: 1)
        return storage
      },
      entities: [Person.self, Car.self])
    try store.fill()
    let other = try RawDatabase(path)
    try other.rows("BEGIN IMMEDIATE")
    do {
      try store.commit { _ in Issue.record("The body runs though the file is locked") }
      Issue.record("A commit gets past the lock")
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .busy)
    }
    #expect(try store.count(Query<Car>()) == 2)
    try other.rows("ROLLBACK")
    try store.commit { try $0.delete(Person.self, "ann") }
    #expect(try store.version == 2)
  }

  @Test func `P3: on a full disk a commit throws, nothing is lost, and room brings it back`() throws
  {
    let path = temporaryPath()
    let big = [UInt8](repeating: 1, count: 8_000)
    do {
      let store = try Store(
        .custom {
          let storage = try SQLiteStorage(path: path, durability: .normal)
          try storage.limit(pages: 60)
          return storage
        },
        entities: [Person.self, Car.self])
      let commits = Recorder(store.commits)
      var inserted = 0
      var failure: StoreError?
      while failure == nil, inserted < 100 {
        do {
          try store.commit {
            try $0.insert(Person(id: "\(inserted)", name: "\(inserted)", photo: big))
          }
          inserted += 1
        } catch let error as StoreError { failure = error }
      }
      guard case .storage(let fault) = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(fault.kind == .full)
      #expect(inserted > 3)
      #expect(commits.values.count == inserted)
      #expect(try store.count(Query<Person>()) == inserted)
      #expect(try store.version == Int64(inserted))
      // What needs no room still goes, and what was freed is used again.
      try store.commit { try $0.delete(Person.self, "0") }
      try store.commit { try $0.insert(Person(id: "0", name: "0", photo: big)) }
    }
    let store = try openGarage(path)
    let count = try store.count(Query<Person>())
    try store.commit { try $0.insert(Person(id: "more", name: "more", photo: big)) }
    #expect(try store.count(Query<Person>()) == count + 1)
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P3: a file that may not grow is full, and grows again when it may`() async throws {
    let path = temporaryPath()
    // The size that a file may have is limited for a whole process.
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try openGarage(path)
      ProcessLimit.fileSize.set(to: 300_000)
      let photo = [UInt8](repeating: 1, count: 3_000)
      func insert(_ number: Int) throws {
        try store.commit {
          try $0.insert(Person(id: "\(number)", name: "\(number)", photo: photo))
        }
      }
      for number in 0..<1_000 {
        do {
          try insert(number)
        } catch StoreError.storage(let fault) {
          guard fault.kind == .full, fault.message.contains("raise the limit"),
            try store.count(Query<Person>()) == number
          else { exit(1) }
          ProcessLimit.fileSize.set(to: 100_000_000)
          try insert(number)
          exit(try store.version == Int64(number + 1) ? 7 : 2)
        }
      }
      exit(3)
    }
    let store = try openGarage(path)
    let count = try store.count(Query<Person>())
    #expect(count > 3)
    #expect(try store.version == Int64(count))
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `S6: a reserved name traps`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      struct Reserved: Entity {
        let id: Int
        static let attributes = Attributes(.id(\Reserved.id))
        static let schema = Schema(attributes, Reserved.init)
        static var entityName: String { "Signalbox_log" }
      }
      _ = try Store(.sqlite(path: temporaryPath()), entities: [Reserved.self])
    }
    trap.expectMessage("Signalbox_log is a reserved name", inRelease: true)
  }
}

/// Overwrites the first page of a table whose file has been closed, or moved out of its log.
func damage(_ table: String, _ path: String) throws {
  let database = try RawDatabase(path)
  try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  let page = try #require(
    try database.value("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
      .flatMap { UInt64($0) })
  let file = try #require(FileHandle(forUpdatingAtPath: path))
  try file.seek(toOffset: (page - 1) * 4096)
  try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
  try file.close()
}
