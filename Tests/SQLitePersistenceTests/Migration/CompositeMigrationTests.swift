import EntityStore
import SQLitePersistence
import TestSupport
import Testing

private struct Seat: Entity {
  struct ID: CompositeID {
    var train: String
    var number: Int
  }
  let id: ID
  var isWindow: Bool
  static let attributes = Attributes(
    .id(\Seat.id, ID.init, .part("train", \.train), .part("number", \.number)),
    .attribute("isWindow", \.isWindow))
  static let schema = Schema(attributes, Seat.init)
  static var entityName: String { "Seat" }
}

private struct Ticket: Entity {
  let id: Int
  var seat: Ref<Seat>?
  static let attributes = Attributes(.id(\Ticket.id), .one("seat", \.seat))
  static let schema = Schema(attributes, Ticket.init)
  static var entityName: String { "Ticket" }
}

private struct NewSeat: Entity {
  struct ID: CompositeID {
    var train: String
    var number: Int
  }
  let id: ID
  static let attributes = Attributes(
    .id(\NewSeat.id, ID.init, .part("train", \.train), .part("number", \.number)))
  static let schema = Schema(
    attributes, NewSeat.init, rules: [.dropped("isWindow"), .renamedFrom("Seat")])
  static var entityName: String { "Place" }
}

private struct NewTicket: Entity {
  let id: Int
  var place: Ref<NewSeat>?
  var way: Ref<NewSeat>?
  static let attributes = Attributes(
    .id(\NewTicket.id), .one("place", \.place, renamedFrom: "seat"), .one("way", \.way))
  static let schema = Schema(attributes, NewTicket.init, rules: [.unique(\.place)])
  static var entityName: String { "Ticket" }
}

/// The same seats, with the parts of their ids in another order.
private struct TurnedSeat: Entity {
  struct ID: CompositeID {
    var number: Int
    var train: String
  }
  let id: ID
  var isWindow: Bool
  static let attributes = Attributes(
    .id(\TurnedSeat.id, ID.init, .part("number", \.number), .part("train", \.train)),
    .attribute("isWindow", \.isWindow))
  static let schema = Schema(attributes, TurnedSeat.init)
  static var entityName: String { "Seat" }
}

private struct TurnedTicket: Entity {
  let id: Int
  var seat: Ref<TurnedSeat>?
  static let attributes = Attributes(.id(\TurnedTicket.id), .one("seat", \.seat))
  static let schema = Schema(attributes, TurnedTicket.init)
  static var entityName: String { "Ticket" }
}

private struct LateTicket: Entity {
  let id: Int
  var seat: Ref<Seat>?
  static let attributes = Attributes(
    .id(\LateTicket.id), .one("seat", \.seat, lateBound: true))
  static let schema = Schema(attributes, LateTicket.init)
  static var entityName: String { "Ticket" }
}

/// A later version's ticket, with a reference whose name begins like the former one.
private struct LinkedTicket: Entity {
  let id: Int
  var next: Ref<LinkedTicket>?
  static let attributes = Attributes(.id(\LinkedTicket.id), .one("seat_id", \.next))
  static let schema = Schema(attributes, LinkedTicket.init)
  static var entityName: String { "Ticket" }
}

private struct SeatlessTicket: Entity {
  let id: Int
  static let attributes = Attributes(.id(\SeatlessTicket.id))
  static let schema = Schema(attributes, SeatlessTicket.init, rules: [.dropped("Seat")])
  static var entityName: String { "Ticket" }
}

private struct BareTicket: Entity {
  let id: Int
  static let attributes = Attributes(.id(\BareTicket.id))
  static let schema = Schema(
    attributes, BareTicket.init, rules: [.dropped("seat", "seat_train", "seat_number")])
  static var entityName: String { "Ticket" }
}

@Suite struct `An id of several parts is kept by a migration` {
  private let path = temporaryPath()

  private func fill() throws {
    try Store(.sqlite(path: path), entities: [Seat.self, Ticket.self]).commit { draft in
      for number in 1...2 {
        try draft.insert(Seat(id: .init(train: "a\0'", number: number), isWindow: true))
        try draft.insert(Ticket(id: number, seat: Ref(.init(train: "a\0'", number: number))))
      }
      try draft.insert(Ticket(id: 3))
    }
  }

