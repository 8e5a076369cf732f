internal import EntityStore

extension Observation {
  /// Follows all that a plan reads; of its own entity, where it has a guard, only what the guard lets pass.
  func follow(_ plan: ResultPlan) {
    if let watched = plan.watched { follow(plan.query.entity, watched) }
    follow(plan.entities)
  }

  /// Follows what the guard doesn't let pass as well, as long as a commit couldn't be read: any later one reads anew
  /// (F11).
  func follow(_ plan: ResultPlan, isStale: Bool) {
    if plan.watched == nil { return }
    follow(isStale ? plan.entities.union([plan.query.entity]) : plan.entities)
  }
}
