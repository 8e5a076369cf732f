#if PostgreSQL
@_spi(Inspection) @_spi(Storage) import EntityStore
import PostgreSQLPersistence
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

  @Test func `S7: objects are found by a composite id, and by a reference to one, by an index`()
    throws
  {
    let place = try ToolPlace()
    let store = try Store(
      .postgreSQL(place.connectionString, schema: place.schema, durability: .normal),
      entities: [Seat.self, Passenger.self])
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
    for plan in try [onSeat.plan(in: store), seat.plan(in: store)] {
      #expect(!plan.steps.contains { $0.contains("Seq Scan") }, "\(plan)")
      #expect(plan.steps.contains { $0.contains("Index") }, "\(plan)")
    }
  }
}
#endif
