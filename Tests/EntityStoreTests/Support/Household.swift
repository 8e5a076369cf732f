import EntityStore
import Fixtures

/// Someone whom others refer to, under every delete rule.
struct Owner: Entity {
  let id: Int
  var name = ""
  static let attributes = Attributes(.id(\Owner.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Owner.init)
}

extension Owner {
  var pets: Many<Owner, Pet> { Many(\.owner) }
}

/// Stays without its owner.
struct Pet: Entity {
  let id: Int
  var owner: Ref<Owner>?
  static let attributes = Attributes(
    .id(\Pet.id), .one("owner", \.owner, inverse: \.pets, onDelete: .nullify))
  static let schema = Schema(attributes, Pet.init)
}

/// Keeps its owner from going.
struct License: Entity {
  let id: Int
  var owner: Ref<Owner>
  static let attributes = Attributes(.id(\License.id), .one("owner", \.owner, onDelete: .deny))
  static let schema = Schema(attributes, License.init)
}

/// Goes with its owner.
struct Passport: Entity {
  let id: Int
  var owner: Ref<Owner>
  static let attributes = Attributes(.id(\Passport.id), .one("owner", \.owner, onDelete: .cascade))
  static let schema = Schema(attributes, Passport.init)
}

/// Keeps the passport that it is in.
struct Visa: Entity {
  let id: Int
  var passport: Ref<Passport>?
  static let attributes = Attributes(.id(\Visa.id), .one("passport", \.passport, onDelete: .deny))
  static let schema = Schema(attributes, Visa.init)
}

/// Goes with a passport and keeps an owner from going.
struct Stamp: Entity {
  let id: Int
  var passport: Ref<Passport>?
  var owner: Ref<Owner>?
  static let attributes = Attributes(
    .id(\Stamp.id), .one("passport", \.passport, onDelete: .cascade),
    .one("owner", \.owner, onDelete: .deny))
  static let schema = Schema(attributes, Stamp.init)
}

/// Waits for an owner who may not be there yet.
struct Letter: Entity {
  let id: Int
  var receiver: Ref<Owner>?
  static let attributes = Attributes(.id(\Letter.id), .one("receiver", \.receiver, lateBound: true))
  static let schema = Schema(attributes, Letter.init)
}

/// A folder in a folder, which goes with it.
struct Folder: Entity {
  let id: Int
  var parent: Ref<Folder>?
  static let attributes = Attributes(
    .id(\Folder.id), .one("parent", \.parent, inverse: \.children, onDelete: .cascade))
  static let schema = Schema(attributes, Folder.init)
}

extension Folder {
  var children: Many<Folder, Folder> { Many(\.parent) }
}

/// A seat, whose code is its own and whose place too.
struct Seat: Entity {
  let id: Int
  var code: String?
  var row: Int?
  var number: Int?
  static let attributes = Attributes(
    .id(\Seat.id), .attribute("code", \.code), .attribute("row", \.row),
    .attribute("number", \.number))
  static let schema = Schema(
    attributes, Seat.init, rules: [.unique(\.code), .unique(\.row, \.number)])
}

/// Nothing but an id.
struct Tag: Entity {
  let id: String
  static let attributes = Attributes(.id(\Tag.id))
  static let schema = Schema(attributes, Tag.init)
}

/// Has a number that may not be one.
struct Measure: Entity {
  let id: Int
  var value: Double?
  static let attributes = Attributes(.id(\Measure.id), .attribute("value", \.value))
  static let schema = Schema(attributes, Measure.init)
}

extension TestStorage {
  func makeHousehold() throws -> Store {
    try makeStore(
      Owner.self, Pet.self, License.self, Passport.self, Visa.self, Stamp.self, Letter.self)
  }
}

extension Store {
  func all<E: Entity>(_ type: E.Type) throws -> [E] { try fetch(Query<E>()) }
}
