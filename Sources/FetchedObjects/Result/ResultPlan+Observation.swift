internal import EntityStore

extension Observation {
  /// Follows all that a plan reads; of its own entity, where it has a guard, only what the guard lets pass.
  func follow(_ plan: ResultPlan) {
    if let changeGuard = plan.changeGuard { follow(plan.query.entity, changeGuard) }
    follow(plan.entities)
  }
}
