import EntityStore
import FetchedObjects
import Fixtures

struct Town: Entity {
  let id: Int
  var name: String
  var size: Int
  static let attributes = Attributes(
    .id(\Town.id), .attribute("name", \.name), .attribute("size", \.size))
  static let schema = Schema(attributes, Town.init)
}

struct Firm: Entity {
  let id: Int
  var name: String
  var rank: Int
  var town: Ref<Town>?
  static let attributes = Attributes(
    .id(\Firm.id), .attribute("name", \.name), .attribute("rank", \.rank),
    .one("town", \.town, onDelete: .nullify, lateBound: true))
  static let schema = Schema(attributes, Firm.init)
}

/// A driver works for a firm in a town; both references are late-bound, so their objects may come
/// later or be missing.
struct Driver: Entity {
  let id: Int
  var name: String
  var age: Int?
  var firm: Ref<Firm>?
  var chief: Ref<Driver>?
  static let attributes = Attributes(
    .id(\Driver.id), .attribute("name", \.name), .attribute("age", \.age),
    .one("firm", \.firm, onDelete: .nullify, lateBound: true),
    .one("chief", \.chief, onDelete: .nullify, lateBound: true))
  static let schema = Schema(attributes, Driver.init)

  var initial: String { String(name.prefix(1)) }
}

extension TestStorage {
  /// A store of drivers, firms and towns.
  func makeDriverFleet() throws -> Store { try makeStore(Driver.self, Firm.self, Town.self) }
}

extension Store {
  /// Drivers 1 and 2 work for firm 1 in Oslo, driver 3 for firm 2 in Rome; 1 is the chief of 2.
  func fillDriverFleet() throws {
    try commit { draft in
      try draft.insert(Town(id: 1, name: "Oslo", size: 7))
      try draft.insert(Town(id: 2, name: "Rome", size: 9))
      try draft.insert(Firm(id: 1, name: "Fjord", rank: 1, town: Ref(1)))
      try draft.insert(Firm(id: 2, name: "Forum", rank: 2, town: Ref(2)))
      try draft.insert(Driver(id: 1, name: "Ann", age: 30, firm: Ref(1), chief: nil))
      try draft.insert(Driver(id: 2, name: "Bob", age: nil, firm: Ref(1), chief: Ref(1)))
      try draft.insert(Driver(id: 3, name: "Cid", age: 50, firm: Ref(2), chief: nil))
    }
  }
}
