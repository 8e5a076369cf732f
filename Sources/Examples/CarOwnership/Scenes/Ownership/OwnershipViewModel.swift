/// A document of ownership in the form that users read and write.
struct OwnershipViewModel: Hashable, Sendable {
  var person: PersonViewModel
  var car: CarViewModel

  init(person: PersonViewModel, car: CarViewModel) {
    self.person = person
    self.car = car
  }

  init(_ ownership: Ownership) {
    person = PersonViewModel(ownership.owner)
    car = CarViewModel(ownership.car)
  }

  /// Returns a new document with the typed values.
  func makeOwnership() throws(ViewModelError) -> Ownership {
    Ownership(owner: try person.makePerson(), car: try car.makeCar())
  }

  /// Updates a document to the typed values.
  ///
  /// Everything that isn't typed stays: the identities and the manufacturer's ranking.
  ///
  /// - Throws: ``ViewModelError`` if a value can't be read. The document is unchanged then.
  func update(_ ownership: inout Ownership) throws(ViewModelError) {
    let owner = try person.makePerson(from: ownership.owner)
    ownership = Ownership(owner: owner, car: try car.makeCar(from: ownership.car))
  }
}

struct PersonViewModel: Hashable, Sendable {
  var name: String
  /// The birthdate, such as `04 05 1980`.
  var birthdate: String

  init(name: String, birthdate: String) {
    self.name = name
    self.birthdate = birthdate
  }

  init(_ person: Person) {
    name = person.name
    birthdate = DayFormat.text(person.birthdate)
  }

  /// Returns the person with the typed values, or a new one if there was none.
  func makePerson(from old: Person? = nil) throws(ViewModelError) -> Person {
    let name = try ViewModelError.checked(name, as: "owner")
    guard let day = DayFormat.day(birthdate) else { throw .invalidDate(birthdate) }
    return Person(id: old?.id ?? .unique(), name: name, birthdate: day)
  }
}

struct CarViewModel: Hashable, Sendable {
  var model: String
  /// The mileage, such as `94,000 km`, or the digits alone.
  var mileage: String
  var manufacturer: ManufacturerViewModel

  init(model: String, mileage: String, manufacturer: ManufacturerViewModel) {
    self.model = model
    self.mileage = mileage
    self.manufacturer = manufacturer
  }

  init(_ car: Car) {
    model = car.model
    mileage = MileageFormat.text(car.mileage)
    manufacturer = ManufacturerViewModel(car.manufacturer)
  }

  /// Returns the car with the typed values, or a new one if there was none.
  func makeCar(from old: Car? = nil) throws(ViewModelError) -> Car {
    let model = try ViewModelError.checked(model, as: "model")
    guard let mileage = MileageFormat.mileage(mileage) else { throw .invalidMileage(mileage) }
    return Car(
      id: old?.id ?? .unique(), model: model, mileage: mileage,
      manufacturer: try manufacturer.makeManufacturer(from: old?.manufacturer))
  }
}

struct ManufacturerViewModel: Hashable, Sendable {
  var name: String

  init(name: String) { self.name = name }

  init(_ manufacturer: Manufacturer) { name = manufacturer.name }

  /// Returns the manufacturer with the typed name, or a new one if there was none.
  func makeManufacturer(from old: Manufacturer? = nil) throws(ViewModelError) -> Manufacturer {
    let name = try ViewModelError.checked(name, as: "manufacturer")
    return Manufacturer(id: old?.id ?? .unique(), name: name, ranking: old?.ranking ?? 0)
  }
}
