import EntityStore

/// The entities of the random tests: every kind of column, of reference and of delete rule.
struct Citizen: Entity {
  let id: String
  var name: String?
  var age: Int?
  var isActive: Bool?
  var boss: Ref<Citizen>?
  var employer: Ref<Maker>?
  static let attributes = Attributes(
    .id(\Citizen.id), .attribute("name", \.name), .attribute("age", \.age),
    .attribute("isActive", \.isActive),
    .one("boss", \.boss, inverse: \.staff, onDelete: .nullify),
    .one("employer", \.employer, inverse: \.workers, onDelete: .deny))
  static let schema = Schema(attributes, Citizen.init, rules: [.unique(\.name), .index(\.age)])
}

extension Citizen {
  var staff: Many<Citizen, Citizen> { Many(\.boss) }
  var vehicles: Many<Citizen, Vehicle> { Many(\.owner) }
}

struct Maker: Entity {
  let id: Double
  var name: String
  var logo: [UInt8]?
  static let attributes = Attributes(
    .id(\Maker.id), .attribute("name", \.name), .attribute("logo", \.logo))
  static let schema = Schema(attributes, Maker.init)
}

extension Maker {
  var workers: Many<Maker, Citizen> { Many(\.employer) }
  var vehicles: Many<Maker, Vehicle> { Many(\.maker) }
}

struct Vehicle: Entity {
  let id: Int
  var model: String
  var year: Int
  var price: Double?
  var owner: Ref<Citizen>?
  var maker: Ref<Maker>?
  var spare: Ref<Vehicle>?
  static let attributes = Attributes(
    .id(\Vehicle.id), .attribute("model", \.model), .attribute("year", \.year),
    .attribute("price", \.price),
    .one("owner", \.owner, inverse: \.vehicles, onDelete: .nullify),
    .one("maker", \.maker, inverse: \.vehicles, onDelete: .cascade),
    .one("spare", \.spare, inverse: \.users, lateBound: true))
  static let schema = Schema(attributes, Vehicle.init, rules: [.unique(\.model, \.year)])
}

extension Vehicle {
  var users: Many<Vehicle, Vehicle> { Many(\.spare) }
}
