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
}
