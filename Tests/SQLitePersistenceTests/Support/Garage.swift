import EntityStore
import SQLitePersistence

struct Person: Entity {
  let id: String
  var name: String
  var height: Double?
  var photo: [UInt8]?
  static let attributes = Attributes(
    .id(\Person.id), .attribute("name", \.name), .attribute("height", \.height),
    .attribute("photo", \.photo))
  static let schema = Schema(attributes, Person.init, rules: [.unique(\.name, \.height)])
}

extension Person {
  var cars: Many<Person, Car> { Many(\.owner) }
}

struct Car: Entity {
  let id: Int
  var model: String
  var owner: Ref<Person>?
  var driver: Ref<Person>?
  var tower: Ref<Car>?
  static let attributes = Attributes(
    .id(\Car.id), .attribute("model", \.model),
    .one("owner", \.owner, inverse: \.cars, onDelete: .nullify),
    .one("driver", \.driver, onDelete: .cascade),
    .one("tower", \.tower, lateBound: true))
  static let schema = Schema(
    attributes, Car.init, rules: [.unique(\.model), .index(\.model, \.owner)])
}

/// Unwatched, since a store that watches may be held by that for a moment more, and close later.
///
/// It waits long for other writers, since they may be slow.
func openGarage(_ path: String, watching: StorageKind.FileWatching = .none) throws -> Store {
  try Store(
    .sqlite(path: path, durability: .normal, watching: watching, busyTimeout: .seconds(300)),
    entities: [Person.self, Car.self])
}

extension Store {
  func fill() throws {
    try commit { draft in
      try draft.insert(Person(id: "ann", name: "Ann", height: -0.0, photo: []))
      try draft.insert(Person(id: "e\u{301}", name: "a\0b", height: 1.5, photo: [0, 255]))
      try draft.insert(Car(id: .min, model: "", owner: Ref("ann"), driver: Ref("e\u{301}")))
      try draft.insert(Car(id: .max, model: "\u{212A}", tower: Ref(7)))
    }
  }
}
