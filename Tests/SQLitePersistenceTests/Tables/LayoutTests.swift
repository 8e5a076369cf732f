import EntityStore
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A file is plain SQL that other programs read` {
  @Test func `P6: an entity is a table with a column for each attribute`() throws {
    let path = temporaryPath()
    let store = try openGarage(path)
    try store.fill()
    let file = try RawDatabase(path)
    #expect(
      try file.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('Car')") == [
        ["id", "INTEGER", "1", "1"], ["model", "TEXT", "1", "0"], ["owner", "TEXT", "0", "0"],
        ["driver", "TEXT", "0", "0"], ["tower", "INTEGER", "0", "0"],
      ])
    #expect(
      try file.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('Person')") == [
        ["id", "TEXT", "1", "1"], ["name", "TEXT", "1", "0"], ["height", "REAL", "0", "0"],
        ["photo", "BLOB", "0", "0"],
      ])
    #expect(
      try file.rows("SELECT id, owner, tower FROM Car ORDER BY id") == [
        ["\(Int.min)", "ann", nil], ["\(Int.max)", nil, "7"],
      ])
    #expect(try file.value("SELECT hex(name) FROM Person WHERE id = 'e\u{301}'") == "610062")
    #expect(
      try file.value("SELECT typeof(height) || height FROM Person WHERE id = 'ann'") == "real0.0")
    #expect(try file.value("SELECT typeof(photo) FROM Person WHERE id = 'ann'") == "blob")
    #expect(try file.value("PRAGMA encoding") == "UTF-8")
    #expect(try file.value("PRAGMA journal_mode") == "wal")
  }

  @Test func `P6: foreign keys are deferred, without actions, and not there if late-bound`() throws
  {
    let path = temporaryPath()
    let store = try openGarage(path)
    let file = try RawDatabase(path)
    #expect(
      try file.rows(
        """
        SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list('Car')
        ORDER BY "from"
        """) == [
          ["Person", "driver", "id", "NO ACTION", "NO ACTION"],
          ["Person", "owner", "id", "NO ACTION", "NO ACTION"],
        ])
    let sql = try #require(try file.value("SELECT sql FROM sqlite_master WHERE name = 'Car'"))
    #expect(sql.ranges(of: "DEFERRABLE INITIALLY DEFERRED").count == 2)
    withExtendedLifetime(store) {}
  }

  @Test func `S8: every collation is BINARY, and references and rules have indexes`() throws {
    let path = temporaryPath()
    let store = try openGarage(path)
    let file = try RawDatabase(path)
    let collations = try file.rows(
      """
      SELECT DISTINCT x.coll FROM pragma_index_list('Car') AS l, pragma_index_xinfo(l.name) AS x
      UNION SELECT x.coll FROM pragma_index_list('Person') AS l, pragma_index_xinfo(l.name) AS x
      """)
    #expect(collations == [["BINARY"]])
    #expect(
      try file.value("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%COLLATE%'") == "0")
    let indexed = try file.rows(
      """
      SELECT l."unique", group_concat(i.name) FROM pragma_index_list('Car') AS l,
      pragma_index_info(l.name) AS i GROUP BY l.name ORDER BY 1, 2
      """)
    #expect(
      indexed == [
        ["0", "driver"], ["0", "model,owner"], ["0", "owner"], ["0", "tower"], ["1", "model"],
      ])
    withExtendedLifetime(store) {}
  }

  @Test func `P5: the log row's number is the version`() throws {
    let path = temporaryPath()
    let store = try openGarage(path)
    let file = try RawDatabase(path)
    #expect(try file.value("SELECT count(*) FROM signalbox_log") == "0")
    for version in 1...5 {
      try store.commit { try $0.upsert(Person(id: "a", name: "\(version)")) }
      #expect(try file.value("SELECT max(version) FROM signalbox_log") == "\(version)")
      #expect(try store.version == Int64(version))
    }
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(Person(id: "a", name: "")) }
    }
    #expect(try file.value("SELECT count(*) FROM signalbox_log") == "5")
  }

  @Test func `P5: a long log loses its oldest rows and no version`() throws {
    let path = temporaryPath()
    var store = try openGarage(path)
    for number in 1...1300 {
      try store.commit { try $0.upsert(Person(id: "a", name: "\(number)")) }
    }
    let file = try RawDatabase(path)
    let count = try #require(
      try file.value("SELECT count(*) FROM signalbox_log").flatMap { Int($0) })
    #expect((1024...1280).contains(count))
    store = try openGarage(path)
    #expect(try store.version == 1300)
  }

  @Test func `P6: random commits leave no broken key and an intact file`() throws {
    let path = temporaryPath()
    let store = try openGarage(path)
    var generator = SeededGenerator(number: 3)
    let people = (0..<8).map { "p\($0)" }
    for _ in 0..<150 {
      do {
        try store.commit { draft in
          for _ in 0..<4 {
            let person = people.randomElement(using: &generator) ?? ""
            let other = people.randomElement(using: &generator) ?? ""
            let car = Int.random(in: 0..<12, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try draft.upsert(Person(id: person, name: person))
            case 1:
              try draft.upsert(
                Car(
                  id: car, model: "\(Int.random(in: 0..<30, using: &generator))",
                  owner: Ref(person), driver: generator.chance(0.5) ? nil : Ref(other),
                  tower: Ref(car + 1)))
            case 2:
              if try draft.find(Person.self, person) != nil {
                try draft.delete(Person.self, person)
              }
            default: if try draft.find(Car.self, car) != nil { try draft.delete(Car.self, car) }
            }
          }
        }
      } catch is StoreError {}
    }
    let file = try RawDatabase(path)
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    #expect(try store.version > 50)
  }

  @Test func `P6: names may be anything, keywords and quotes included`() throws {
    let path = temporaryPath()
    for _ in 0..<2 {
      let store = try Store(.sqlite(path: path), entities: [Order.self])
      try store.commit { draft in
        let old = try draft.find(Order.self, 1)
        try draft.upsert(Order(id: 1, from: (old?.from ?? 0) + 1, order: Ref(1)))
      }
      let query = Query<Order>()
        .filter {
          $0.order.from > 0
          $0.orders.any { $0.accent == "" }
        }
        .sorted { [$0.order.quote.descending] }
      #expect(try store.fetch(query).count == 1)
      #expect(try store.count(query) == 1)
    }
    let file = try RawDatabase(path)
    #expect(try file.value("SELECT \"from\" FROM \"SELECT \"\"; -- \"") == "2")
  }

  @Test func `S6: what another program wrote and no attribute holds is named`() throws {
    let path = temporaryPath()
    let store = try Store(.sqlite(path: path), entities: [Flag.self])
    try store.commit { try $0.insert(Flag(id: 1, isUp: true)) }
    try RawDatabase(path).rows("UPDATE Flag SET isUp = 7")
    let unreadable = StoreError.unreadable(
      ObjectID(Flag.self, 1), attribute: "isUp", found: .integer(7))
    #expect(throws: unreadable) { try store.find(Flag.self, 1) }
    #expect(throws: unreadable) { try store.fetch(Query<Flag>()) }
    #expect(try store.count(Query<Flag>()) == 1)
  }
}

struct Flag: Entity {
  let id: Int
  var isUp: Bool
  static let attributes = Attributes(.id(\Flag.id), .attribute("isUp", \.isUp))
  static let schema = Schema(attributes, Flag.init)
}

/// An entity whose names are all traps.
struct Order: Entity {
  let id: Int
  var from: Int
  var accent = ""
  var quote: String? = nil
  var order: Ref<Order>?
  static let attributes = Attributes(
    .id(\Order.id, name: "rowid\"x"), .attribute("from", \.from),
    // One Character with the quote, but the quote is there.
    .attribute("a\"\u{301}b", \.accent), .attribute("'; DROP TABLE x; --", \.quote),
    .one("order", \.order, inverse: \.orders))
  static let schema = Schema(
    attributes, Order.init, rules: [.unique(\.from, \.quote), .index(\.accent)])
  static var entityName: String { "SELECT \"; -- " }
}

extension Order {
  var orders: Many<Order, Order> { Many(\.order) }
}
