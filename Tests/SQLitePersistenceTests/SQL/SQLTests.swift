import EntityStore
import FetchedObjects
import Fixtures
import FoundationSupport
import SQLitePersistence
import TestSupport
import Testing

import struct Foundation.Date

private struct Sale: Entity {
  let id: Int
  var maker: String
  var price: Int
  var sold: Date?
  var next: Ref<Sale>?
  static let attributes = Attributes(
    .id(\Sale.id), .attribute("maker", \.maker), .attribute("price", \.price),
    .attribute("sold", \.sold), .one("next", \.next))
  static let schema = Schema(attributes, Sale.init)
}

private struct Other: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Other.id))
  static let schema = Schema(attributes, Other.init)
}

/// A remark whose attributes had names in capitals.
private enum Loud {
  struct Remark: Entity {
    let id: Int
    var text: String?
    var size: Int
    static let attributes = Attributes(
      .id(\Remark.id), .attribute("TEXT", \.text), .attribute("Size", \.size))
    static let schema = Schema(attributes, Remark.init)
  }
}

private struct Remark: Entity, Decodable, Equatable {
  let id: Int
  var text: String?
  var size: Int
  static let attributes = Attributes(
    .id(\Remark.id), .attribute("text", \.text), .attribute("size", \.size))
  static let schema = Schema(attributes, Remark.init)
}

private struct Total: Decodable, Equatable {
  enum Kind: String, Decodable { case dear, cheap }

  var maker: String
  var total: Int
  var last: Date?
  var kind: Kind
}

@Suite struct `P6: SQL that only reads` {
  private static let date = Date(timeIntervalSince1970: 1_000)

  private func makeStore(_ storage: TestStorage = .file) throws -> Store {
    let store = try storage.makeStore(Sale.self, Other.self)
    try store.commit { draft in
      try draft.insert(
        contentsOf: [
          Sale(id: 1, maker: "A", price: 10, sold: Self.date, next: nil),
          Sale(id: 2, maker: "B", price: 3, sold: nil, next: Ref(1)),
          Sale(id: 3, maker: "A", price: 5, sold: nil, next: Ref(2)),
        ])
      try draft.insert(Other(id: 1))
    }
    return store
  }

