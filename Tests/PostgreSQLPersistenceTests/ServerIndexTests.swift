#if PostgreSQL
@_spi(Inspection) @_spi(Storage) import EntityStore
import PostgreSQLPersistence
import TestSupport
import Testing

@Suite struct ServerIndexTests {
  private struct Seat: Entity {
    struct ID: CompositeID {
      var coach: String
      var number: Int
    }

    let id: ID
    static let attributes = Attributes(
      .id(\Seat.id, ID.init, .part("coach", \.coach), .part("number", \.number)))
    static let schema = Schema(attributes, Seat.init)
  }

  private struct Passenger: Entity {
    let id: Int
    var seat: Ref<Seat>?
    static let attributes = Attributes(.id(\Passenger.id), .one("seat", \.seat))
    static let schema = Schema(attributes, Passenger.init)
  }

  private struct Note: Entity {
    let id: Int
    var text: String
    static let attributes = Attributes(.id(\Note.id), .attribute("text", \.text))
    static let schema = Schema(attributes, Note.init)
  }

  private struct IndexedNote: Entity {
    let id: Int
    var text: String
    static let attributes = Attributes(.id(\IndexedNote.id), .attribute("text", \.text))
    static let schema = Schema(attributes, IndexedNote.init, rules: [.index(\.text)])
    static var entityName: String { "Note" }
  }

  private struct RenamedNote: Entity {
    let id: Int
    var body: String
    static let attributes = Attributes(
      .id(\RenamedNote.id), .attribute("body", \.body, renamedFrom: "text"))
    static let schema = Schema(attributes, RenamedNote.init, rules: [.index(\.body)])
    static var entityName: String { "Note" }
  }

  private struct RankedNote: Entity {
    let id: Int
    var body: String
    var rank: Int
    static let attributes = Attributes(
      .id(\RankedNote.id), .attribute("body", \.body, renamedFrom: "text"),
      .attribute("rank", \.rank, default: 1))
    static let schema = Schema(attributes, RankedNote.init)
    static var entityName: String { "Note" }
  }

  @Test func `P4: an older program that starts again leaves the index of a newer one`() throws {
    let place = try ToolPlace()
    let (role, schema) = ("role of \(place.schema)", place.schema)
    func open(_ entity: any Entity.Type, _ user: String = "postgres") throws {
      _ = try Store(
        .postgreSQL(
          place.connectionString + " user='\(user)'", schema: place.schema, durability: .normal,
          waiting: patience),
        entities: [entity])
    }
    func hasOneIndex() -> Bool {
      place.psql(
        """
        SELECT 1 / (count(*) = 1)::int FROM pg_indexes
        WHERE schemaname = current_schema() AND tablename = 'Note' AND indexname LIKE 'signalbox%'
        """)
    }
    try open(Note.self)
    #expect(!hasOneIndex())
    try open(IndexedNote.self)
    #expect(hasOneIndex())
    #expect(
      Tool.run(
        place.connectionString, "CREATE ROLE \"\(role)\" LOGIN",
        "GRANT USAGE ON SCHEMA \"\(schema)\" TO \"\(role)\"",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"\(schema)\" TO \"\(role)\"")
    )
    for user in ["postgres", role] {
      try open(Note.self, user)
      #expect(hasOneIndex())
    }
    try open(RenamedNote.self)
    #expect(hasOneIndex())
    // A change of the columns takes it along.
    try open(RankedNote.self)
    #expect(!hasOneIndex())
  }

  @Test func `S5: a read and a store that only brings a new index don't wait for each other`()
    throws
  {
    let place = try ToolPlace()
    let store = try place.open([Note.self])
    try store.commit { try $0.insert(Note(id: 1, text: "a")) }
    let hasEnded = Counter()
    var opening: TestThread?
    try store.read { reader in
      expectEqual(try reader.count(Query<Note>()), 1)
      opening = TestThread {
        do { _ = try place.open([IndexedNote.self]) } catch { Issue.record(error) }
        hasEnded.set(1)
      }
      expectTrue(becomesTrueBlocking { hasEnded.value == 1 })
      expectEqual(try reader.count(Query<Note>()), 1)
    }
    opening?.join()
    #expect(
      place.psql(
        """
        SELECT 1 / (count(*) = 1)::int FROM pg_indexes
        WHERE schemaname = current_schema() AND tablename = 'Note' AND indexname LIKE 'signalbox%'
        """))
    #expect(try store.count(Query<Note>()) == 1)
  }

  @Test func `S7: objects are found by a composite id, and by a reference to one, by an index`()
    throws
  {
    let place = try ToolPlace()
    let store = try place.open([Seat.self, Passenger.self])
    let ids = (0..<2000).map { Seat.ID(coach: "coach \($0 % 20)", number: $0) }
    try store.commit { draft in
      try draft.insert(contentsOf: ids.map { Seat(id: $0) })
      try draft.insert(
        contentsOf: ids.map { Passenger(id: $0.number, seat: $0.number == 3 ? nil : Ref($0)) })
    }
    #expect(place.psql(#"ANALYZE "Seat"; ANALYZE "Passenger""#))
    let onSeat = Query<Passenger>().filter { $0.seat == Ref(ids[7]) }
    let seat = Query<Seat>().filter { $0.id == ids[7] }
    #expect(try store.fetch(onSeat).map(\.id) == [7])
    #expect(try store.fetch(seat).map(\.id) == [ids[7]])
    #expect(try store.count(Query<Passenger>().filter { !($0.seat == Ref(ids[7])) }) == 1999)
    let refs = [Ref<Seat>(ids[9]), Ref(ids[7])]
    let onSeats = Query<Passenger>().filter { $0.seat.in(refs) }
    let seats = Query<Seat>().filter { $0.id.in([ids[9], ids[7]]) }
    #expect(try store.fetch(onSeats).map(\.id) == [7, 9])
    #expect(try store.fetch(seats).map(\.id.number) == [7, 9])
    #expect(try store.count(Query<Passenger>().filter { !$0.seat.in(refs) }) == 1998)
    for plan in try [
      onSeat.plan(in: store), seat.plan(in: store), onSeats.plan(in: store), seats.plan(in: store),
    ] {
      #expect(plan.isWhollySaid, "\(plan)")
      #expect(!plan.steps.contains { $0.contains("Seq Scan") }, "\(plan)")
      #expect(plan.steps.contains { $0.contains("Index") }, "\(plan)")
    }
  }
}
#endif
