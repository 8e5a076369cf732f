@_spi(Storage) internal import EntityStore
internal import Locking

/// The plans of a store.
///
/// Thousands of observed objects can share one plan.
final class EntityPlans: Sendable {
  private struct Key: Hashable {
    let entity: EntityDescription
    let included: [AttributePath]
    let related: [QueryExpression]
  }

  private let plans = Locked<[Key: EntityPlan]>([:])

  private init() {}

  /// Returns the plan for objects of a query's entity with the values that the query includes.
  static func plan(of query: QueryDescription, in store: Store) -> EntityPlan {
    store.companion(EntityPlans.self) { EntityPlans() }.plan(of: query)
  }

  private func plan(of query: QueryDescription) -> EntityPlan {
    let key = Key(
      entity: query.entity, included: query.included, related: query.includedRelated)
    if let plan = plans.withLock({ $0[key] }) { return plan }
    let plan = EntityPlan(query.entity, including: query)
    return plans.withLock { plans in
      if let other = plans[key] { return other }
      plans[key] = plan
      return plan
    }
  }
}