  @Test func `A row is decoded by the names of its columns`() throws {
    let store = try makeStore()
    let totals = try store.sql(
      """
      SELECT \(\Sale.maker) AS maker, SUM(\(\Sale.price)) AS total, MAX(sold) AS last,
        IIF(SUM(price) > \(10), 'dear', 'cheap') AS kind
      FROM \(Sale.self) GROUP BY 1 ORDER BY 2 DESC;
      """, as: Total.self, reading: [Sale.self])
    #expect(
      totals == [
        Total(maker: "A", total: 15, last: Self.date, kind: .dear),
        Total(maker: "B", total: 3, last: nil, kind: .cheap),
      ])
    let ids = try store.sql(
      "SELECT id FROM \(Sale.self) WHERE id IN (\(values: [1, 3])) ORDER BY id", as: Int.self,
      reading: [Sale.self])
    #expect(ids == [1, 3])
    let dates = try store.sql(
      "SELECT sold FROM \(Sale.self) ORDER BY id", as: Date?.self, reading: [Sale.self])
    #expect(dates == [Self.date, nil, nil])
    let references = try store.sql(
      "SELECT next FROM \(Sale.self) WHERE id = \(3)", as: Ref<Sale>.self, reading: [Sale.self])
    #expect(references == [Ref(2)])
  }

  @Test func `Recursion, windows of rows and JSON are read`() throws {
    let store = try makeStore()
    let chain = try store.sql(
      """
      WITH RECURSIVE chain(id, depth) AS (
        VALUES(\(3), 0)
        UNION ALL
        SELECT s.next, depth + 1 FROM chain JOIN \(Sale.self) AS s ON s.id = chain.id
        WHERE s.next IS NOT NULL)
      SELECT id FROM chain ORDER BY depth
      """, as: Int.self, reading: [Sale.self])
    #expect(chain == [3, 2, 1])
    let running = try store.sql(
      "SELECT SUM(price) OVER (ORDER BY id) FROM \(Sale.self)", as: Int.self,
      reading: [Sale.self])
    #expect(running == [10, 13, 18])
    let counted: [SQL] = [
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3) SELECT COUNT(*) FROM c",
      "WITH c AS MATERIALIZED (SELECT id FROM \(Sale.self)) SELECT COUNT(*) FROM c",
      "WITH p(x) AS (VALUES (1)) SELECT COUNT(*) FROM p CROSS JOIN \(Sale.self)",
      "SELECT COUNT(*) FROM (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)",
    ]
    for sql in counted { #expect(try store.sql(sql, as: Int.self) == [3], "\(sql)") }
    let elements = try store.sql(
      "SELECT value FROM json_each(\("[1,2,3]"))", as: Int.self, reading: [])
    #expect(elements == [1, 2, 3])
    let leaves = try store.sql(
      "SELECT atom FROM json_tree(\("[1,[2]]")) WHERE atom IS NOT NULL", as: Int.self, reading: [])
    #expect(leaves == [1, 2])
  }

  @Test func `A value never becomes a part of the statement`() throws {
    let store = try makeStore()
    for text in ["'; DROP TABLE Sale; --", "\" OR 1=1 --", "?", "A' OR '1'='1", "\u{0}"] {
      let found = try store.sql(
        "SELECT id FROM \(Sale.self) WHERE maker = \(text)", as: Int.self, reading: [Sale.self])
      #expect(found == [], "\(text)")
    }
    #expect(try store.count(Query<Sale>()) == 3)
    let sql: SQL = "SELECT \(1), \("x") FROM \(Sale.self) WHERE \(\Sale.maker) = \("A")"
    #expect(sql.text == #"SELECT ?, ? FROM "Sale" WHERE "maker" = ?"#)
    let part: SQL = "\(\Sale.price) > \(4)"
    let whole: SQL = "SELECT id FROM \(Sale.self) WHERE \(part) AND maker = \("A") ORDER BY id"
    #expect(try store.sql(whole, as: Int.self) == [1, 3])
    #expect(throws: StoreError.refusedSQL("SELECT ?", reason: "a value of it is NaN; use nil")) {
      try store.sql("SELECT \(Double.nan)", as: Double.self)
    }
    #expect("\(sql)" == #"SELECT ?, ? FROM "Sale" WHERE "maker" = ? with 1, "x", "A""#)
  }

  @Test(
    .oneThread,
    arguments: [
      ("UPDATE Sale SET price = 1", "more than read"), ("DELETE FROM Sale", "more than read"),
      ("INSERT INTO Sale VALUES (9, 'a', 1, NULL, NULL)", "more than read"),
      ("DROP TABLE Sale", "more than read"), ("CREATE TABLE x (y)", "more than read"),
      ("CREATE TEMP TABLE x AS SELECT 1", "more than read"),
      ("PRAGMA user_version = 3", "more than"),
      ("PRAGMA table_info(Sale)", "more than read"),
      ("ATTACH ':memory:' AS other", "more than read"),
      ("BEGIN", "more than read"), ("COMMIT", "more than read"), ("ROLLBACK", "more than read"),
      ("SAVEPOINT a", "more than read"), ("VACUUM", "more than read"),
      ("ANALYZE", "more than read"),
      ("REINDEX", "more than read"), ("DETACH main", "more than read"),
      ("SELECT 1; SELECT 2", "one statement"), ("SELECT 1; DROP TABLE Sale", "one statement"),
      ("", "one statement"), ("-- nothing", "one statement"), ("SELECT", "incomplete input"),
      ("SELECT missing FROM Sale", "no such column"), ("SELECT 1 FROM Nowhere", "no such table"),
      ("SELECT ? FROM Sale", "1 parameters and 0 values"), ("SELECT * FROM Other", "table Other"),
      ("SELECT (SELECT COUNT(*) FROM Other)", "table Other"),
      ("SELECT * FROM sqlite_schema", "reads sqlite_master"),
      ("SELECT * FROM signalbox_log", "reads signalbox_log"),
      ("SELECT * FROM pragma_table_info('Sale')", "pragma_table_info"),
      ("SELECT COUNT(*) FROM sqlite_schema", "reads sqlite_schema"),
      ("SELECT COUNT(*) FROM signalbox_log", "reads signalbox_log"),
      ("SELECT COUNT(*) FROM pragma_database_list", "pragma_database_list"),
      ("SELECT COUNT(*) FROM dbstat, json_each('[1]')", "more than read"),
      ("SELECT id FROM Sale LIMIT 'x'", "datatype mismatch"),
      ("SELECT rtreecheck('main', 'x')", "rtreecheck"),
      ("SELECT COUNT(*) FROM Other", "table Other"),
      ("WITH signalbox_log AS (SELECT 1 AS x) SELECT COUNT(*) FROM signalbox_log", "signalbox_log"),
      ("WITH s AS (SELECT * FROM other) SELECT 1 FROM s", "table Other"),
      ("SELECT Load_Extension('x')", "calls load_extension"),
      ("SELECT json('{')", "malformed JSON"),
      ("SELECT abs(-9223372036854775808)", "integer overflow"),
      ("WITH x AS (SELECT 1) INSERT INTO Sale SELECT 9, 'a', 1, NULL, NULL", "more than read"),
      ("EXPLAIN DELETE FROM Sale", "more than read"),
    ])
  func `Anything but one statement that reads what was named is refused`(
    _ text: String, _ reason: String
  ) throws {
    let store = try makeStore()
    var sql = SQL(stringLiteral: text)
    do {
      _ = try store.sql(sql, as: Int?.self, reading: [Sale.self])
      Issue.record("\(text) was read")
    } catch StoreError.refusedSQL(let statement, let words) {
      #expect(statement == text)
      // An SQLite that is built without dbstat or extensions says that there is none.
      let isMissing =
        words.contains("no such table: dbstat") || words.contains("no such function: Load")
      #expect(words.contains(reason) || isMissing, "\(text): \(words)")
    }
    // Nothing is lost, and the connection still works.
    sql = "SELECT COUNT(*) FROM \(Sale.self)"
    #expect(try store.sql(sql, as: Int.self, reading: [Sale.self]) == [3])
    try store.commit { try $0.update(Sale.self, 1) { $0.price = 11 } }
    #expect(try store.find(Sale.self, 1)?.price == 11)
  }

  @Test func `A store in memory and a draft have no SQL`() throws {
    let words = "only a store in a file reads SQL, outside of a commit; write a query instead"
    #expect(throws: StoreError.refusedSQL("SELECT 1", reason: words)) {
      try makeStore(.memory).sql("SELECT 1", as: Int.self, reading: [])
    }
    let store = try makeStore()
    try store.commit { draft in
      #expect(throws: StoreError.refusedSQL("SELECT 1", reason: words)) {
        try draft.sql("SELECT 1", as: Int.self, reading: [])
      }
    }
    #expect(throws: StoreError.unknownEntity("Stranger")) {
      try store.sql("SELECT 1", as: Int.self, reading: [Stranger.self])
    }
  }

  @Test func `A row that isn't one of the type throws a DecodingError that names the column`()
    throws
  {
    let store = try makeStore()
    func words(_ sql: SQL) -> String {
      do {
        _ = try store.sql(sql, as: Total.self, reading: [Sale.self])
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(words("SELECT 1 AS total").contains("no column maker"))
    #expect(words("SELECT 'a' AS maker, 'b' AS total").contains("total"))
    #expect(words("SELECT 'a' AS maker, 1.5 AS total").contains("1.5"))
    #expect(words("SELECT 'a' AS maker, 1 AS total, 'none' AS kind").contains("none"))
    #expect(throws: DecodingError.self) {
      try store.sql("SELECT NULL", as: Int.self, reading: [])
    }
  }

  @Test func `A column is found after its attribute's name got other letters`() throws {
    let path = temporaryPath()
    try Store(.sqlite(path: path), entities: [Loud.Remark.self]).commit { draft in
      try draft.insert(Loud.Remark(id: 1, text: "a", size: 2))
    }
    let store = try Store(.sqlite(path: path), entities: [Remark.self])
    let wanted = [Remark(id: 1, text: "a", size: 2)]
    #expect(try store.sql("SELECT * FROM \(Remark.self)", as: Remark.self) == wanted)
    let list: SQL = "SELECT id, \(\Remark.text), \(\Remark.size) FROM \(Remark.self)"
    #expect(try store.sql(list, as: Remark.self) == wanted)
    // The exact name comes first, and of several others none is meant.
    func texts(_ sql: SQL) throws -> [String?] {
      try store.sql(sql, as: Remark.self).map(\.text)
    }
    #expect(try texts("SELECT 1 AS id, 2 AS size, 'x' AS TEXT, 'y' AS text") == ["y"])
    #expect(try texts("SELECT 1 AS id, 2 AS size, 'x' AS TEXT, 'y' AS Text") == [nil])
  }

  @Test func `One read sees one version`() throws {
    let store = try makeStore()
    try store.read { reader in
      let before = try reader.sql(
        "SELECT SUM(price) FROM Sale", as: Int.self, reading: [Sale.self])
      #expect(before == [try reader.sum(of: Query<Sale>()) { $0.price }])
    }
  }

  @Test func `F15: a value that is read by SQL follows the entities that it names`() throws {
    let store = try makeStore()
    let runs = Counter()
    let total = try ObservedValue(in: store) { reader in
      runs.add()
      return try reader.sql(
        "SELECT SUM(price) FROM \(Sale.self)", as: Int.self, reading: [Sale.self])
    }
    let events = Recorder(total.didChange)
    #expect(total.value == [18])
    try store.commit { try $0.insert(Other(id: 2)) }
    #expect(runs.value == 1)
    try store.commit { try $0.update(Sale.self, 1) { $0.price = 20 } }
    #expect(total.value == [28])
    #expect(events.values.map(\.new) == [[28]])
  }
}

private struct Stranger: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Stranger.id))
  static let schema = Schema(attributes, Stranger.init)
}
