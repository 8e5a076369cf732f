@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import SQLiteLibrary
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

/// Opens a file of notes.
private func openNotes(
  _ path: String, _ durability: Durability = .full
) throws -> (store: Store, storage: SQLiteStorage) {
  let storage = try SQLiteStorage(path: path, durability: durability, watching: .none)
  return (try Store(.custom { storage }, entities: [Note.self]), storage)
}

/// Returns the number of zeros at the end of a file.
private func zeros(atEndOf path: String) throws -> Int {
  let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  let last = bytes.lastIndex { $0 != 0 } ?? -1
  return bytes.count - last - 1
}

@Suite(.timeLimit(.minutes(20))) struct `A WAL that was extended` {
  private let path = temporaryPath("extended")

  @Test func `grows by its own length, so that it is extended rarely`() {
    var size = WALSize()
    var extensions = 0
    for number in 1...1000 {
      if let missing = size.missingBytes {
        size.end += missing
        extensions += 1
      }
      #expect(size.hasRoom && size.missingBytes == nil)
      size.noteLength(Int32(2 * number))
      // Its commit of two pages was shorter than the room.
      #expect(size.end >= 2 * Int64(number) * (4096 + 24))
    }
    #expect(extensions < 60)
  }

  @Test func `isn't extended by a length that it had before it was emptied`() {
    var size = WALSize()
    size.noteLength(20_000)
    // Somebody has emptied the file since.
    size.end = 0
    #expect(size.missingBytes == nil)
    // It has started again, and may have been truncated.
    size.noteLength(2)
    #expect(size.end == 0 && !size.hasRoom)
    size.end = 3 * 4120
    #expect(size.missingBytes.map { $0 <= 16 * 4096 } ?? false)
  }

  @Test func `P7: a commit after the file was rewritten writes few zeros`() throws {
    let (store, _) = try openNotes(path)
    let text = String(repeating: "x", count: 4000)
    try store.commit { draft in
      for id in 1...3000 { try draft.insert(Note(id: id, text: text)) }
    }
    try store.eraseDeleted()
    try store.commit { try $0.delete(Note.self, 1) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count < 2 << 20)
  }

  @Test func `P1: is read and appended to by another connection`() throws {
    let (store, _) = try openNotes(path)
    let raw = try RawDatabase(path)
    for id in 1...40 {
      if id % 4 == 2 {
        try raw.rows("INSERT INTO Note (id, text) VALUES (\(id), 'x')")
      } else {
        try store.commit { try $0.insert(Note(id: id)) }
      }
      let count = try raw.value("SELECT count(*) FROM Note")
      #expect(count == "\(id)")
    }
    #expect(try zeros(atEndOf: path + "-wal") > 8192)
    #expect(try store.count(Query<Note>()) == 40)
    #expect(try raw.value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P2: is read by a process that opens the file after its writer was killed`()
    async throws
  {
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let (store, _) = try openNotes(path)
      for id in 1...30 { try store.commit { try $0.insert(Note(id: id)) } }
      guard try zeros(atEndOf: path + "-wal") > 8192 else { return }
      kill(getpid(), SIGKILL)
    }
    #expect(try zeros(atEndOf: path + "-wal") > 8192)
    do {
      let reader = try Store(
        .sqlite(path: path, access: .readOnly, watching: .none), entities: [Note.self])
      #expect(try reader.count(Query<Note>()) == 30)
    }
    let (store, _) = try openNotes(path)
    #expect(try store.version == 30)
    #expect(try store.count(Query<Note>()) == 30)
    try store.commit { try $0.insert(Note(id: 31)) }
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P2: is recovered with exactly its commits, however many it has`() throws {
    let (store, _) = try openNotes(path)
    for id in 1...24 {
      try store.commit { try $0.insert(Note(id: id)) }
      let copy = temporaryPath("copy")
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
      }
      #expect(try zeros(atEndOf: copy + "-wal") > 4096)
      let (found, _) = try openNotes(copy)
      #expect(try found.version == Int64(id))
      #expect(try found.fetch(Query<Note>()).map(\.id) == Array(1...id))
      try found.commit { try $0.insert(Note(id: 1000)) }
      #expect(try RawDatabase(copy).value("PRAGMA integrity_check") == "ok")
    }
  }

  // The process may have been killed between the extension and its first commit.
  @Test func `P2: has no commits if it has nothing but zeros`() throws {
    do {
      let (store, _) = try openNotes(path)
      try store.commit { try $0.insert(Note(id: 1)) }
    }
    try Data(count: 1 << 15).write(to: URL(fileURLWithPath: path + "-wal"))
    let (store, _) = try openNotes(path)
    #expect(try store.version == 1)
    try store.commit { try $0.insert(Note(id: 2)) }
    #expect(try store.fetch(Query<Note>()).map(\.id) == [1, 2])
    #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `doesn't exist with .normal, where commits aren't synced`() throws {
    let (store, storage) = try openNotes(path, .normal)
    for id in 1...20 { try store.commit { try $0.insert(Note(id: id)) } }
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    let size = try #require(attributes[.size] as? Int)
    // It has a header, and each page has one, too.
    #expect(size == 32 + Int(storage.writer.wal.size.length) * (4096 + 24))
  }

  @Test(arguments: [SQLITE_FULL, SQLITE_IOERR | 3 << 8])
  func `P1: no commit fails if the WAL can't be extended`(_ code: Int32) throws {
    let disk = FaultyDisk()
    let path = try temporaryFolder("extended") + "/notes.sqlite"
    let storage = try disk.storage(path, .full)
    let store = try Store(.custom { storage }, entities: [Note.self])
    var last = 0
    func commit() throws {
      last += 1
      let id = last
      try store.commit { try $0.insert(Note(id: id)) }
    }
    for _ in 1...3 {
      repeat { try commit() } while storage.writer.wal.size.missingBytes == nil
      // The first write of the next commit is that of zeros.
      disk.fail(.write, .log, times: 1, with: code)
      try commit()
      #expect(disk.failures == 1)
      disk.heal()
    }
    #expect(try store.count(Query<Note>()) == last)
    #expect(try RawDatabase(path, vfs: disk.name).value("PRAGMA integrity_check") == "ok")
  }

  @Test func `P1: a commit for which there is no room fails, and a later one succeeds`() throws {
    let disk = FaultyDisk()
    let path = try temporaryFolder("extended") + "/notes.sqlite"
    let storage = try disk.storage(path, .full)
    let store = try Store(.custom { storage }, entities: [Note.self])
    try store.commit { try $0.insert(Note(id: 1)) }
    disk.fail(.write, .log, times: .max, with: SQLITE_FULL)
    let error = #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Note(id: 2)) }
    }
    guard case .storage(let fault)? = error else {
      recordIssue("\(error as Any)")
      return
    }
    #expect(fault.kind == .full)
    disk.heal()
    try store.commit { try $0.insert(Note(id: 3)) }
    #expect(try store.fetch(Query<Note>()).map(\.id) == [1, 3])
  }
}
