import CacheTracking
import Signalbox

/// A mapping between stored cars and documents of ownership.
struct OwnershipMapping: DataMapping {
  /// Returns the document, or nil if the car has lost its owner or its manufacturer.
  func object(_ view: EntityView<CarRecord>) -> Ownership? {
    guard let owner = view.owner, let manufacturer = view.manufacturer else { return nil }
    let car = Car(
      id: view.id, model: view.model, mileage: view.mileage, manufacturer: manufacturer.value)
    return Ownership(owner: owner.value, car: car)
  }

  func id(of ownership: Ownership) -> CarRecord.ID { ownership.car.id }

  /// Inserts a document.
  ///
  /// If its owner or manufacturer already exists by name, the existing one is used unchanged.
  func insert(_ ownership: Ownership, into draft: borrowing Draft) throws {
    let car = ownership.car
    let owner =
      try draft.find(
        Person.self, by: (\.name, ownership.owner.name), (\.birthdate, ownership.owner.birthdate))
    let manufacturer = try draft.find(Manufacturer.self, by: (\.name, car.manufacturer.name))
    if owner == nil { try draft.insert(ownership.owner) }
    if manufacturer == nil { try draft.insert(car.manufacturer) }
    try draft.insert(
      CarRecord(
        id: car.id, model: car.model, mileage: car.mileage, owner: Ref(owner ?? ownership.owner),
        manufacturer: Ref(manufacturer ?? car.manufacturer)))
  }

  /// Updates the car, its owner and its manufacturer to match the document.
  func update(
    _ id: CarRecord.ID, with ownership: Ownership, in draft: borrowing Draft
  ) throws {
    try draft.upsert(ownership.owner)
    try draft.upsert(ownership.car.manufacturer)
    try draft.update(CarRecord.self, id) { record in
      record.model = ownership.car.model
      record.mileage = ownership.car.mileage
      record.owner = Ref(ownership.owner)
      record.manufacturer = Ref(ownership.car.manufacturer)
    }
  }
}
