import SQLiteLibrary
@_spi(Storage) import EntityStore
import Foundation
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

@Suite struct `A store reports a lack of room, files or the lock, and recovers` {
  #if os(Linux)
  @Test func `P3: on a volume that is full a commit throws, and room brings it back`() throws {
    let folder = try temporaryFolder("volume")
    // Only who may mount one has a small volume; the others fail writes (`FaultSweepTests`).
    guard mount("none", folder, "tmpfs", 0, "size=600k") == 0 else { return }
    defer { umount2(folder, Int32(MNT_DETACH)) }
    let path = folder + "/store.sqlite"
    let photo = [UInt8](repeating: 7, count: 9_000)
    do {
      let store = try openGarage(path)
      let commits = Recorder(store.commits)
      var inserted = 0
      var fault: StorageFault?
      while fault == nil, inserted < 200 {
        do {
          try store.commit {
            try $0.insert(Person(id: "\(inserted)", name: "\(inserted)", photo: photo))
          }
          inserted += 1
        } catch StoreError.storage(let found) { fault = found }
      }
      #expect(fault?.kind == .full)
      #expect(fault?.message.contains("free some room") == true)
      #expect(fault?.code == 13 && fault?.operation?.contains("\(inserted + 1)") == true)
      #expect(inserted > 5 && inserted < 100)
      #expect(commits.values.count == inserted)
      #expect(try store.count(Query<Person>()) == inserted)
      #expect(mount("none", folder, "tmpfs", UInt(MS_REMOUNT), "size=4m") == 0)
      try store.commit { try $0.insert(Person(id: "more", name: "more", photo: photo)) }
      #expect(try store.version == Int64(inserted + 1))
    }
    #expect(try openGarage(path).count(Query<Person>()) > 6)
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }
  #endif

  @Test func `P7: a beginning that is interrupted leaves no lock behind`() throws {
    let storage = try SQLiteStorage(path: temporaryPath(), durability: .normal, watching: .none)
    _ = try storage.open([Person.schema.entity, Car.schema.entity])
    let connection = storage.writer.connection
    let calls = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    defer { calls.deallocate() }
    var interrupted = 0
    for steps in Int32(1)...40 {
      calls.pointee = 0
      // The first call ends the statement, wherever that is, and no later one does.
      sqlite3_progress_handler(
        connection.handle, steps,
        { context in
          guard let count = context?.assumingMemoryBound(to: Int32.self) else { return 0 }
          count.pointee += 1
          return count.pointee == 1 ? 1 : 0
        }, calls)
      let transaction = try? storage.begin()
      sqlite3_progress_handler(connection.handle, 0, nil, nil)
      transaction?.rollBack()
      if transaction == nil { interrupted += 1 }
      #expect(!connection.isInTransaction, "after \(steps) steps")
    }
    #expect(interrupted > 0)
    #expect(storage.gate.close(within: .zero))
  }

  @Test func `P3: without room a commit is full, also if others take the lock when it is undone`()
    throws
  {
    let path = temporaryPath()
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fill()
    // No page more than there are.
    try storage.limit(waiting: 1, pages: 1)
    let other = try RawDatabase(path)
    let handle = storage.writer.connection.handle
    // SQLite has released the lock when it calls this.
    sqlite3_rollback_hook(
      handle,
      { other in
        guard let other else { return }
        _ = try? Unmanaged<RawDatabase>.fromOpaque(other).takeUnretainedValue()
          .rows("BEGIN IMMEDIATE")
      }, Unmanaged.passUnretained(other).toOpaque())
    let photo = [UInt8](repeating: 1, count: 100_000)
    try fault(.full) {
      try store.commit { try $0.insert(Person(id: "big", name: "big", photo: photo)) }
    }
    sqlite3_rollback_hook(handle, nil, nil)
    // It throws unless the other one has the lock.
    try other.rows("ROLLBACK")
    try storage.limit(pages: 1_000)
    try store.commit { try $0.insert(Person(id: "big", name: "big", photo: photo)) }
    #expect(try store.count(Query<Person>()) == 3)
  }

  @Test func `P3: without file descriptors a read throws, commits continue, and so do reads later`()
    async throws
  {
    let path = temporaryPath()
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let store = try openGarage(path)
      try store.fill()
      ProcessLimit.openFiles.set(to: 3)
      do {
        // Reads have connections of their own.
        _ = try store.count(Query<Person>())
        exit(1)
      } catch StoreError.storage(let fault) {
        guard fault.kind == .cannotOpen, fault.message.contains("too many files") else { exit(2) }
      }
      do {
        _ = try openGarage(path + ".other")
        exit(3)
      } catch StoreError.storage(let fault) {
        guard fault.kind == .cannotOpen, fault.message.contains("too many files") else { exit(4) }
      }
      try store.commit { try $0.delete(Person.self, "ann") }
      ProcessLimit.openFiles.set(to: 256)
      exit(try store.count(Query<Person>()) == 1 ? 7 : 5)
    }
    #expect(try openGarage(path).version == 2)
  }

  @Test func `P3: a file that another process locks is busy, and is free when that releases it`()
    async throws
  {
    let path = temporaryPath()
    try openGarage(path).fill()
    let other = try RawDatabase(path)
    try other.rows("BEGIN IMMEDIATE")
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      do {
        _ = try openWaitingBriefly(path)
        exit(1)
      } catch StoreError.storage(let fault) where fault.kind == .busy {
        exit(fault.code == 5 && fault.message.contains("try again") ? 7 : 2)
      }
    }
    try other.rows("ROLLBACK")
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let store = try openWaitingBriefly(path)
      try store.commit { try $0.delete(Person.self, "ann") }
      exit(7)
    }
    #expect(try openGarage(path).version == 2)
  }
}

private func openWaitingBriefly(_ path: String) throws -> Store {
  try Store(
    .custom {
      let storage = try SQLiteStorage(path: path)
      try storage.limit(waiting: 20)
      return storage
    }, entities: [Person.self, Car.self])
}
