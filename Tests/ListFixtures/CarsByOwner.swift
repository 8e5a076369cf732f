package import EntityStore
package import Fixtures

/// Owners' cars in sections by owner, with the owner's name.
package let byOwner = Query<Car>()
  .filter { $0.owner.name != nil }
  .sorted { [$0.owner.name.ascending, $0.model.ascending] }
  .sectioned { $0.owner.name }
  .including { $0.owner.name }
