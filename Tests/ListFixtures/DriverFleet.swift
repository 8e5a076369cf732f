package import EntityStore
package import Fixtures

package struct Town: Entity {
  package let id: Int
  package var name: String
  package var size: Int

  package init(id: Int, name: String, size: Int) {
    self.id = id
    self.name = name
    self.size = size
  }
  package static let attributes = Attributes(
    .id(\Town.id), .attribute("name", \.name), .attribute("size", \.size))
  package static let schema = Schema(attributes, Town.init)
}

package struct Firm: Entity {
  package let id: Int
  package var name: String
  package var rank: Int
  package var town: Ref<Town>?

  package init(id: Int, name: String, rank: Int, town: Ref<Town>?) {
    self.id = id
    self.name = name
    self.rank = rank
    self.town = town
  }
  package static let attributes = Attributes(
    .id(\Firm.id), .attribute("name", \.name), .attribute("rank", \.rank),
    .one("town", \.town, onDelete: .nullify, lateBound: true))
  package static let schema = Schema(attributes, Firm.init)
}

/// A driver works for a firm in a town; both references are late-bound, so their objects may come
/// later or be missing.
package struct Driver: Entity {
  package let id: Int
  package var name: String
  package var age: Int?
  package var firm: Ref<Firm>?
  package var chief: Ref<Driver>?

  package init(id: Int, name: String, age: Int?, firm: Ref<Firm>?, chief: Ref<Driver>?) {
    self.id = id
    self.name = name
    self.age = age
    self.firm = firm
    self.chief = chief
  }
  package static let attributes = Attributes(
    .id(\Driver.id), .attribute("name", \.name), .attribute("age", \.age),
    .one("firm", \.firm, onDelete: .nullify, lateBound: true),
    .one("chief", \.chief, onDelete: .nullify, lateBound: true))
  package static let schema = Schema(attributes, Driver.init)

  package var initial: String { String(name.prefix(1)) }
}

extension TestStorage {
  /// A store of drivers, firms and towns.
  package func makeDriverFleet() throws -> Store {
    try makeStore(Driver.self, Firm.self, Town.self)
  }
}

extension Store {
  /// Drivers 1 and 2 work for firm 1 in Oslo, driver 3 for firm 2 in Rome; 1 is the chief of 2.
  package func fillDriverFleet() throws {
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
