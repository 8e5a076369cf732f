import Dispatch
@_spi(Storage) import EntityStore
import Foundation
import FoundationSupport
import SQLitePersistence
import TestSupport
import Testing

@testable import SQLitePersistence

/// A letter whose words are indexed.
private struct SearchedLetter: Entity {
  let id: Int
  var name: String
  var note: String?
  static let attributes = Attributes(
    .id(\SearchedLetter.id), .attribute("name", \.name), .attribute("note", \.note))
  static let schema = Schema(
    attributes, SearchedLetter.init, rules: [.index(\.note), .fullText(\.name)])
  static var entityName: String { "Letter" }
}

@Suite(.plainFile)
struct `P3, P6: a scan ends even if a file's pages lead to one page again and again` {
  private let path = temporaryPath()

  /// Has a tree of the file at `path` lead to its rows more often than anybody could read them.
  private static func chain(_ path: String, _ name: String) throws {
    let tree = try CraftedTree(path, of: name)
    try editBytes(path) { tree.chain(&$0, width: 300, depth: 8) }
  }

  @Test func `Fetching, counting, adding up and exporting are damage`() async throws {
    await #expect(processExitsWith: .success) {
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      try Self.chain(path, "Letter")
      let store = try openLetters(path)
      let words = [path, "put back a copy"]
      try fault(.corrupt, naming: words) { _ = try store.fetch(Query<Letter>()) }
      try fault(.corrupt, naming: words) { _ = try store.max(of: Query<Letter>()) { $0.name } }
      try fault(.corrupt, naming: words) {
        _ = try store.fetch(Query<Letter>().sorted { [$0.name.ascending] }.limit(2))
      }
      try fault(.corrupt) { try store.exportJSONLines { _ in } }
      #expect(try store.find(Stamp.self, "b")?.value == -1)
      let rewriting = Migration("rewrite") { try $0.rewrite("Letter") { $0 } }
      try fault(.corrupt) { _ = try openLetters(path, migrations: [rewriting]) }
    }
  }

  @Test func `Counting all while other rows are read is damage, and no interruption`() async throws
  {
    await #expect(processExitsWith: .success) {
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      try Self.chain(path, "signalbox_index on \"Letter\"%")
      let store = try openLetters(path)
      var seen = 0
      try store.withStorageReader { reader in
        _ = try reader.forEachRow(FetchPlan(Query<Stamp>().description)) { _ in
          seen += 1
          try fault(.corrupt, naming: [path, "put back a copy"]) {
            _ = try reader.count(Letter.schema.entity, where: nil)
          }
        }
      }
      #expect(seen > 0)
    }
  }

  @Test func `Counting all is damage, though it is a single step to SQLite`() async throws {
    await #expect(processExitsWith: .success) {
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      // The shortest tree that has them all.
      try Self.chain(path, "signalbox_index on \"Letter\"%")
      let store = try openLetters(path)
      try fault(.corrupt, naming: [path]) { _ = try store.count(Query<Letter>()) }
      #expect(try store.fetch(Query<Letter>()).count == 3)
    }
  }

  @Test func `Counting the rows whose words are indexed is damage, too`() async throws {
    await #expect(processExitsWith: .success) {
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      try Self.chain(path, "signalbox_index on \"Letter\"%")
      try fault(.corrupt, naming: [path]) {
        _ = try Store(
          .sqlite(path: path, durability: .normal, watching: .none),
          entities: [SearchedLetter.self])
      }
    }
  }

  @Test(arguments: ["", "WHERE note IS NOT NULL"])
  func `An index of another program's is counted before its entries are believed`(
    _ condition: String
  ) async throws {
    await #expect(processExitsWith: .success) { [condition = condition as String] in
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      try edit(path, "CREATE INDEX extra ON Letter(note, name) \(condition)")
      try Self.chain(path, "extra")
      let connection = try Connection(path: path, .readOnly)
      try fault(.corrupt, naming: [path]) {
        try connection.query(
          "SELECT SUM(length(name)) FROM Letter INDEXED BY extra \(condition)"
        ).run()
      }
    }
  }

  @Test func `A statement of any number of steps completes where the trees are sound`() throws {
    try makeLetters(path)
    try edit(
      path, "CREATE INDEX extra ON Letter(lower(name), note) WHERE note IS NOT NULL; ",
      "CREATE INDEX more ON Letter(note) WHERE (note > 'a' AND name <> 'WHERE') /* ; */",
      "CREATE TABLE numbered (rowid, oid, _rowid_)",
      "CREATE TABLE other (x PRIMARY KEY) WITHOUT ROWID",
      "ANALYZE")
    let connection = try Connection(path: path, .readOnly)
    var sum: Int64 = 0
    // A join of tables that are small, and of more steps than any scan of the file has.
    try connection.query(
      "SELECT COUNT(a.id + b.id) FROM Letter AS a, Letter AS b, Letter AS c, Letter AS d, Letter AS e, "
        + "Letter AS f, Letter AS g, Letter AS h, Letter AS i, Letter AS j, Letter AS k"
    ).run { sum = $0.integer(0) }
    #expect(sum == 177_147)
    #expect(connection.stepWatch.areTreesSound)
    #expect(connection.stepWatch.finding == nil)
  }

  /// Has a tree of the file go deeper than a thread's stack.
  private static func deepen(_ path: String, _ name: String) throws {
    do {
      let file = try RawDatabase(path)
      for sql in ["PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM"] {
        try file.rows(sql)
      }
    }
    let tree = try CraftedTree(path, of: name)
    try editBytes(path) { tree.chain(&$0, width: 1, depth: 20_000) }
  }

  /// Runs `body` on a thread whose stack is as small as that of an app's threads.
  private static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      isDone.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    isDone.wait()
  }

  /// What drops a tree: SQLite does that in one step, and calls itself for each page that leads to another one.
  private enum Drop: String, CaseIterable, Codable {
    case table, tableOfIndex, rebuiltTable, emptiedTable, index, samples

    var tree: String {
      switch self {
      case .table: "others"
      case .tableOfIndex, .rebuiltTable, .emptiedTable, .index: "extra"
      case .samples: "sqlite_stat2"
      }
    }

    func prepare(_ path: String) throws {
      switch self {
      case .table:
        try edit(path, "CREATE TABLE others (x)", "INSERT INTO others VALUES (1)")
      case .tableOfIndex:
        try edit(
          path, "CREATE TABLE others (x)", "INSERT INTO others VALUES (1)",
          "CREATE INDEX extra ON others(lower(x))")
      case .rebuiltTable, .emptiedTable:
        // Nothing else reads it.
        try edit(path, "CREATE INDEX extra ON Letter(lower(note))")
      case .index: try edit(path, "CREATE INDEX extra ON Letter(note)")
      case .samples:
        try edit(
          path, "PRAGMA writable_schema = ON",
          "CREATE TABLE sqlite_stat2 (tbl, idx, sampleno, sample)",
          "INSERT INTO sqlite_stat2 VALUES ('Letter', 'x', 1, '')")
      }
    }

    /// What is done to the text of the schema once the tree is deep.
    func finish(_ path: String) throws {
      switch self {
      case .rebuiltTable:
        try editSchema(
          path,
          [
            "UPDATE sqlite_master SET sql = replace(sql, '\"name\" TEXT NOT NULL', '\"name\" TEXT') "
              + "WHERE name = 'Letter'"
          ])
      case .index:
        // Not one of the schema's.
        try editSchema(
          path,
          [
            "UPDATE sqlite_master SET name = 'signalbox_index on other', "
              + "sql = 'CREATE INDEX \"signalbox_index on other\" ON Letter(note)' WHERE name = 'extra'"
          ])
      default: break
      }
    }

    func run(_ path: String) throws {
      switch self {
      case .table, .tableOfIndex:
        _ = try openLetters(path, migrations: [Migration("drop") { try $0.dropEntity("others") }])
      case .emptiedTable:
        let emptying = Migration("empty") { try $0.delete(from: "Letter") { _ in true } }
        _ = try openLetters(path, migrations: [emptying])
      case .rebuiltTable, .index: _ = try openLetters(path)
      case .samples: try openLetters(path).eraseDeleted()
      }
    }
  }

  @Test(.oneThread, arguments: Drop.allCases)
  private func `P4: what drops or empties a tree ends, however deep that is`(_ drop: Drop)
    async throws
  {
    await #expect(processExitsWith: .success) { [drop = drop as Drop] in
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      try drop.prepare(path)
      try Self.deepen(path, drop.tree)
      try drop.finish(path)
      Self.onSmallStack {
        do {
          try fault(.corrupt, naming: [path]) { try drop.run(path) }
        } catch { Issue.record(error) }
      }
    }
  }

  @Test func `P4: a column is added to no tree that is deeper than a stack`() async throws {
    struct Longer: Entity {
      static let entityName = "Letter"
      let id: Int
      var name: String
      var note: String?
      var place: String?
      static let attributes = Attributes(
        .id(\Longer.id), .attribute("name", \.name), .attribute("note", \.note),
        .attribute("place", \.place))
      static let schema = Schema(attributes, Longer.init, rules: [.index(\.note)])
    }
    await #expect(processExitsWith: .success) {
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      try Self.deepen(path, "Letter")
      Self.onSmallStack {
        do {
          try fault(.corrupt, naming: [path]) {
            _ = try Store(.sqlite(path: path, watching: .none), entities: [Longer.self])
          }
        } catch { Issue.record(error) }
      }
    }
  }

  @Test func `P4: nothing is renamed beside views that lead deeper than a stack`() async throws {
    struct Post: Entity {
      let id: Int
      var name: String
      var note: String?
      static let attributes = Attributes(
        .id(\Post.id), .attribute("name", \.name), .attribute("note", \.note))
      static let schema = Schema(
        attributes, Post.init, rules: [.index(\.note), .renamedFrom("Letter")])
    }
    await #expect(processExitsWith: .success) {
      alarm(1200)
      for count in [150, 3_000] {
        let path = temporaryPath()
        try makeLetters(path)
        do {
          let file = try RawDatabase(path)
          try file.rows("DROP TABLE Stamp")
          try file.rows("BEGIN")
          try file.rows("CREATE VIEW v0 AS SELECT * FROM Letter")
          for place in 1..<count {
            try file.rows("CREATE VIEW v\(place) AS SELECT * FROM v\(place - 1)")
          }
          try file.rows("COMMIT")
        }
        Self.onSmallStack {
          do {
            func open() throws {
              _ = try Store(.sqlite(path: path, watching: .none), entities: [Post.self])
            }
            if count > 200 {
              try fault(.schemaMismatch, naming: [path, "views"]) { try open() }
            } else {
              try open()
            }
          } catch { Issue.record(error) }
        }
      }
    }
  }

  @Test func `Numbers and conditions are found whatever the tables are called`() throws {
    try makeLetters(path)
    try edit(
      path, "CREATE TABLE \"a \"\" WHERE\" (rowid TEXT, oid INTEGER PRIMARY KEY)",
      "INSERT INTO \"a \"\" WHERE\" VALUES ('x', 5), ('x', -7)",
      "CREATE INDEX \"WHERE\" ON \"a \"\" WHERE\"(rowid) where oid > 0 -- all",
      "CREATE INDEX always ON \"a \"\" WHERE\"(rowid) WHERE 1",
      "CREATE TABLE worked_out (a, rowid AS (-a))", "INSERT INTO worked_out VALUES (1), (2)",
      "CREATE UNIQUE INDEX second ON \"a \"\" WHERE\"(rowid, oid)")
    try TreeCheck(Connection(path: path, .readOnly)).check()
  }
}
