import SQLiteLibrary
@_spi(Storage) import EntityStore
import Foundation
import Locking
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

@Suite(.timeLimit(.minutes(20))) struct SuspendedStatementTests {
  private let path = temporaryPath("suspended")

  /// A query that takes many more steps than those after which SQLite calls the connection's watch.
  private static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE counted(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM counted LIMIT \(count)) "
      + "SELECT x FROM counted"
  }

  @Test func `P7: a check of all trees ends, and is made after the store resumes`() throws {
    let file = try RawDatabase(path)
    try file.rows("CREATE TABLE number (x)")
    // Each row takes four steps of the check.
    try file.rows("INSERT INTO number \(Self.numbers(60_000))")
    let connection = try Connection(path: path, .readOnly)
    let gate = FileGate(path: path)
    connection.gate = gate
    #expect(gate.close(within: .zero))
    try fault(.suspended) { try connection.stepWatch.checkTrees() }
    #expect(!connection.stepWatch.areTreesSound)
    #expect(gate.open())
    try connection.stepWatch.checkTrees()
    #expect(connection.stepWatch.areTreesSound)
  }

  @Test func `P7: a statement that suspending has ended says so after the store resumes, too`()
    throws
  {
    try RawDatabase(path).rows("CREATE TABLE number (x)")
    let connection = try Connection(path: path, .readOnly)
    let gate = FileGate(path: path)
    connection.gate = gate
    let other = try connection.statement("SELECT 1")
    let statement = try connection.statement("SELECT COUNT(*) FROM (\(Self.numbers(1_000_000)))")
    #expect(gate.close(within: .zero))
    let code = sqlite3_step(statement.handle)
    #expect(code == SQLITE_INTERRUPT)
    #expect(gate.open())
    #expect(connection.fault(code).kind == .suspended)
    statement.reset(clearing: false)
    // The next statement isn't the one that was ended.
    try other.run()
    #expect(connection.fault(code).kind == .other)
  }

  @Test(.plainFile, arguments: [false, true])
  func `P7: counting all ends, though it is a single step to SQLite`(_ isSQL: Bool) async throws {
    // Older versions aren't known to look for an interruption while they count.
    guard sqlite3_libversion_number() >= 3_040_000 else { return }
    await #expect(processExitsWith: .success) { [isSQL = isSQL as Bool] in
      alarm(1200)
      let path = temporaryPath()
      try makeLetters(path)
      // The shortest tree that has them all leads to more entries than anybody could count.
      let tree = try CraftedTree(path, of: "signalbox_index on \"Letter\"%")
      try editBytes(path) { tree.chain(&$0, width: 300, depth: 8) }
      let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
      let store = try Store(.custom { storage }, entities: [Letter.self, Stamp.self])
      // This read leaves its connection for the next one.
      _ = try store.count(Query<Stamp>())
      let statements = try storage.idle.withLock { idle in
        try idle.connections.last?.statements(of: Letter.schema.entity)
      }
      precondition(statements != nil)
      // A first count would be given up after a second, for one of many steps.
      statements?.counted = .max
      let isOver = AtomicWord(0)
      let thread = TestThread {
        do {
          let count =
            isSQL
            ? try store.sql("SELECT COUNT(*) FROM Letter", as: Int.self, reading: [Letter.self])[0]
            : try store.count(Query<Letter>())
          recordIssue("There are \(count) letters")
        } catch StoreError.storage(let fault) {
          expectTrue(fault.kind == .suspended, "\(fault)")
        } catch { recordIssue("\(error)") }
        isOver.store(1)
      }
      precondition(!becomesTrueBlocking(within: .milliseconds(200)) { isOver.load() == 1 })
      precondition(store.suspend(within: .seconds(300)))
      thread.join()
      store.resume()
      expectEqual(try store.count(Query<Stamp>()), 2)
    }
  }
}
