// What the refused programs beside this file begin with.
import EntityStore

enum Fuel: String, Storable { case petrol, diesel }

struct Person: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Person.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Person.init)
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
  static let attributes = Attributes(
    .id(\Car.id), .attribute("model", \.model), .attribute("year", \.year),
    .attribute("fuel", \.fuel), .one("owner", \.owner, inverse: \.cars))
  static let schema = Schema(attributes, Car.init, rules: [.unique(\.model), .index(\.year)])
}

func fleet() throws -> Store { try Store(.inMemory, entities: [Person.self, Car.self]) }
