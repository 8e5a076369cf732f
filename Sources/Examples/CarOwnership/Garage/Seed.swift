import Signalbox

/// The content of a new garage: four manufacturers, three people, six cars.
enum Seed {
  /// Fills a new garage, which has nothing in it.
  ///
  /// Two programs may call it at the same time.
  static func fill(_ draft: borrowing Draft) throws {
    guard try draft.count(Query<CarRecord>()) == 0, try draft.count(Query<Person>()) == 0,
      try draft.count(Query<Manufacturer>()) == 0
    else { return }
    let mapping = OwnershipMapping()
    for ownership in ownerships { try mapping.insert(ownership, into: draft) }
  }

  static let ownerships: [Ownership] = {
    let bmw = Manufacturer(id: "bmw", name: "BMW", ranking: 1)
    let benz = Manufacturer(id: "benz", name: "Benz", ranking: 2)
    let toyota = Manufacturer(id: "toyota", name: "Toyota", ranking: 3)
    let mazda = Manufacturer(id: "mazda", name: "Mazda", ranking: 4)
    let amir = Person(id: "amir", name: "Amir", birthdate: Day(rawValue: 1980_05_04))
    let john = Person(id: "john", name: "John", birthdate: Day(rawValue: 1975_11_23))
    let sara = Person(id: "sara", name: "Sara", birthdate: Day(rawValue: 1992_02_29))
    func document(_ owner: Person, _ manufacturer: Manufacturer, _ model: String, _ mileage: Int)
      -> Ownership
    {
      let car = Car(
        id: "\(owner.id)-\(model)", model: model, mileage: mileage, manufacturer: manufacturer)
      return Ownership(owner: owner, car: car)
    }
    return [
      document(amir, bmw, "X5", 20_000), document(amir, benz, "S500", 31_500),
      document(john, toyota, "Camry", 94_000), document(john, mazda, "3", 61_200),
      document(john, bmw, "320i", 152_000), document(sara, toyota, "Corolla", 8_400),
    ]
  }()
}
