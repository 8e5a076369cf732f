@_spi(Storage) internal import EntityStore
internal import Locking

/// The plans of a store.
///
/// Thousands of observed objects can share one plan.
final class EntityPlans: Sendable {
  private struct Key: Hashable, Sendable {
    let entity: EntityDescription
    let included: [AttributePath]
    let related: [QueryExpression]
  }

  private let plans = WeakTable<Key, EntityPlan>()

  private init() {}

  /// Returns the plan for objects of a query's entity with the values that the query includes.
  static func plan(of query: QueryDescription, in store: Store) -> EntityPlan {
    let key = Key(
      entity: query.entity, included: query.included, related: query.includedComputed)
    return store.companion(EntityPlans.self) { EntityPlans() }.plans
      .object(key) { EntityPlan(of: query) }
  }
}
