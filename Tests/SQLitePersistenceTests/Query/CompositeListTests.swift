@_spi(Inspection) import EntityStore
import FetchedObjects
import SQLitePersistence
import TestSupport
import Testing

private struct Slot: Entity {
  struct ID: CompositeID {
    var hall: String
    var number: Int
    var level: Double
  }

  let id: ID
  var place: Int
  static let attributes = Attributes(
    .id(
      \Slot.id, ID.init, .part("hall", \.hall), .part("number", \.number),
      .part("level", \.level)),
    .attribute("place", \.place))
  static let schema = Schema(attributes, Slot.init)
}

private struct Booking: Entity {
  let id: Int
  var slot: Ref<Slot>?
  static let attributes = Attributes(.id(\Booking.id), .one("slot", \.slot, lateBound: true))
  static let schema = Schema(attributes, Booking.init)
}

private struct Bill: Entity {
  let id: Int
  var booking: Ref<Booking>?
  static let attributes = Attributes(.id(\Bill.id), .one("booking", \.booking))
  static let schema = Schema(attributes, Bill.init)
}

@Suite struct `A list of ids of several parts in SQL` {
  private static let entities: [any Entity.Type] = [Slot.self, Booking.self, Bill.self]
  private let path = temporaryPath()
  private let file: Store

  init() throws {
    file = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: Self.entities)
  }

  private func slots(_ count: Int) -> [Slot.ID] {
    (0..<count).map { Slot.ID(hall: "h", number: $0, level: 0.5) }
  }

  private func plans(listing count: Int) throws -> [QueryPlan] {
    let ids = slots(count)
    return try [
      Query<Slot>().filter { $0.id.in(ids) }.plan(in: file),
      Query<Booking>().filter { $0.slot.in(ids.map { Ref($0) }) }.plan(in: file),
    ]
  }

  @Test func `S7: an index of all parts finds them, and references to them`() throws {
    for count in [1, 2, 600, 8_200] {
      for plan in try plans(listing: count) {
        #expect(plan.isWhollySaid, "\(count)")
        #expect(plan.steps.first?.contains("SEARCH t0") == true, "\(plan.steps)")
        #expect(
          plan.steps.contains {
            $0.contains("SEARCH listed") && $0.contains("number=?") && $0.contains("level=?")
          }, "\(plan.steps)")
      }
    }
    #expect(try plans(listing: 600).map(\.statement) == plans(listing: 1_000).map(\.statement))
    // They would have more parameters than a statement can.
    for plan in try plans(listing: 10_001) { #expect(plan.conditionsHere.count == 1) }
  }

  @Test func `S7: it finds the same as in memory, with nil in some or all parts, too`() throws {
    let ids = [
      Slot.ID(hall: "", number: 0, level: 0), Slot.ID(hall: "a", number: .max, level: .infinity),
      Slot.ID(hall: "a\0b", number: .min, level: -1),
      Slot.ID(hall: "e\u{301}", number: 1, level: 1), Slot.ID(hall: "\u{E9}", number: 1, level: 1),
    ]
    let memory = try Store(.inMemory, entities: Self.entities)
    for store in [memory, file] {
      try store.commit { draft in
        for (place, id) in ids.enumerated() {
          try draft.insert(Slot(id: id, place: place))
          try draft.insert(Booking(id: place, slot: Ref(id)))
        }
        try draft.insert(Booking(id: 5, slot: nil))
        for id in 0...5 { try draft.insert(Bill(id: id, booking: Ref(id))) }
        try draft.insert(Bill(id: 6, booking: nil))
      }
    }
    // A reference is nil as a whole.
    try RawDatabase(path).rows("UPDATE Booking SET slot_number = NULL WHERE id = 1")
    try memory.commit { try $0.update(Booking.self, 1) { $0.slot = nil } }
    let missing = Slot.ID(hall: "a", number: 0, level: 0)
    let lists: [[Slot.ID]] = [
      [], [missing], [ids[0]], [ids[1], ids[1]], [ids[3], missing, ids[2]], ids, slots(600) + ids,
    ]
    for list in lists {
      // Texts are compared by their bytes.
      let places = ids.indices.filter { place in
        list.contains { $0 == ids[place] && $0.hall.utf8.elementsEqual(ids[place].hall.utf8) }
      }
      #expect(try found(list, in: memory).first == places)
      #expect(try found(list, in: file) == found(list, in: memory), "\(list.count)")
    }
  }

  /// Returns what queries with a list of ids find.
  private func found(_ list: [Slot.ID], in store: Store) throws -> [[Int]] {
    let refs = list.map { Ref<Slot>($0) }
    let slots = [
      Query<Slot>().filter { $0.id.in(list) }, Query<Slot>().filter { !$0.id.in(list) },
      Query<Slot>().filter { $0.id.in(list) || ($0.place == 4) }.limit(2, offset: 1),
    ]
    let bookings = [
      Query<Booking>().filter { $0.slot.in(refs) }, Query<Booking>().filter { !$0.slot.in(refs) },
      Query<Booking>().filter { $0.slot.id.in(list) },
    ]
    let bills = [
      Query<Bill>().filter { $0.booking.slot.in(refs) },
      Query<Bill>().filter { !$0.booking.slot.in(refs) },
    ]
    var found = try slots.map { try store.fetch($0).map(\.place) }
    found += try bookings.map { try store.fetch($0).map(\.id) }
    found += try bookings.map { [try store.count($0)] }
    found += try bills.map { try store.fetch($0).map(\.id) }
    return found
  }

  @Test func `F7: an index-only list accepts it`() throws {
    let ids = slots(3)
    try file.commit { draft in
      for (number, id) in ids.enumerated() {
        try draft.insert(Slot(id: id, place: number))
        try draft.insert(Booking(id: number, slot: Ref(id)))
      }
    }
    let some = [ids[2], ids[0]]
    let slots = try IndexedObjectsModel(Query<Slot>().filter { $0.id.in(some) }, in: file)
    let bookings = try IndexedObjectsModel(
      Query<Booking>().filter { $0.slot.in(some.map { Ref($0) }) }, in: file)
    #expect(slots.count == 2 && bookings.count == 2)
    try file.commit { try $0.update(Booking.self, 1) { $0.slot = Ref(ids[0]) } }
    #expect(slots.count == 2 && bookings.count == 3)
  }
}
