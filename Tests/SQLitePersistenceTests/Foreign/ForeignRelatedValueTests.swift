import EntityStore
import FetchedObjects
import Foundation
import ListDiffing
import SQLitePersistence
import TestSupport
import Testing

private enum Fuel: String, Storable { case petrol, diesel }

private struct Engine: Entity {
  let id: Int
  var fuel: Fuel
  static let attributes = Attributes(.id(\Engine.id), .attribute("fuel", \.fuel))
  static let schema = Schema(attributes, Engine.init)
}

private struct Truck: Entity {
  let id: Int
  var engine: Ref<Engine>?
  static let attributes = Attributes(.id(\Truck.id), .one("engine", \.engine))
  static let schema = Schema(attributes, Truck.init)
}

private struct Tank: Entity {
  let id: Int
  var fuel: Fuel
  var truck: Ref<Truck>?
  static let attributes = Attributes(
    .id(\Tank.id), .attribute("fuel", \.fuel), .one("truck", \.truck, inverse: \.tanks))
  static let schema = Schema(attributes, Tank.init)
}

extension Truck { fileprivate var tanks: Many<Truck, Tank> { Many(\.truck) } }

private enum Deck: String, Storable { case upper, lower }

private struct Cabin: Entity {
  struct ID: CompositeID {
    var deck: Deck
    var number: Int8
  }
  let id: ID
  var beds: Int8
  static let attributes = Attributes(
    .id(\Cabin.id, ID.init, .part("deck", \.deck), .part("number", \.number)),
    .attribute("beds", \.beds))
  static let schema = Schema(attributes, Cabin.init)
}

private struct Guest: Entity {
  let id: Int
  var cabin: Ref<Cabin>?
  var age: Int8?
  static let attributes = Attributes(
    .id(\Guest.id), .one("cabin", \.cabin), .attribute("age", \.age))
  static let schema = Schema(attributes, Guest.init)
}

private struct Bag: Entity {
  let id: Int
  var guest: Ref<Guest>?
  static let attributes = Attributes(.id(\Bag.id), .one("guest", \.guest))
  static let schema = Schema(attributes, Bag.init)
}

@Suite struct `Values of related objects that another tool has written` {
  private let path = temporaryPath()
  private let query = Query<Truck>().including { $0.engine.fuel }

  private func open() throws -> Store {
    try Store(.sqlite(path: path, watching: .none), entities: [Engine.self, Truck.self])
  }

  private func write(_ sql: String) throws { try RawDatabase(path).rows(sql) }

  @Test func `P6: the greatest of several values is refused if it isn't of its type`() throws {
    let store = try Store(
      .sqlite(path: path, watching: .none), entities: [Engine.self, Truck.self, Tank.self])
    try store.commit { draft in
      try draft.insert(Truck(id: 1, engine: nil))
      try draft.insert(Tank(id: 1, fuel: .diesel, truck: Ref(1)))
    }
    let greatest = Query<Truck>().including { $0.tanks.max { $0.fuel } }
    #expect(try ListSnapshot(greatest, in: store).rows[0].tanks.max { $0.fuel } == .diesel)
    try write("UPDATE Tank SET fuel = 'wood'")
    #expect(throws: StoreError.self) { try FetchedObjectsModel(greatest, in: store) }
  }

