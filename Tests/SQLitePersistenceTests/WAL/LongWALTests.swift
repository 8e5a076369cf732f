@_spi(Storage) import EntityStore
import Fixtures
import Foundation
@_spi(Storage) @testable import SQLitePersistence
import TestSupport
import Testing

/// Two connections of another program, one of which reads at any time.
private final class OverlappingReaders {
  private let connections: [RawDatabase]
  private var turn = 0

  init(_ path: String) throws {
    connections = try [RawDatabase(path), RawDatabase(path)]
  }

  /// Begins a read, and then ends the one before.
  func readNext() throws {
    let (last, next) = (connections[turn % 2], connections[(turn + 1) % 2])
    try next.rows("BEGIN")
    try next.rows("SELECT COUNT(*) FROM Note")
    if turn > 0 { try last.rows("COMMIT") }
    turn += 1
  }
}

@Suite(.timeLimit(.minutes(20))) struct `A WAL that becomes long at once, or stays in use` {
  private let path = temporaryPath()

  private func makeStorage(logPages: Int, movedPages: Int? = nil) throws -> SQLiteStorage {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    try storage.limit(logPages: logPages, movedPages: movedPages)
    return storage
  }

  private func open(_ storage: SQLiteStorage) throws -> Store {
    try Store(.custom { storage }, entities: [Note.self])
  }

  @Test func `another thread is asked first, and a commit checkpoints what has come since`() {
    var size = WALSize()
    let lengths: [Int32] = [
      900, 65_000, 65_500, 66_000, 67_999, 68_000, 68_001,
      // It has started again: once with a few pages, and once with as many as it had.
      10, 1_000, 3_999, 4_000, 5_000, 5_000,
    ]
    let steps = lengths.map { (length: Int32) -> WALSize.Step in
      size.noteLength(length)
      return size.measure()
    }
    let expected: [WALSize.Step] = [
      .nothing, .ask, .nothing, .ask, .ask, .checkpoint, .nothing,
      .nothing, .ask, .ask, .checkpoint, .checkpoint, .ask,
    ]
    #expect(steps == expected)
  }

  @Test func `a commit that makes it very long leaves it to another thread`() throws {
    let storage = try makeStorage(logPages: 300, movedPages: 200)
    let store = try open(storage)
    try store.commit { try $0.insert(Note(id: 1, text: String(repeating: "x", count: 2_000_000))) }
    // This one would make a checkpoint that is due.
    try store.commit { try $0.insert(Note(id: 2)) }
    #expect(storage.checkpoints.byCommits == 0)
    expectTrue(becomesTrueBlocking { storage.checkpoints.beside >= 1 })
  }

  @Test func `what a long read has kept from being moved is moved once it ends`() throws {
    let raw = try RawDatabase(path)
    for sql in ["journal_mode = WAL", "wal_autocheckpoint = 0"] { try raw.rows("PRAGMA \(sql)") }
    try raw.rows("CREATE TABLE numbers (n)")
    let reader = try RawDatabase(path)
    try reader.rows("BEGIN")
    try reader.rows("SELECT count(*) FROM numbers")
    for number in 1...20 { try raw.rows("INSERT INTO numbers VALUES (\(number))") }
    let found = try raw.rows("PRAGMA wal_checkpoint(PASSIVE)")
    let pages = try #require(found[0][1].flatMap { Int($0) })
    let checkpointer = WALCheckpointer(
      WALHealth(), FileGate(path: path), pause: .microseconds(10)
    ) { [path] in
      let connection = try Connection(path: path, .readWrite)
      try connection.openWAL()
      return connection
    }
    defer { checkpointer.end() }
    checkpointer.note(pages: pages)
    expectTrue(checkpointer.ask())
    // It tries again, less and less often, for as long as the read lasts.
    expectTrue(becomesTrueBlocking { checkpointer.count > 12 })
    #expect(!checkpointer.hasMovedAll)
    try reader.rows("COMMIT")
    expectTrue(becomesTrueBlocking { checkpointer.hasMovedAll })
  }

  @Test func `what opening the file has written is moved, although nobody commits`() throws {
    let storage = try makeStorage(logPages: 20_000, movedPages: 2)
    let store = try open(storage)
    expectTrue(becomesTrueBlocking { storage.checkpoints.beside >= 1 && storage.isCheckpointed })
    #expect(try store.version == 0)
  }

  @Test func `reads that overlap at each commit don't keep it from starting again`() throws {
    let storage = try makeStorage(logPages: 40)
    let store = try open(storage)
    let readers = try OverlappingReaders(path)
    let waits = Counter()
    // A read ends while the commit waits, but not before the next one has begun.
    storage.writer.connection.busyHandler.pause = { _ in
      waits.add()
      do { try readers.readNext() } catch { recordIssue("\(error)") }
    }
    for id in 1...300 {
      try readers.readNext()
      try store.commit { try $0.insert(Note(id: id)) }
    }
    #expect(waits.value > 0)
    // Each commit writes two pages at least, which would be 600 in all.
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    let size = try #require(attributes[.size] as? Int)
    #expect(size < 200 * 4120)
  }
}
