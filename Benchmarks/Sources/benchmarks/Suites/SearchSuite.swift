import CSQLiteBaseline
import EntityStore
import FetchedObjects
import SQLitePersistence

/// What it costs to find words and parts of words in 50,000 texts.
extension BenchmarkSuite {
  static let search = BenchmarkSuite {
    for (name, isFile) in [("search", false), ("search-file", true)] {
      Benchmark(
        "FetchedObjects/\(name)/50000", unit: .microseconds, aim: 1.5,
        measured: .loop {
          let memos = try Memos(50_000)
          let store = try isFile ? memos.store() : memos.storeInMemory()
          let query = Query<Memo>().matching("tea gard*")
          let expected = try memos.matching()
          return { iterations in
            for _ in 0..<iterations { try expect(expected, try store.fetch(query).count) }
            withExtendedLifetime(memos) {}
          }
        },
        baseline: .loop("FTS5 through the C API") {
          let memos = try Memos(50_000)
          let database = try SQLiteMemos(path: memos.path, isSearching: true)
          let expected = try memos.matching()
          return { iterations in
            for _ in 0..<iterations {
              try expect(expected, try database.rows("\"tea\" AND \"gard\" *").count)
            }
            withExtendedLifetime(memos) {}
          }
        })
    }
    for (name, isFile) in [("contains-folded", false), ("contains-folded-file", true)] {
      Benchmark(
        "EntityStore/\(name)/50000", unit: .milliseconds, aim: 5,
        measured: .loop {
          let memos = try Memos(50_000)
          let store = try isFile ? memos.store() : memos.storeInMemory()
          let query = Query<Memo>().filter {
            $0.text.contains("bamya", ignoring: [.case, .diacritics])
          }
          return { iterations in
            for _ in 0..<iterations { try expect(500, try store.fetch(query).count) }
            withExtendedLifetime(memos) {}
          }
        },
        baseline: .loop("LIKE through the C API") {
          let memos = try Memos(50_000)
          let database = try SQLiteMemos(path: memos.path, isSearching: false)
          return { iterations in
            for _ in 0..<iterations { try expect(500, try database.rows("%bamya%").count) }
            withExtendedLifetime(memos) {}
          }
        })
    }
  }

  private static func expect(_ expected: Int, _ found: Int) throws {
    guard found == expected, found > 0 else {
      throw BenchmarkError.wrong("\(found) and not \(expected)")
    }
  }
}

/// A short text to search in.
private struct Memo: Entity {
  let id: Int
  var text: String

  static let attributes = Attributes(.id(\Memo.id), .attribute("text", \.text))
  static let schema = Schema(attributes, Memo.init, rules: [.fullText(\.text)])

  private static let words = [
    "green", "tea", "garden", "milk", "market", "gardener", "street", "window", "paper", "music",
    "river", "stone", "letter", "summer", "winter", "bread", "salt", "honey", "cloud", "train",
  ]

  /// Ten words; one text of a hundred has "Bamya", one of fifty has an accent, and the words that
  /// are searched for are in one text of many.
  init(number: Int) {
    var number = UInt64(number)
    id = Int(number)
    var words: [String] = id % 100 == 0 ? ["Bamya"] : id % 50 == 1 ? ["Café"] : []
    number = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    while words.count < 10 {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let pick = Int(truncatingIfNeeded: number >> 33)
      // Half of the words are rare.
      words.append(pick % 2 == 0 ? "w\(pick % 20_000)" : Self.words[pick / 2 % Self.words.count])
    }
    text = words.joined(separator: " ")
  }

  init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

/// A file of memos, which goes with the value.
private struct Memos {
  let path: String
  private let count: Int
  private let folder: TemporaryFolder

  init(_ count: Int) throws {
    folder = try TemporaryFolder()
    path = folder.freshPath()
    self.count = count
    try fill(store())
  }

  private func fill(_ store: Store) throws {
    try store.commit { draft in
      for id in 0..<count { try draft.insert(Memo(number: id)) }
    }
  }

  func store() throws -> Store {
    try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: [Memo.self])
  }

  func storeInMemory() throws -> Store {
    let store = try Store(.inMemory, entities: [Memo.self])
    try fill(store)
    return store
  }

  /// The number of memos that have "tea" and a word that starts with "gard".
  func matching() throws -> Int {
    (0..<count).count { id in
      let words = Memo(number: id).text.split(separator: " ")
      return words.contains("tea") && words.contains { $0.hasPrefix("gard") }
    }
  }
}

/// The same texts through the C API, with an index of FTS5's own.
private final class SQLiteMemos {
  private var handle: OpaquePointer?
  private var select: OpaquePointer?

  init(path: String, isSearching: Bool) throws {
    try Self.check(sqlite3_open(path, &handle))
    let setup =
      isSearching
      ? """
      CREATE VIRTUAL TABLE temp.words USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2');
      INSERT INTO temp.words (rowid, text) SELECT id, text FROM Memo;
      """ : ""
    try Self.check(sqlite3_exec(handle, setup, nil, nil, nil))
    let condition =
      isSearching ? "id IN (SELECT rowid FROM temp.words WHERE words MATCH ?)" : "text LIKE ?"
    let sql = "SELECT id, text FROM Memo WHERE \(condition) ORDER BY id"
    try Self.check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &select, nil))
  }

  deinit {
    sqlite3_finalize(select)
    sqlite3_close(handle)
  }

  func rows(_ pattern: String) throws -> [Memo] {
    var memos: [Memo] = []
    defer { sqlite3_reset(select) }
    try Self.check(
      sqlite3_bind_text(select, 1, pattern, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    )
    while sqlite3_step(select) == SQLITE_ROW {
      memos.append(
        Memo(
          id: Int(sqlite3_column_int64(select, 0)),
          text: sqlite3_column_text(select, 1).map { String(cString: $0) } ?? ""))
    }
    return memos
  }

  private static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw BenchmarkError.wrong("SQLite's code is \(code)") }
  }
}
