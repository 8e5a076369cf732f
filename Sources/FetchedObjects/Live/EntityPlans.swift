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

  private struct Entry {
    weak let plan: EntityPlan?
  }

  private struct Plans {
    var all: [Key: Entry] = [:]
    /// The number of plans at which those that are no longer in use are removed.
    var most = 16
  }

  private let plans = Locked(Plans())

  private init() {}

  /// Returns the plan for objects of a query's entity with the values that the query includes.
  static func plan(of query: QueryDescription, in store: Store) -> EntityPlan {
    store.companion(EntityPlans.self) { EntityPlans() }.plan(of: query)
  }

  private func plan(of query: QueryDescription) -> EntityPlan {
    let key = Key(
      entity: query.entity, included: query.included, related: query.includedComputed)
    if let plan = plans.withLock({ $0.all[key]?.plan }) { return plan }
    let plan = EntityPlan(of: query)
    return plans.withLock { plans in
      if let other = plans.all[key]?.plan { return other }
      if plans.all.count >= plans.most {
        plans.all = plans.all.filter { $0.value.plan != nil }
        plans.most = max(16, 2 * plans.all.count)
      }
      plans.all[key] = Entry(plan: plan)
      return plan
    }
  }
}
