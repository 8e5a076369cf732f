import SQLiteLibrary
@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import Locking
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A long WAL is checkpointed while commits continue` {
  private func open(_ storage: SQLiteStorage) throws -> Store {
    try Store(.custom { storage }, entities: [Note.self])
  }

  private func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int) ?? 0
  }

  /// How often a log has been begun anew: the fourth number of its header.
  private func generation(_ log: String) -> Data? {
    let file = FileHandle(forReadingAtPath: log)
    defer { try? file?.close() }
    return (try? file?.read(upToCount: 16))?.suffix(4)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [Durability.normal, .full])
  func `A log that becomes long is moved by another thread, and by no commit`(
    _ durability: Durability
  ) throws {
    let path = temporaryPath()
    let storage = try SQLiteStorage(path: path, durability: durability)
    try storage.limit(logPages: 20_000, movedPages: 20)
    let store = try open(storage)
    let before = size(path)
    for id in 1...300 { try store.commit { try $0.insert(Note(id: id)) } }
    #expect(becomesTrueBlocking { storage.checkpoints.beside >= 1 && size(path) > before })
    #expect(storage.checkpoints.byCommits == 0)
  }

  @Test(.timeLimit(.minutes(20)))
  func `When commits pause, the whole log is moved, and the next commit begins it again`() throws {
    let path = temporaryPath()
    let storage = try SQLiteStorage(path: path, durability: .normal)
    try storage.limit(logPages: 20_000, movedPages: 20)
    let store = try open(storage)
    // Many more pages than a log has that is begun anew in time.
    var (id, mostExtra) = (0, 0)
    for _ in 1...40 {
      let begun = generation(path + "-wal")
      for _ in 1...30 {
        id += 1
        try store.commit { try $0.insert(Note(id: id)) }
      }
      let last = id
      // If the whole was moved amid the commits, the next one has begun anew, and that is as good. Where somebody
      // read just then it hasn't, and the few pages after it wait for more.
      while !becomesTrueBlocking(
        within: .milliseconds(10),
        { storage.isCheckpointed || generation(path + "-wal") != begun })
      {
        id += 1
        try store.commit { try $0.insert(Note(id: id)) }
      }
      mostExtra = max(mostExtra, id - last)
    }
    #expect(storage.checkpoints.byCommits == 0)
    // Where the other thread comes late, the wait makes many commits, of a few pages each.
    #expect(size(path + "-wal") < (1000 + 10 * mostExtra) * 4120)
  }

  @Test func `Where no other thread moves it, a commit does, before it begins`() throws {
    let storage = try SQLiteStorage(path: temporaryPath(), durability: .normal)
    try storage.limit(logPages: 20)
    let store = try open(storage)
    for id in 1...100 { try store.commit { try $0.insert(Note(id: id)) } }
    #expect(storage.checkpoints.byCommits >= 5)
    #expect(storage.checkpoints.beside == 0)
  }

  @Test(.timeLimit(.minutes(20)))
  func `A log that was long once gives its room back`() throws {
    let path = temporaryPath()
    let store = try open(try SQLiteStorage(path: path, durability: .normal))
    try store.commit { draft in
      for id in 1...300 {
        try draft.insert(Note(id: id, text: String(repeating: "x", count: 100_000)))
      }
    }
    #expect(size(path + "-wal") > 20_000_000)
    var id = 300
    let isShort = becomesTrueBlocking {
      id += 1
      try? store.commit { try $0.insert(Note(id: id)) }
      return size(path + "-wal") <= 5000 * 4120
    }
    #expect(isShort)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [Durability.normal, .full])
  func `P1: once the sync of a log that is moved has failed, nothing more is written`(
    _ durability: Durability
  ) throws {
    let disk = FaultyDisk()
    let folder = try temporaryFolder("moved")
    let path = folder + "/notes.sqlite"
    var version: Int64 = 0
    do {
      let storage = try disk.storage(path, durability, logPages: 20_000, movedPages: 30)
      let store = try open(storage)
      // The sync of the file alone: it is only moving that does it.
      disk.fail(.sync, .main, times: 1_000_000, with: SQLITE_IOERR | 4 << 8)
      func commit() throws {
        try store.commit { try $0.insert(Note(id: Int.random(in: 0...(.max)))) }
        version = try store.version
      }
      // The file is synced once the whole log has been moved, so when commits pause.
      for _ in 1...20 where disk.failures == 0 {
        do { for _ in 1...20 { try commit() } } catch { break }
        _ = becomesTrueBlocking(within: .seconds(5)) { disk.failures > 0 }
      }
      #expect(disk.failures > 0)
      let fails = becomesTrueBlocking(within: .seconds(120)) {
        do {
          try commit()
          CurrentThread.yield()
          return false
        } catch StoreError.storage(let fault) {
          #expect(fault.operation == "moving its log into it")
          return fault.extendedCode == Int(SQLITE_IOERR | 4 << 8)
        } catch StoreError.outcomeUnknown(_, let fault) {
          #expect(durability == .full && fault != nil)
          return true
        } catch { return false }
      }
      #expect(fails)
      disk.heal()
    }
    // Closing hasn't moved it, either.
    #expect(size(path + "-wal") > 0)
    let again = try open(try disk.storage(path, durability))
    #expect(try again.version >= version)
    try again.commit { try $0.insert(Note(id: -1)) }
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  /// A file whose store has closed after the sync of its second commit had failed.
  private func leaveAfterFailedSync(_ disk: FaultyDisk) throws -> String {
    let path = try temporaryFolder("moved") + "/notes.sqlite"
    let store = try open(try disk.storage(path, .full))
    try store.commit { try $0.insert(Note(id: 1)) }
    disk.fail(.sync, .log, times: 1, with: SQLITE_IOERR | 4 << 8)
    #expect(throws: StoreError.self) { try store.commit { try $0.insert(Note(id: 2)) } }
    disk.heal()
    return path
  }

  @Test func `P1: after a commit's sync that failed, closing leaves the log as it is`() throws {
    let disk = FaultyDisk()
    let path = try leaveAfterFailedSync(disk)
    #expect(size(path + "-wal") > 0)
    #expect(try open(try disk.storage(path, .full)).count(Query<Note>()) == 2)
    // One that has met no fault leaves none.
    #expect(size(path + "-wal") == 0)
  }

  @Test
  func `P1: what is committed after a failed sync and opening again survives the loss of power`()
    throws
  {
    for seed in seeds(80).map(UInt64.init) {
      let disk = FaultyDisk()
      let path = try leaveAfterFailedSync(disk)
      let again = try open(try disk.storage(path, .full))
      try again.commit { try $0.insert(Note(id: 3)) }
      let remains = try disk.remains(seed) + "/notes.sqlite"
      let found = try open(try SQLiteStorage(path: remains))
      #expect(try found.find(Note.self, 3) != nil, "seed \(seed)")
      #expect(try RawDatabase(remains).value("PRAGMA integrity_check") == "ok")
    }
  }
}
