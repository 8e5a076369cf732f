import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import ListFixtures

/// What a client is given of a car.
struct FedCar: Codable, Hashable {
  var model: String
  var owner: String?
}

/// A feed of cars with their owners' names.
func carFeed(
  of model: FetchedObjectsModel<Car>, keeping limit: Int = 100, identity: UInt64 = 1
) -> FetchedObjectsFeed<FeedPage<FedCar>> {
  FetchedObjectsFeed(of: model, keeping: limit, identity: identity) {
    FedCar(model: $0.model, owner: $0.owner?.name)
  }
}

extension FeedPage {
  /// What kind of page it is, as its form in JSON says.
  var kind: String {
    switch news {
    case .unchanged: "unchanged"
    case .changes: "changes"
    case .reset: "reset"
    }
  }
}

/// Gives Ann another name.
func rename(_ name: String, in store: Store) throws {
  try store.commit { draft in try draft.update(Person.self, 1) { $0.name = name } }
}
