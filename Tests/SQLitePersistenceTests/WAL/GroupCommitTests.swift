import SQLiteLibrary
@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import Locking
import SQLitePersistence
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Commits of many writers share their syncs` {
  private struct Abandoned: Error {}

  private let disk = FaultyDisk()

  private func open(_ folder: String) throws -> Store {
    let store = try Store(
      .custom { [disk] in try disk.storage(folder + "/notes.sqlite", .full) }, entities: [Note.self]
    )
    // The head of the log is synced by the first commit that writes to it.
    try store.commit { try $0.insert(Note(id: 0)) }
    return store
  }

  /// The versions that are there when nothing is held.
  private func returned(_ body: @escaping @Sendable () throws -> Void) -> (TestThread, Log<String>)
  {
    let log = Log<String>()
    let thread = TestThread {
      do {
        try body()
        log.note("returned")
      } catch { log.note("\(error)") }
    }
    return (thread, log)
  }

  @Test func `P1: a writer waits for a sync, and doesn't keep others from writing`() throws {
    let store = try open(try temporaryFolder("group"))
    let syncs = disk.count(.sync, .log)
    disk.holdSyncs(.log)
    let writers = (1...8).map { id in returned { try store.commit { try $0.insert(Note(id: id)) } }
    }
    // All are written, though none is synced.
    #expect(becomesTrueBlocking { (try? store.count(Query<Note>())) == 9 })
    for (_, log) in writers { #expect(log.entries == []) }
    // The last of them has left the body, too.
    #expect(throws: Abandoned.self) { try store.commit { _ in throw Abandoned() } }
    disk.holdSyncs([])
    for (thread, log) in writers {
      thread.join()
      #expect(log.entries == ["returned"])
    }
    // One that had begun, and one for all others.
    #expect(disk.count(.sync, .log) - syncs <= 2)
    #expect(try store.version == 9)
  }

  @Test func `S1: a body may wait for the return of a commit whose body has ended`() throws {
    let store = try open(try temporaryFolder("group"))
    disk.holdSyncs(.log)
    let (first, log) = returned { try store.commit { try $0.insert(Note(id: 1)) } }
    #expect(becomesTrueBlocking { (try? store.version) == 2 })
    try store.commit { draft in
      #expect(log.entries == [])
      disk.holdSyncs([])
      #expect(becomesTrueBlocking { log.entries == ["returned"] })
      try draft.insert(Note(id: 2))
    }
    first.join()
    #expect(try store.version == 3)
  }

  @Test func `P1: a commit that finds nothing to change waits for what it has seen`() throws {
    let store = try open(try temporaryFolder("group"))
    disk.holdSyncs(.log)
    let (first, log) = returned { try store.commit { try $0.insert(Note(id: 1, text: "a")) } }
    #expect(becomesTrueBlocking { (try? store.version) == 2 })
    let (second, seen) = returned { try store.commit { try $0.upsert(Note(id: 1, text: "a")) } }
    #expect(!becomesTrueBlocking(within: .milliseconds(100)) { !seen.entries.isEmpty })
    disk.holdSyncs([])
    first.join()
    second.join()
    #expect(log.entries == ["returned"] && seen.entries == ["returned"])
    #expect(try store.version == 2)
  }

  @Test func `P1: a sync that fails leaves the outcome of all waiting commits open`() throws {
    let folder = try temporaryFolder("group")
    do {
      let store = try open(folder)
      disk.holdSyncs(.log)
      let writers = (1...3).map { id in
        returned { try store.commit { try $0.insert(Note(id: id)) } }
      }
      #expect(becomesTrueBlocking { (try? store.version) == 4 })
      disk.fail(.sync, .log, times: 1, with: SQLITE_IOERR | (4 << 8))
      disk.holdSyncs([])
      for (thread, log) in writers {
        thread.join()
        #expect(
          log.entries.count == 1 && log.entries[0].hasPrefix("The storage failed while it wrote"))
      }
      disk.heal()
      #expect(throws: StoreError.self) { try store.commit { try $0.insert(Note(id: 9)) } }
      #expect(try store.count(Query<Note>()) == 4)
    }
    let again = try Store(
      .custom { [disk] in try disk.storage(folder + "/notes.sqlite", .full) }, entities: [Note.self]
    )
    try again.commit { try $0.insert(Note(id: 9)) }
  }

  @Test func `P1: no commit of many writers that returned is lost with the power`() throws {
    var lost = 0
    for seed in seeds(80) {
      var generator = SeededGenerator(seed: seed)
      let disk = FaultyDisk()
      let folder = try temporaryFolder("group")
      let returned = Locked<Set<Int>>([])
      do {
        let store = try Store(
          .custom {
            try disk.storage(
              folder + "/notes.sqlite", .full, logPages: seed % 3 == 0 ? 20 : 200,
              movedPages: seed % 3 == 1 ? 8 : nil)
          },
          entities: [Note.self])
        disk.losePower(at: Int.random(in: 1...400, using: &generator))
        onThreads(4) { thread in
          for index in 0... {
            let id = thread * 1_000_000 + index
            guard (try? store.commit { try $0.insert(Note(id: id, text: "\(seed)")) }) != nil else {
              return
            }
            returned.withLock { _ = $0.insert(id) }
          }
        }
      }
      let remains = try disk.remains(generator.next())
      let store = try Store(
        .sqlite(path: remains + "/notes.sqlite"), entities: [Note.self])
      let found = Set(try store.fetch(Query<Note>()).map(\.id))
      #expect(found.isSuperset(of: returned.withLock { $0 }), "seed \(seed)")
      #expect(try store.version == Int64(found.count), "seed \(seed)")
      lost += found.count - returned.withLock { $0.count }
      try? FileManager.default.removeItem(atPath: folder)
      try? FileManager.default.removeItem(atPath: remains)
    }
    print("Commits that were in flight and are there: \(lost)")
  }
}
