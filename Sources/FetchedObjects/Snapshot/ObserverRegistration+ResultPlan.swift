@_spi(Storage) internal import EntityStore

extension ObserverRegistration {
  /// Follows everything that a plan reads.
  ///
  /// If the plan has a watched predicate, a change of an object of the query's entity is followed
  /// only if the object meets the predicate before or after it.
  func follow(_ plan: ResultPlan) {
    follow(predicates: plan.watched.map { [(plan.query.entity, $0)] } ?? [])
    follow(plan.entities)
  }

  /// Also follows objects that don't meet the watched predicate, while `isStale` is true.
  ///
  /// A result is stale if a commit couldn't be read. Then any later commit makes it read again
  /// (F11).
  func follow(_ plan: ResultPlan, isStale: Bool) {
    if plan.watched == nil { return }
    follow(isStale ? plan.entities.union([plan.query.entity]) : plan.entities)
  }
}
