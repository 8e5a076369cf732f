import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

/// An object whose id has parts, and is one value in an attribute.
private struct Seat: Entity {
  struct ID: CompositeID, Codable, Storable, Comparable {
    var train: Int
    var number: Int

    static func < (a: ID, b: ID) -> Bool { (a.number, -a.train) < (b.number, -b.train) }
  }
  let id: ID
  var opposite: ID
  static let attributes = Attributes(
    .id(\Seat.id, ID.init(train:number:), .part("train", \.train), .part("number", \.number)),
    .attribute("opposite", \.opposite))
  static let schema = Schema(attributes, Seat.init)
}

/// An object whose id has parts and can't be an attribute.
private struct Couchette: Entity {
  struct ID: CompositeID, Codable {
    var deck: Int
    var number: Int
  }
  let id: ID
  static let attributes = Attributes(
    .id(\Couchette.id, ID.init(deck:number:), .part("deck", \.deck), .part("number", \.number)))
  static let schema = Schema(attributes, Couchette.init)
}

private struct Ticket: Entity {
  let id: Int
  var seat: Ref<Seat>?
  var berth: Ref<Couchette>?
  static let attributes = Attributes(
    .id(\Ticket.id), .one("seat", \.seat), .one("berth", \.berth))
  static let schema = Schema(attributes, Ticket.init)
}

@Suite struct `An id with parts that is storable, too, has the form of each place` {
  private static let ids = (1...2).flatMap { train in
    (1...2).map { Seat.ID(train: train, number: $0) }
  }
  private static let seats = ids.map {
    Seat(id: $0, opposite: Seat.ID(train: $0.train, number: 3 - $0.number))
  }
  private static let berths = (1...3).map { Couchette(id: Couchette.ID(deck: 1, number: $0)) }
  private static let tickets = (0..<12).map { id in
    Ticket(
      id: id, seat: id % 5 == 4 ? nil : Ref(seats[id % 5]),
      berth: id % 4 == 3 ? nil : Ref(berths[id % 4]))
  }

  private func makeStore(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(Seat.self, Couchette.self, Ticket.self)
    try store.commit { draft in
      for seat in Self.seats { try draft.insert(seat) }
      for berth in Self.berths { try draft.insert(berth) }
      for ticket in Self.tickets { try draft.insert(ticket) }
    }
    return store
  }

  /// Checks that a query finds the objects for which each predicate is true.
  private func check<E: Entity>(
    _ predicates: [Predicate<E>], of objects: [E], in store: Store,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for predicate in predicates {
      let expected = try objects.filter { try predicate.evaluate($0) }.map { ObjectID($0) }
      let found = try store.fetch(Query<E>().filter(predicate)).map { ObjectID($0) }
      #expect(found == expected, "\(predicate)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `Predicates compare it with the id and with attributes`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let (one, some) = (Self.ids[1], [Self.ids[0], Self.ids[3]])
    let predicates: [Predicate<Seat>] = [
      #Predicate { $0.id == one }, #Predicate { one == $0.id }, #Predicate { $0.id != one },
      #Predicate { some.contains($0.id) }, #Predicate { !some.contains($0.id) },
      #Predicate { seat in some.contains { $0 == seat.id } },
      #Predicate { ($0.id.number == 1 ? one : $0.id) == one },
      #Predicate { $0.opposite == one }, #Predicate { $0.opposite != one },
      #Predicate { some.contains($0.opposite) },
    ]
    try check(predicates, of: Self.seats, in: store)
    #expect(try store.count(Query<Seat>().filter(predicates[0])) == 1)
  }

  @Test(arguments: TestStorage.allCases)
  func `Predicates compare it with references from other objects`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let (one, some) = (Self.ids[1] as Seat.ID?, [Self.ids[0], nil] as [Seat.ID?])
    let (first, last) = (Self.ids[0], Self.ids[3])
    let berth = Self.berths[2].id as Couchette.ID?
    let deck = Self.berths.map { $0.id as Couchette.ID? }
    let (upper, lower) = (Self.berths[0].id, Self.berths[1].id)
    let predicates: [Predicate<Ticket>] = [
      #Predicate { $0.seat?.id == one }, #Predicate { $0.seat?.id != one },
      #Predicate { $0.seat?.id == nil },
      #Predicate { ticket in some.contains(ticket.seat.flatMap { $0.id }) },
      #Predicate { ($0.seat?.id ?? first) == first },
      #Predicate { ($0.seat?.id ?? first) == last },
      #Predicate { $0.berth?.id == berth }, #Predicate { $0.berth?.id != berth },
      #Predicate { ticket in deck.contains(ticket.berth.flatMap { $0.id }) },
      #Predicate { ($0.berth?.id ?? upper) == upper },
      #Predicate { ($0.berth?.id ?? upper) == lower },
    ]
    try check(predicates, of: Self.tickets, in: store)
  }

  @Test(arguments: TestStorage.allCases)
  func `Predicates compare the parts of an id that a reference holds`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let predicates: [Predicate<Ticket>] = [
      #Predicate { $0.berth?.id.number == 2 }, #Predicate { $0.berth?.id.number != 2 },
      #Predicate { $0.berth?.id.number == nil }, #Predicate { ($0.berth?.id.number ?? 3) > 1 },
      #Predicate { $0.seat?.id.train == 1 },
    ]
    try check(predicates, of: Self.tickets, in: store)
    #expect(try store.count(Query<Ticket>().filter(predicates[0])) == 3)
  }

  @Test func `A predicate doesn't compare its parts with the one value of an attribute`() {
    let mixed = #Predicate<Seat> { $0.id == $0.opposite }
    let error = #expect(throws: QueryTranslationError.self) { try Query<Seat>().filter(mixed) }
    #expect(error?.advice.contains("Ref") == true)
  }

  @Test(arguments: TestStorage.allCases)
  func `A sort descriptor orders by an attribute, and is refused for the id`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let sorted = try Query<Seat>().sorted([SortDescriptor(\.opposite)])
    #expect(try store.fetch(sorted).map(\.opposite) == Self.seats.map(\.opposite).sorted())
    let error = #expect(throws: QueryTranslationError.self) {
      try Query<Seat>().sorted([SortDescriptor(\.id)])
    }
    #expect(error?.advice.contains("name its parts in braces") == true)
  }
}
