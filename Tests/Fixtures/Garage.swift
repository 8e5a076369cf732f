package import EntityStore

/// Who may own cars.
package struct Person: Entity {
  package let id: Int
  package var name: String
  package var age: Int?

  package init(id: Int, name: String, age: Int? = nil) {
    self.id = id
    self.name = name
    self.age = age
  }

  package static let attributes = Attributes(
    .id(\Person.id), .attribute("name", \.name), .attribute("age", \.age))
  package static let schema = Schema(attributes, Person.init)
}

extension Person {
  package var cars: Many<Person, Car> { Many(\.owner) }
}

/// What may have an owner.
package struct Car: Entity {
  package let id: Int
  package var model: String
  package var year: Int
  package var owner: Ref<Person>?

  package init(id: Int, model: String, year: Int, owner: Ref<Person>? = nil) {
    self.id = id
    self.model = model
    self.year = year
    self.owner = owner
  }

  package static let attributes = Attributes(
    .id(\Car.id), .attribute("model", \.model), .attribute("year", \.year, default: 2000),
    .one("owner", \.owner, inverse: \.cars, onDelete: .nullify))
  package static let schema = Schema(attributes, Car.init, rules: [.index(\.year)])
}

extension TestStorage {
  package func makeGarage() throws -> Store { try makeStore(Person.self, Car.self) }
}

package let ann = Person(id: 1, name: "Ann", age: 30)
package let bob = Person(id: 2, name: "Bob", age: nil)

extension Store {
  /// Ann has a Volvo and a Fiat, Bob a Tesla; the Skoda has no owner.
  package func fillGarage() throws {
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
