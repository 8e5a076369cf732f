import EntityStore
import Foundation
import FoundationSupport
import SQLiteLibrary
import SQLitePersistence
import TestSupport
import Testing

@testable import SQLitePersistence

@Suite(.plainFile) struct `P3, P6: a long value takes no more memory than the file's size` {
  private let path = temporaryPath()

  /// A file of two hundred letters, each with a note as long as a fourth of the file.
  private func make() throws {
    try makeLetters(path)
    do {
      let file = try RawDatabase(path)
      try file.rows(
        """
        WITH RECURSIVE n(x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM n WHERE x < 299)
        INSERT INTO Letter (id, name, note)
        SELECT x, 'name', substr(hex(zeroblob(\(CraftedOverflow.length))), 1, \(CraftedOverflow.length)) FROM n
        """)
      try file.rows("DELETE FROM signalbox_log")
      try file.rows("INSERT INTO signalbox_log (version) VALUES (9)")
      try file.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    var found = 0
    try editBytes(path) { found = CraftedOverflow.stretch(&$0, pages: 240) }
    #expect(found == 200)
  }

  private func fileSize(_ path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path)).count
  }

  @Test func `A list and an export of it end with a fault`() throws {
    try make()
    let store = try openLetters(path)
    #expect(
      try store.find(Letter.self, 150)?.note?.utf8.count == CraftedOverflow.length + 240 * 4092)
    let words = [path, "put back a copy"]
    try fault(.corrupt, naming: words) { _ = try store.fetch(Query<Letter>()) }
    try fault(.corrupt, naming: words) { try store.exportJSONLines { _ in } }
    #expect(try store.find(Letter.self, 150) != nil)
  }

  @Test func `One object after another, too`() throws {
    try make()
    let store = try openLetters(path)
    try fault(.corrupt) {
      try store.read { reader in
        for id in 100..<300 { _ = try reader.find(Letter.self, id) }
      }
    }
  }

  @Test func `Erasing and migrations write nothing of it`() throws {
    try make()
    let before = try fileSize(path)
    let store = try openLetters(path)
    try fault(.corrupt, naming: [path]) { try store.eraseDeleted() }
    let rewriting = Migration("rewrite") { try $0.rewrite("Letter") { $0 } }
    try fault(.corrupt, naming: [path]) { _ = try openLetters(path, migrations: [rewriting]) }
    #expect(try fileSize(path) <= 2 * before)
    #expect(try fileSize(path + "-wal") <= 2 * before)
  }

  @Test func `Values that are as long as that are read again and again`() throws {
    try makeLetters(path)
    let store = try openLetters(path)
    let note = String(repeating: "n", count: 1 << 20)
    try store.commit { draft in
      for id in 100..<108 { try draft.insert(Letter(id: id, name: "long", note: note)) }
    }
    for _ in 0..<8 {
      #expect(try store.fetch(Query<Letter>().filter { $0.name == "long" }).count == 8)
    }
    try store.eraseDeleted()
    let connection = try Connection(path: path, .readOnly)
    for _ in 0..<20 {
      try connection.query("SELECT note FROM Letter").run { _ = $0.value(0) }
    }
    // They were looked at once, and are counted no more.
    #expect(connection.stepWatch.areTreesSound)
  }

  @Test func `P3: a file whose blocks aren't counted yet has its length`() {
    #expect(signalbox_room(1 << 20, 1, 1) == 1 << 20)
    // Elsewhere blocks that lack are holes, or the file system has compressed the file.
    #expect(signalbox_room(1 << 20, 1, 0) == 8192)
    #expect(signalbox_room(1 << 20, 128, 0) == 1 << 20)
    #expect(signalbox_room(1000, 8, 0) == 1000)
  }
}
