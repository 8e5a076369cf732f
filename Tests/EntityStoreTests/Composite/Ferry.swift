import EntityStore
import Fixtures

/// An object whose id has parts of two types, and who refers to its like.
struct Cabin: Entity {
  struct ID: CompositeID {
    var deck: String
    var number: Int
  }

  let id: ID
  var beds = 0
  var next: Ref<Cabin>?
  static let attributes = Attributes(
    .id(\Cabin.id, ID.init, .part("deck", \.deck), .part("number", \.number)),
    .attribute("beds", \.beds), .one("next", \.next, inverse: \.previous, onDelete: .nullify))
  static let schema = Schema(attributes, Cabin.init, rules: [.index(\.beds)])
}

extension Cabin {
  var previous: Many<Cabin, Cabin> { Many(\.next) }
  var guests: Many<Cabin, Guest> { Many(\.cabin) { [$0.name.descending] } }
  var keys: Many<Cabin, CabinKey> { Many(\.cabin) }
}

extension Cabin.ID {
  /// The order that the store promises.
  static func precedes(_ a: Cabin.ID, _ b: Cabin.ID) -> Bool {
    if !a.deck.utf8.elementsEqual(b.deck.utf8) {
      return a.deck.utf8.lexicographicallyPrecedes(b.deck.utf8)
    }
    return a.number < b.number
  }
}

/// Stays without the cabin.
struct Guest: Entity {
  let id: Int
  var name = ""
  var cabin: Ref<Cabin>?
  static let attributes = Attributes(
    .id(\Guest.id), .attribute("name", \.name),
    .one("cabin", \.cabin, inverse: \.guests, onDelete: .nullify))
  static let schema = Schema(attributes, Guest.init)
}

/// Goes with its cabin, and is the only one with its number there.
struct CabinKey: Entity {
  struct ID: CompositeID {
    var ring: Int
    var hook: Int
  }

  let id: ID
  var cabin: Ref<Cabin>
  var copy: Int?
  static let attributes = Attributes(
    .id(\CabinKey.id, ID.init, .part("ring", \.ring), .part("hook", \.hook)),
    .one("cabin", \.cabin, inverse: \.keys, onDelete: .cascade), .attribute("copy", \.copy))
  static let schema = Schema(attributes, CabinKey.init, rules: [.unique(\.cabin, \.copy)])
}

/// Keeps its cabin, and goes with its key.
struct Repair: Entity {
  let id: Int
  var cabin: Ref<Cabin>
  var key: Ref<CabinKey>?
  var day = 0
  static let attributes = Attributes(
    .id(\Repair.id), .one("cabin", \.cabin, onDelete: .deny),
    .one("key", \.key, onDelete: .cascade), .attribute("day", \.day))
  static let schema = Schema(attributes, Repair.init, rules: [.index(\.day, \.cabin)])
}

/// Waits for a cabin that may not be there yet.
struct Wish: Entity {
  let id: Int
  var cabin: Ref<Cabin>?
  static let attributes = Attributes(.id(\Wish.id), .one("cabin", \.cabin, lateBound: true))
  static let schema = Schema(attributes, Wish.init)
}

/// An object whose id has a single part.
struct Lifeboat: Entity {
  struct ID: CompositeID { var number: Int }

  let id: ID
  var spare: Ref<Lifeboat>?
  static let attributes = Attributes(
    .id(\Lifeboat.id, ID.init, .part("number", \.number)),
    .one("spare", \.spare, inverse: \.spared))
  static let schema = Schema(attributes, Lifeboat.init)
}

extension Lifeboat {
  var spared: Many<Lifeboat, Lifeboat> { Many(\.spare) }
}

extension TestStorage {
  func makeFerry() throws -> Store {
    try makeStore(
      Cabin.self, Guest.self, CabinKey.self, Repair.self, Wish.self, Lifeboat.self)
  }
}
