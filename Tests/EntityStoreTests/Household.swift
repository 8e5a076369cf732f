import EntityStore

/// Someone whom others refer to, under every delete rule.
struct Owner: Entity {
  let id: Int
  var name = ""
  static let schema = Schema(Owner.init, .id(\.id), .attribute("name", \.name))
}

extension Owner {
  var pets: Many<Owner, Pet> { Many(\.owner) }
}

/// Stays without its owner.
struct Pet: Entity {
  let id: Int
  var owner: Ref<Owner>?
  static let schema = Schema(
    Pet.init, .id(\.id), .one("owner", \.owner, inverse: \.pets, onDelete: .nullify))
}

/// Keeps its owner from going.
struct License: Entity {
  let id: Int
  var owner: Ref<Owner>
  static let schema = Schema(License.init, .id(\.id), .one("owner", \.owner, onDelete: .deny))
}

/// Goes with its owner.
struct Passport: Entity {
  let id: Int
  var owner: Ref<Owner>
  static let schema = Schema(Passport.init, .id(\.id), .one("owner", \.owner, onDelete: .cascade))
}

/// Keeps the passport that it is in.
struct Visa: Entity {
  let id: Int
  var passport: Ref<Passport>?
  static let schema = Schema(Visa.init, .id(\.id), .one("passport", \.passport, onDelete: .deny))
}

/// Goes with a passport and keeps an owner from going.
struct Stamp: Entity {
  let id: Int
  var passport: Ref<Passport>?
  var owner: Ref<Owner>?
  static let schema = Schema(
    Stamp.init, .id(\.id), .one("passport", \.passport, onDelete: .cascade),
    .one("owner", \.owner, onDelete: .deny))
}

/// Waits for an owner who may not be there yet.
struct Letter: Entity {
  let id: Int
  var receiver: Ref<Owner>?
  static let schema = Schema(
    Letter.init, .id(\.id), .one("receiver", \.receiver, lateBound: true))
}

/// A folder in a folder, which goes with it.
struct Folder: Entity {
  let id: Int
  var parent: Ref<Folder>?
  static let schema = Schema(
    Folder.init, .id(\.id), .one("parent", \.parent, inverse: \.children, onDelete: .cascade))
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
  static let schema = Schema(
    Seat.init, .id(\.id), .attribute("code", \.code), .attribute("row", \.row),
    .attribute("number", \.number), rules: [.unique(\.code), .unique(\.row, \.number)])
}

/// Nothing but an id.
struct Tag: Entity {
  let id: String
  static let schema = Schema(Tag.init, .id(\.id))
}

/// Has a number that may not be one.
struct Measure: Entity {
  let id: Int
  var value: Double?
  static let schema = Schema(Measure.init, .id(\.id), .attribute("value", \.value))
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
