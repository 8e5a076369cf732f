@_spi(Storage) internal import EntityStore
internal import Locking

/// The plans of a store.
///
/// Thousands of observed objects can share one plan.
final class EntityPlans: Sendable {
  private struct Key: Hashable {
    let entity: EntityDescription
    let included: [AttributePath]
  }

  private let plans = Locked<[Key: EntityPlan]>([:])

  private init() {}

  /// Returns the plan for objects of `entity` with the included values at `paths`.
  static func plan(
    _ entity: EntityDescription, including paths: [AttributePath], in store: Store
  ) -> EntityPlan {
    store.companion(EntityPlans.self) { EntityPlans() }.plan(entity, including: paths)
  }

  private func plan(
    _ entity: EntityDescription, including paths: [AttributePath]
  ) -> EntityPlan {
    let key = Key(entity: entity, included: paths)
    if let plan = plans.withLock({ $0[key] }) { return plan }
    let plan = EntityPlan(entity, including: paths)
    return plans.withLock { plans in
      if let other = plans[key] { return other }
      plans[key] = plan
      return plan
    }
  }
}
