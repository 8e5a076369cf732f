import Signalbox

/// The car of the scene.
///
/// It is the only part of the scene that knows the store.
@MainActor final class EditMileageDataProvider: EditMileageDataProviderInput {
  weak var delegate: (any EditMileageDataProviderDelegate)?

  private let garage: Garage
  private let car: ObservedEntity<CarRecord>
  private var tokens: [SubscriptionToken] = []

  /// Creates a provider.
  ///
  /// - Throws: The errors of the store. A missing car throws as well.
  init(garage: Garage, carModelID: ModelID) throws {
    self.garage = garage
    car = try ObservedEntity(carModelID, in: garage.store, delivery: .mainActor) {
      $0.owner
      $0.manufacturer
    }
    tokens = [
      car.didChange.subscribe(on: .mainActor) { [weak self] _ in
        if let self { delegate?.providerDidChangeObject(self) }
      },
      car.errors.subscribe(on: .mainActor) { [weak self] error in
        if let self { delegate?.provider(self, didFail: error) }
      },
    ]
  }

  var object: Ownership? { car.isDeleted ? nil : OwnershipMapping().object(car.view) }

  func reloadData() { delegate?.providerDidChangeObject(self) }

  func updateMileage(_ mileage: Int) throws {
    try garage.store.commit(named: "mileage of \(car.model)") { draft in
      try draft.update(CarRecord.self, car.id) { $0.mileage = mileage }
    }
  }
}
