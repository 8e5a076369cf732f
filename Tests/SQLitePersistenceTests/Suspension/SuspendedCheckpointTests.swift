import SQLiteLibrary
@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import Locking
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

/// A disk that holds the sync with which a checkpoint begins.
@Suite(.timeLimit(.minutes(20))) struct SuspendedCheckpointTests {
  private let disk = FaultyDisk()

  /// A store whose WAL is moved from a number of pages on, by commits or by another thread.
  private func open(byCommits: Bool) throws -> (store: Store, storage: SQLiteStorage) {
    let path = try temporaryFolder("suspended") + "/notes.sqlite"
    let storage = try disk.storage(path, .normal, logPages: 20_000)
    let store = try Store(.custom { storage }, entities: [Note.self])
    // This one syncs the header of the WAL.
    try store.commit { try $0.insert(Note(id: 1)) }
    if byCommits {
      try storage.limit(logPages: 2)
    } else {
      try storage.limit(movedPages: 2)
    }
    return (store, storage)
  }

  private func insertLarge(_ id: Int, _ store: Store) throws {
    try store.commit { try $0.insert(Note(id: id, text: String(repeating: "x", count: 100_000))) }
  }

  @Test func `P7: a checkpoint of another thread ends, and is made again after the store resumes`()
    throws
  {
    let (store, storage) = try open(byCommits: false)
    disk.holdSyncs(.log)
    defer { disk.holdSyncs([]) }
    try insertLarge(2, store)
    // The checkpoint has begun.
    expectTrue(becomesTrueBlocking { disk.waitingSyncs == 1 })
    let written = disk.count(.write, .main)
    #expect(!store.suspend(within: .milliseconds(20)))
    disk.holdSyncs([])
    #expect(store.suspend(within: .seconds(300)))
    #expect(disk.count(.write, .main) == written)
    store.resume()
    expectTrue(becomesTrueBlocking { storage.isCheckpointed })
    #expect(disk.count(.write, .main) > written)
  }

  @Test func `P7: a checkpoint that meets a suspended store is made after it resumes`() throws {
    let (store, storage) = try open(byCommits: false)
    // No commit asks for it.
    try storage.limit(movedPages: 20_000)
    try insertLarge(2, store)
    let found = storage.walCheckpointer.withLock { $0 }
    let checkpointer = try #require(found)
    #expect(store.suspend(within: .seconds(300)))
    expectTrue(checkpointer.ask())
    expectTrue(!becomesTrueBlocking(within: .milliseconds(100)) { storage.isCheckpointed })
    store.resume()
    expectTrue(becomesTrueBlocking { storage.isCheckpointed })
  }

  @Test func `a checkpoint that meets one of another process is made after it`() throws {
    let (store, storage) = try open(byCommits: false)
    try storage.limit(movedPages: 20_000)
    try insertLarge(2, store)
    let found = storage.walCheckpointer.withLock { $0 }
    let checkpointer = try #require(found)
    disk.holdSyncs(.log)
    defer { disk.holdSyncs([]) }
    let (path, name) = (storage.path, disk.name)
    let other = TestThread {
      do {
        try RawDatabase(path, vfs: name).rows("PRAGMA wal_checkpoint(PASSIVE)")
      } catch {
        recordIssue("\(error)")
      }
    }
    expectTrue(becomesTrueBlocking { disk.waitingSyncs == 1 })
    expectTrue(checkpointer.ask())
    expectTrue(becomesTrueBlocking { checkpointer.count >= 1 })
    #expect(!storage.isCheckpointed)
    disk.holdSyncs([])
    other.join()
    expectTrue(becomesTrueBlocking { storage.isCheckpointed })
  }

  @Test func `P7: a checkpoint of a commit ends, and the next commit makes it`() throws {
    let (store, _) = try open(byCommits: true)
    // It makes the WAL long, and the next one has to move it.
    try insertLarge(2, store)
    let written = disk.count(.write, .main)
    disk.holdSyncs(.log)
    defer { disk.holdSyncs([]) }
    let outcome = Box<StorageFault.Kind?>(nil)
    let thread = TestThread {
      do { try store.commit { try $0.insert(Note(id: 3)) } } catch StoreError.storage(let fault) {
        outcome.value = fault.kind
      } catch {
        recordIssue("\(error)")
      }
    }
    // The checkpoint has begun.
    expectTrue(becomesTrueBlocking { disk.waitingSyncs == 1 })
    #expect(!store.suspend(within: .milliseconds(20)))
    disk.holdSyncs([])
    #expect(store.suspend(within: .seconds(300)))
    thread.join()
    #expect(outcome.value == .suspended)
    #expect(disk.count(.write, .main) == written)
    store.resume()
    try store.commit { try $0.insert(Note(id: 4)) }
    #expect(disk.count(.write, .main) > written)
    #expect(try store.fetch(Query<Note>()).map(\.id) == [1, 2, 4])
  }

  @Test func `P7: an interruption that comes after a checkpoint doesn't end the next one`() throws {
    let (store, storage) = try open(byCommits: true)
    try insertLarge(2, store)
    // A store that is suspended just when a checkpoint ends does this.
    sqlite3_interrupt(storage.writer.connection.handle)
    try store.commit { try $0.insert(Note(id: 3)) }
    #expect(storage.checkpoints.byCommits == 1)
  }

  @Test func `P7: a store that is being closed isn't suspended before its file is closed`()
    async throws
  {
    let (store, storage) = try open(byCommits: true)
    try insertLarge(2, store)
    disk.holdSyncs(.log)
    defer { disk.holdSyncs([]) }
    let closing = Task { await store.close() }
    // The last connection checkpoints, and has the file for itself.
    #expect(await becomesTrue { disk.waitingSyncs == 1 })
    #expect(storage.gate.isClosedHere)
    #expect(!store.suspend(within: .milliseconds(20)))
    disk.holdSyncs([])
    await closing.value
    #expect(store.suspend(within: .zero))
  }

  @Test func `S11: closing waits for a checkpoint of another thread, and lets it be completed`()
    async throws
  {
    let (store, storage) = try open(byCommits: false)
    // The last connection of a file moves what is left when it closes; this one stays open.
    let other = try RawDatabase(storage.path, vfs: disk.name)
    #expect(try other.value("SELECT count(*) FROM Note") == "1")
    disk.holdSyncs(.log)
    defer { disk.holdSyncs([]) }
    try insertLarge(2, store)
    #expect(await becomesTrue { disk.waitingSyncs == 1 })
    let written = disk.count(.write, .main)
    let isClosed = Counter()
    let closing = Task {
      await store.close()
      isClosed.set(1)
    }
    #expect(await becomesTrue { storage.gate.isClosedHere })
    #expect(await !becomesTrue(within: .milliseconds(20)) { isClosed.value == 1 })
    #expect(disk.count(.write, .main) == written)
    disk.holdSyncs([])
    await closing.value
    #expect(disk.count(.write, .main) > written)
    // The file has everything without its WAL.
    let copy = temporaryPath("copy")
    try FileManager.default.copyItem(atPath: storage.path, toPath: copy)
    #expect(try RawDatabase(copy).value("SELECT count(*) FROM Note") == "2")
    withExtendedLifetime(other) {}
  }
}