  @Test func `P4: under other names, with references and their keys`() throws {
    try fill()
    let store = try Store(.sqlite(path: path), entities: [NewSeat.self, NewTicket.self])
    #expect(
      try store.fetch(Query<NewTicket>()).map(\.place)
        == [Ref(.init(train: "a\0'", number: 1)), Ref(.init(train: "a\0'", number: 2)), nil])
    let file = try RawDatabase(path)
    #expect(
      try file.rows(
        """
        SELECT "table", "from", "to" FROM pragma_foreign_key_list('Ticket') ORDER BY "from"
        """) == [
          ["Place", "place_number", "number"], ["Place", "place_train", "train"],
          ["Place", "way_number", "number"], ["Place", "way_train", "train"],
        ])
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    #expect(throws: StoreError.self) {
      try store.commit { try $0.insert(NewTicket(id: 9, place: Ref(.init(train: "?", number: 1)))) }
    }
  }

  @Test func `P4: a named migration sees each part as a column`() throws {
    try fill()
    let store = try Store(
      .sqlite(
        path: path,
        migrations: [
          Migration("trains in capitals") { context in
            for (entity, column) in [("Seat", "train"), ("Ticket", "seat_train")] {
              try context.rewrite(entity) { old in
                var new = old
                if case .text(let train) = old[column] { new[column] = .text(train.uppercased()) }
                return new
              }
            }
          }
        ]), entities: [Seat.self, Ticket.self])
    #expect(try store.find(Ticket.self, 1)?.seat == Ref(.init(train: "A\0'", number: 1)))
    #expect(try store.find(Seat.self, .init(train: "A\0'", number: 2))?.isWindow == true)
    #expect(
      try RawDatabase(path).rows("SELECT name, pk FROM pragma_table_info('Seat') WHERE pk > 0")
        == [["train", "1"], ["number", "2"]])
  }

  private func columns(ofTicket file: RawDatabase) throws -> [[String?]] {
    try file.rows("SELECT name FROM pragma_table_info('Ticket') ORDER BY cid")
  }

  @Test func `P4: a reference to it is dropped by its name, with all of its columns`() throws {
    try fill()
    let store = try Store(.sqlite(path: path), entities: [Seat.self, SeatlessTicket.self])
    #expect(try store.count(Query<SeatlessTicket>()) == 3)
    #expect(try columns(ofTicket: RawDatabase(path)) == [["id"]])
  }

  @Test func `P4: a late-bound reference to it is dropped by the names of its columns`() throws {
    try Store(.sqlite(path: path), entities: [Seat.self, LateTicket.self]).commit { draft in
      try draft.insert(LateTicket(id: 1, seat: Ref(.init(train: "a", number: 1))))
    }
    try refusal(path, [Seat.self, SeatlessTicket.self], naming: [".dropped(\"seat_train\")"])
    let store = try Store(.sqlite(path: path), entities: [Seat.self, BareTicket.self])
    #expect(try store.count(Query<BareTicket>()) == 1)
    #expect(try columns(ofTicket: RawDatabase(path)) == [["id"]])
  }

  @Test func `P4: an attribute whose name only begins like a dropped one is kept`() throws {
    try Store(.sqlite(path: path), entities: [LinkedTicket.self]).commit { draft in
      try draft.insert(LinkedTicket(id: 1, next: Ref(1)))
    }
    try refusal(path, [SeatlessTicket.self], naming: ["has a column \"seat_id\""])
    let store = try Store(.sqlite(path: path), entities: [LinkedTicket.self])
    #expect(try store.find(LinkedTicket.self, 1)?.next == Ref(1))
  }

  private func key(_ file: RawDatabase) throws -> [[String?]] {
    try file.rows("SELECT name FROM pragma_table_info('Seat') WHERE pk > 0 ORDER BY pk")
  }

  @Test(arguments: [false, true])
  func `P4: the table's key gets another order with the parts`(_ isAlone: Bool) throws {
    try fill()
    let entities: [any Entity.Type] =
      isAlone ? [TurnedSeat.self] : [TurnedSeat.self, TurnedTicket.self]
    let file = try RawDatabase(path)
    for _ in 0..<2 {
      let store = try Store(.sqlite(path: path), entities: entities)
      #expect(try key(file) == [["number"], ["train"]])
      #expect(
        try store.fetch(Query<TurnedSeat>().sorted { [$0.id.descending] }).map(\.id.number)
          == [2, 1])
      if !isAlone {
        #expect(
          try store.find(TurnedTicket.self, 2)?.seat == Ref(.init(number: 2, train: "a\0'")))
      }
    }
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    // An older program would turn it back.
    try refusal(path, [Seat.self], .newer)
  }

  @Test func `P4: the key keeps its order where another program refers to it by that`() throws {
    try fill()
    let file = try RawDatabase(path)
    try file.rows(
      "CREATE TABLE marks (train TEXT, number INTEGER, "
        + "FOREIGN KEY (train, number) REFERENCES seat)")
    try file.rows("INSERT INTO marks SELECT train, number FROM Seat WHERE number = 1")
    let store = try Store(
      .sqlite(path: path), entities: [TurnedSeat.self, TurnedTicket.self])
    #expect(try key(file) == [["train"], ["number"]])
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    try store.commit { draft in
      for number in 1...2 { try draft.delete(TurnedTicket.self, number) }
    }
    try fault(.schemaMismatch, naming: ["Seat(1, \"a", "can't be deleted", "marks"]) {
      try store.commit { try $0.delete(TurnedSeat.self, .init(number: 1, train: "a\0'")) }
    }
    try store.commit { try $0.delete(TurnedSeat.self, .init(number: 2, train: "a\0'")) }
    #expect(try store.count(Query<TurnedSeat>()) == 1)
    // An older program would throw out the newer one, although the key is as it was.
    try refusal(path, [Seat.self], .newer)
  }
}
