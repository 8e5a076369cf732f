// What the refused programs beside this file begin with.
import EntityStore

enum Fuel: String, Storable { case petrol, diesel }

struct Person: Entity {
  let id: Int
  var name: String
  static let schema = Schema(Person.init, .id(\.id), .attribute("name", \.name))
}

extension Person {
  var cars: Many<Person, Car> { Many(\.owner) }
}

struct Car: Entity {
  let id: Int
  var model: String
  var year: Int
  var fuel: Fuel
  var owner: Ref<Person>?
  static let schema = Schema(
    Car.init, .id(\.id), .attribute("model", \.model), .attribute("year", \.year),
    .attribute("fuel", \.fuel), .one("owner", \.owner, inverse: \.cars),
    rules: [.unique(\.model), .index(\.year)])
}

func fleet() throws -> Store { try Store(.inMemory, entities: [Person.self, Car.self]) }
