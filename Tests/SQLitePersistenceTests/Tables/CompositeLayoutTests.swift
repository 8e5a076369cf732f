import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Stall: Entity {
  struct ID: CompositeID {
    var hall: String
    var number: Int
    var level: Double
    var code: [UInt8]
  }

  let id: ID
  var rent: Int?
  var beside: Ref<Stall>?
  static let attributes = Attributes(
    .id(
      \Stall.id, ID.init, .part("hall", \.hall), .part("number", \.number), .part("level", \.level),
      .part("code", \.code)),
    .attribute("rent", \.rent),
    .one("beside", \.beside))
  static let schema = Schema(attributes, Stall.init)
}

private struct Lease: Entity {
  struct ID: CompositeID { var number: Int }

  let id: ID
  var stall: Ref<Stall>
  var former: Ref<Stall>?
  var planned: Ref<Stall>?
  var year = 0
  static let attributes = Attributes(
    .id(\Lease.id, ID.init, .part("number", \.number)), .one("stall", \.stall),
    .one("former", \.former), .one("planned", \.planned, lateBound: true),
    .attribute("year", \.year))
  static let schema = Schema(
    attributes, Lease.init, rules: [.unique(\.stall, \.year), .index(\.year, \.former)])
}

@Suite struct `An id of several parts has a column for each part` {
  private static let first = Stall.ID(hall: "a\0b", number: .min, level: -0.0, code: [])
  private static let second = Stall.ID(hall: "e\u{301}", number: .max, level: .infinity, code: [0])

  private func open(_ path: String) throws -> Store {
    try Store(.sqlite(path: path, durability: .normal), entities: [Stall.self, Lease.self])
  }

  private func fill(_ store: Store) throws {
    try store.commit { draft in
      try draft.insert(Stall(id: Self.first, rent: 5, beside: Ref(Self.second)))
      try draft.insert(Stall(id: Self.second))
      try draft.insert(
        Lease(id: .init(number: 7), stall: Ref(Self.second), planned: Ref(Self.first), year: 1))
    }
  }