  @Test func `P6: a computed value is refused if what it is made of isn't of its type`() throws {
    let store = try open()
    try fill(store)
    let fuels = Query<Truck>().aggregating { $0.engine.fuel ?? .petrol }
    #expect(try ListSnapshot(fuels, in: store).min { $0.engine.fuel ?? .petrol } == .diesel)
    try write("UPDATE Engine SET fuel = 'wood'")
    #expect(throws: StoreError.self) { try ListSnapshot(fuels, in: store) }
    #expect(throws: StoreError.self) {
      try store.max(of: Query<Truck>()) { $0.engine.fuel ?? .petrol }
    }
    try write("UPDATE Engine SET fuel = CAST(x'ff' AS TEXT)")
    #expect(throws: StoreError.self) { try ListSnapshot(fuels, in: store) }
  }

  private func fill(_ store: Store) throws {
    try store.commit { draft in
      try draft.insert(Engine(id: 1, fuel: .diesel))
      try draft.insert(Truck(id: 1, engine: Ref(1)))
    }
  }

  @Test func `P3: one that no schema can read is an error, and nothing is read of it`() throws {
    try fill(open())
    try write("UPDATE Engine SET fuel = 'steam'")
    let store = try open()
    let error = #expect(throws: StoreError.self) {
      let trucks = try FetchedObjectsModel(query, in: store)
      _ = trucks.snapshot[ListPath(section: 0, row: 0)].engine?.fuel
    }
    #expect(
      error
        == .unreadable(
          ObjectID(entityName: "Engine", id: .integer(1)), attribute: "fuel", found: .text("steam"))
    )
    try write("UPDATE Engine SET fuel = 'petrol'")
    let trucks = try FetchedObjectsModel(query, in: store)
    #expect(trucks.snapshot[ListPath(section: 0, row: 0)].engine?.fuel == .petrol)
  }

  @Test func `F11: one that comes while a model shows the old one leaves that as it is`() throws {
    let store = try open()
    try fill(store)
    let trucks = try FetchedObjectsModel(query, in: store)
    let errors = Recorder(trucks.errors)
    try write("UPDATE Engine SET fuel = 'steam'")
    try? store.refresh()
    #expect(errors.values.count == 1)
    #expect(trucks.snapshot[ListPath(section: 0, row: 0)].engine?.fuel == .diesel)
    try write("UPDATE Engine SET fuel = 'petrol'")
    try store.refresh()
    #expect(trucks.snapshot[ListPath(section: 0, row: 0)].engine?.fuel == .petrol)
  }

  /// What another tool writes, and which value is refused.
  private enum Damage: String, CaseIterable {
    case deck = "a case of no deck"
    case number = "a number too large for its type"
    case beds = "beside the id"
    case age = "an optional one"

    var sql: String {
      switch self {
      case .deck: "UPDATE Cabin SET deck = 'roof'; UPDATE Guest SET cabin_deck = 'roof'"
      case .number: "UPDATE Cabin SET number = 300; UPDATE Guest SET cabin_number = 300"
      case .beds: "UPDATE Cabin SET beds = 300"
      case .age: "UPDATE Guest SET age = 300"
      }
    }

    var refused: (attribute: String, found: StoredValue) {
      switch self {
      case .deck: ("deck", .text("roof"))
      case .number: ("number", .integer(300))
      case .beds: ("beds", .integer(300))
      case .age: ("age", .integer(300))
      }
    }
  }

  private func bags(_ damage: Damage) -> Query<Bag> {
    switch damage {
    case .deck: Query<Bag>().aggregating { $0.guest.cabin.id.deck }
    case .number: Query<Bag>().aggregating { $0.guest.cabin.id.number }
    case .beds: Query<Bag>().aggregating { $0.guest.cabin.beds }
    case .age: Query<Bag>().aggregating { $0.guest.age }
    }
  }

  @Test(arguments: Damage.allCases)
  private func `P3, P6: what is summed up of them, parts of ids too, is an error and no trap`(
    _ damage: Damage
  ) throws {
    let entities: [any Entity.Type] = [Cabin.self, Guest.self, Bag.self]
    let store = try Store(.sqlite(path: path, watching: .none), entities: entities)
    try store.commit { draft in
      let cabin = Cabin(id: .init(deck: .upper, number: 7), beds: 2)
      try draft.insert(cabin)
      try draft.insert(Guest(id: 1, cabin: Ref(cabin.id), age: 30))
      try draft.insert(Bag(id: 1, guest: Ref(1)))
      try draft.insert(Bag(id: 2))
    }
    /// All that can be asked of a result.
    func ask() throws {
      let bags = try FetchedObjectsModel(bags(damage), in: store)
      let (all, section) = (bags.snapshot, bags.sections[0])
      switch damage {
      case .deck:
        #expect(all.min { $0.guest.cabin.id.deck } == .upper)
        #expect(section.max { $0.guest.cabin.id.deck } == .upper)
      case .number:
        #expect(all.min { $0.guest.cabin.id.number } == 7)
        #expect(try section.sum { $0.guest.cabin.id.number } == 7)
        #expect(try section.average { $0.guest.cabin.id.number } == 7)
        #expect(all.count { $0.guest.cabin.id.number } == 1)
      case .beds:
        #expect(all.max { $0.guest.cabin.beds } == 2)
        #expect(try section.sum { $0.guest.cabin.beds } == 2)
      case .age:
        #expect(all.max { $0.guest.age } == 30)
        #expect(try section.average { $0.guest.age } == 30)
      }
    }
    try ask()
    for sql in damage.sql.split(separator: ";") { try write(String(sql)) }
    let error = #expect(throws: StoreError.self) { try ask() }
    guard case .unreadable(_, let attribute, let found)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(attribute == damage.refused.attribute && found == damage.refused.found)
    // What is read at once says the same.
    let atOnce = #expect(throws: StoreError.self) {
      switch damage {
      case .deck: _ = try store.min(of: Query<Bag>()) { $0.guest.cabin.id.deck }
      case .number: _ = try store.sum(of: Query<Bag>()) { $0.guest.cabin.id.number }
      case .beds: _ = try store.average(of: Query<Bag>()) { $0.guest.cabin.beds }
      case .age: _ = try store.counts(of: Query<Bag>()) { $0.guest.age }
      }
    }
    #expect(atOnce == error)
  }
}
