internal import EntityStore
internal import Locking

/// The results of a store that are kept up to date, by query: equal queries share one.
final class SharedResults<Shared: SharedResult>: Sendable {
  private struct Entry: Sendable {
    weak var result: Shared?
  }

  private struct Plan: Sendable {
    weak let plan: ResultPlan?
  }

  private struct Plans: Sendable {
    var all: [QueryDescription: Plan] = [:]
    /// How many there may be before those that nobody has are forgotten.
    var most = 16
  }

  private let results = Locked<[QueryDescription: Entry]>([:])
  private let plans = Locked(Plans())

  private init() {}

  /// Those of a store.
  static func of(_ store: Store) -> SharedResults {
    store.companion(SharedResults.self) { SharedResults() }
  }

  /// The result of a query, which is fetched if nobody has it yet.
  ///
  /// - Throws: what fetching throws.
  func result(of query: QueryDescription, in store: Store) throws -> Shared {
    // One that couldn't be read is brought up to date by the next commit; who comes now reads anew.
    if let result = results.withLock({ $0[query]?.result }), !result.isStale { return result }
    let result = try Shared(query, in: store, among: self)
    try result.start()
    // Another thread may have fetched it meanwhile; both are good, and later models take this one.
    results.withLock { $0[query] = Entry(result: result) }
    return result
  }

  /// The plan of a query's rows, which a result shares with its windows: between them it is one query.
  ///
  /// - Complexity: O(1) on average.
  func plan(of query: QueryDescription) -> ResultPlan {
    // What turns out to be held by nobody else is freed when the lock is gone.
    let (plan, _, _) = plans.withLock { plans -> (ResultPlan, Plans?, [ResultPlan]) in
      if let plan = plans.all[query]?.plan { return (plan, nil, []) }
      var old: Plans?
      var held: [ResultPlan] = []
      if plans.all.count >= plans.most {
        old = plans
        plans.all = plans.all.filter { entry in
          guard let plan = entry.value.plan else { return false }
          held.append(plan)
          return true
        }
        plans.most = max(16, 2 * plans.all.count)
      }
      let plan = ResultPlan(query)
      plans.all[query] = Plan(plan: plan)
      return (plan, old, held)
    }
    return plan
  }

  /// Those that somebody has, in no order.
  var all: [Shared] { results.withLock { results in results.values.compactMap(\.result) } }

  /// Forgets the result of a query if nobody has it any more.
  func forget(_ query: QueryDescription) {
    // Handed out, so that the lock isn't held if this turns out to be the last to hold it.
    let kept = results.withLock { results -> Shared? in
      let result = results[query]?.result
      if result == nil { results[query] = nil }
      return result
    }
    withExtendedLifetime(kept) {}
  }
}