  @Test func `P6: the parts are columns of their types, and together the primary key`() throws {
    let path = temporaryPath()
    try fill(open(path))
    let file = try RawDatabase(path)
    #expect(
      try file.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('Stall')") == [
        ["hall", "TEXT", "1", "1"], ["number", "INTEGER", "1", "2"], ["level", "REAL", "1", "3"],
        ["code", "BLOB", "1", "4"], ["rent", "INTEGER", "0", "0"],
        ["beside_hall", "TEXT", "0", "0"], ["beside_number", "INTEGER", "0", "0"],
        ["beside_level", "REAL", "0", "0"], ["beside_code", "BLOB", "0", "0"],
      ])
    #expect(
      try file.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('Lease')") == [
        ["number", "INTEGER", "1", "1"], ["stall_hall", "TEXT", "1", "0"],
        ["stall_number", "INTEGER", "1", "0"], ["stall_level", "REAL", "1", "0"],
        ["stall_code", "BLOB", "1", "0"], ["former_hall", "TEXT", "0", "0"],
        ["former_number", "INTEGER", "0", "0"], ["former_level", "REAL", "0", "0"],
        ["former_code", "BLOB", "0", "0"], ["planned_hall", "TEXT", "0", "0"],
        ["planned_number", "INTEGER", "0", "0"], ["planned_level", "REAL", "0", "0"],
        ["planned_code", "BLOB", "0", "0"], ["year", "INTEGER", "1", "0"],
      ])
    #expect(
      try file.rows(
        "SELECT hex(hall), number, level, hex(code), beside_number FROM Stall ORDER BY 2")
        == [
          ["610062", "\(Int.min)", "0.0", "", "\(Int.max)"],
          ["65CC81", "\(Int.max)", "Inf", "00", nil],
        ])
    #expect(
      try file.rows("SELECT number, hex(stall_code), former_hall, planned_number FROM Lease") == [
        ["7", "00", nil, "\(Int.min)"]
      ])
  }

  @Test func `P6: a foreign key names all parts, and a late-bound reference has none`() throws {
    let path = temporaryPath()
    try fill(open(path))
    let file = try RawDatabase(path)
    func keys(_ table: String) throws -> [[String?]] {
      try file.rows(
        """
        SELECT "table", group_concat("from"), group_concat("to") FROM
        (SELECT * FROM pragma_foreign_key_list('\(table)') ORDER BY id, seq)
        GROUP BY id ORDER BY "from"
        """)
    }
    let parts = "hall,number,level,code"
    #expect(
      try keys("Stall") == [
        ["Stall", "beside_hall,beside_number,beside_level,beside_code", parts]
      ])
    #expect(
      try keys("Lease") == [
        ["Stall", "former_hall,former_number,former_level,former_code", parts],
        ["Stall", "stall_hall,stall_number,stall_level,stall_code", parts],
      ])
    #expect(
      try file.value(
        "SELECT count(*) FROM pragma_foreign_key_list('Lease') WHERE on_delete <> 'NO ACTION'")
        == "0")
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    // The key that another program would break is one of the file.
    try file.rows("PRAGMA foreign_keys = ON")
    #expect(throws: RawDatabase.Failure.self) {
      try file.rows("UPDATE Lease SET stall_number = 3")
    }
  }

  @Test func `P6: references and rules index all parts`() throws {
    let path = temporaryPath()
    try fill(open(path))
    let file = try RawDatabase(path)
    func indexes(_ table: String) throws -> [[String?]] {
      try file.rows(
        """
        SELECT "unique", group_concat(name) FROM
        (SELECT l."unique", l.name AS key, i.name FROM pragma_index_list('\(table)') AS l,
         pragma_index_info(l.name) AS i ORDER BY l.name, i.seqno)
        GROUP BY key ORDER BY 1, 2
        """)
    }
    #expect(
      try indexes("Stall") == [
        ["0", "beside_hall,beside_number,beside_level,beside_code"],
        ["1", "hall,number,level,code"],
      ])
    #expect(
      try indexes("Lease") == [
        ["0", "former_hall,former_number,former_level,former_code"],
        ["0", "planned_hall,planned_number,planned_level,planned_code"],
        ["0", "stall_hall,stall_number,stall_level,stall_code"],
        ["0", "year,former_hall,former_number,former_level,former_code"],
        ["1", "stall_hall,stall_number,stall_level,stall_code,year"],
      ])
  }

  @Test func `P2: a file that is opened again has the same objects`() throws {
    let path = temporaryPath()
    try fill(open(path))
    for year in 2...4 {
      let store = try open(path)
      #expect(try store.version == Int64(year) - 1)
      let stall = try #require(try store.find(Stall.self, Self.first))
      #expect(stall.beside == Ref(Self.second))
      #expect(stall.rent == 5)
      let lease = try #require(try store.find(Lease.self, .init(number: 7)))
      #expect(lease.stall == Ref(Self.second))
      #expect(lease.former == nil && lease.planned == Ref(Self.first))
      #expect(
        try store.find(Lease.self, by: (\.stall, Ref(Self.second)), (\.year, year - 1)) != nil)
      #expect(throws: StoreError.self) {
        try store.commit { try $0.delete(Stall.self, Self.second) }
      }
      try store.commit { draft in try draft.update(Lease.self, .init(number: 7)) { $0.year = year }
      }
    }
  }

  @Test func `P3: a file whose ids have other parts is refused by name`() throws {
    struct Other: Entity {
      struct ID: CompositeID {
        var hall: String
        var number: Int
      }
      let id: ID
      var level: Double
      var code: [UInt8]
      var rent: Int?
      static let attributes = Attributes(
        .id(\Other.id, ID.init, .part("hall", \.hall), .part("number", \.number)),
        .attribute("level", \.level), .attribute("code", \.code), .attribute("rent", \.rent))
      static let schema = Schema(attributes, Other.init)
      static var entityName: String { "Stall" }
    }
    struct Simple: Entity {
      let id: String
      static let attributes = Attributes(.id(\Simple.id, name: "hall"))
      static let schema = Schema(attributes, Simple.init)
      static var entityName: String { "Stall" }
    }
    let path = temporaryPath()
    try Store(.sqlite(path: path), entities: [Other.self]).commit {
      try $0.insert(Other(id: .init(hall: "a", number: 1), level: 1, code: []))
    }
    for entity in [Simple.self, Stall.self] as [any Entity.Type] {
      do {
        _ = try Store(.sqlite(path: path), entities: [entity])
        Issue.record("\(entity) opens")
      } catch StoreError.storage(let fault) {
        #expect(fault.kind == .schemaMismatch)
        #expect(fault.message.contains("the table of Stall"))
      }
    }
    _ = try Store(.sqlite(path: path), entities: [Other.self])
  }

  @Test func `S7 S8: a reference of which a tool has left a part out is nil as a whole`() throws {
    let path = temporaryPath()
    let store = try open(path)
    try fill(store)
    try store.commit { draft in
      for number in 1...3 {
        try draft.insert(
          Lease(
            id: .init(number: number), stall: Ref(Self.second), former: Ref(Self.first),
            year: 10 * number))
      }
      try draft.update(Lease.self, .init(number: 3)) { $0.former = nil }
    }
    try RawDatabase(path).rows(
      "UPDATE Lease SET former_hall = NULL, former_level = NULL WHERE number = 2")
    try store.refresh()
    func numbers(_ query: Query<Lease>) throws -> [Int] {
      try store.fetch(query).map(\.id.number)
    }
    let queries = [
      Query<Lease>().filter { $0.former == nil }, Query<Lease>().filter { $0.former != nil },
      Query<Lease>().filter { !($0.former == nil) }.sorted { [$0.former.id.ascending] },
      Query<Lease>().sorted { [$0.former.id.descending, $0.id.descending] },
      Query<Lease>().sorted { [$0.former.id.ascending] }.limit(2),
    ]
    #expect(try numbers(queries[0]) == [2, 3, 7])
    #expect(try numbers(queries[1]) == [1])
    for query in queries {
      // In a draft that has written, conditions and orders are judged in memory.
      var inMemory: [Int] = []
      try store.commit { draft in
        try draft.update(Lease.self, .init(number: 7)) { $0.year += 1 }
        inMemory = try draft.fetch(query).map { $0.id.number }
      }
      #expect(try numbers(query) == inMemory, "\(query)")
    }
  }
}
