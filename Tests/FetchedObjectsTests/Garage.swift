import EntityStore
import FetchedObjects
import SQLitePersistence
import TestSupport

struct Person: Entity {
  let id: Int
  var name: String
  var age: Int?
  static let schema = Schema(
    Person.init, .id(\.id), .attribute("name", \.name), .attribute("age", \.age))
}

extension Person {
  var cars: Many<Person, Car> { Many(\.owner) }
}

struct Car: Entity {
  let id: Int
  var model: String
  var year: Int
  var owner: Ref<Person>?
  static let schema = Schema(
    Car.init,
    .id(\.id), .attribute("model", \.model), .attribute("year", \.year, default: 2000),
    .one("owner", \.owner, inverse: \.cars, onDelete: .nullify),
    rules: [.index(\.year)])
}

/// The storages that every rule holds on.
enum TestStorage: String, CaseIterable, Sendable {
  case memory
  case file

  func makeGarage() throws -> Store {
    switch self {
    case .memory: return try Store(.inMemory, entities: [Person.self, Car.self])
    case .file:
      return try Store(
        .sqlite(path: temporaryPath("garage"), durability: .normal),
        entities: [Person.self, Car.self])
    }
  }
}

let ann = Person(id: 1, name: "Ann", age: 30)
let bob = Person(id: 2, name: "Bob", age: nil)

extension Store {
  /// Ann has a Volvo and a Fiat, Bob a Tesla; the Skoda has no owner.
  func fill() throws {
    try commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      try draft.insert(Car(id: 1, model: "Volvo", year: 1994, owner: Ref(ann)))
      try draft.insert(Car(id: 2, model: "Fiat", year: 2004, owner: Ref(ann)))
      try draft.insert(Car(id: 3, model: "Tesla", year: 2014, owner: Ref(bob)))
      try draft.insert(Car(id: 4, model: "Skoda", year: 2018, owner: nil))
    }
  }
}

/// Owners' cars in sections by owner, with the owner's name.
let byOwner = Query<Car>()
  .filter { $0.owner.name != nil }
  .sorted { [$0.owner.name.ascending, $0.model.ascending] }
  .sectioned { $0.owner.name }
  .including { $0.owner.name }
