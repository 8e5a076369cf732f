@_spi(Storage) internal import EntityStore
internal import Locking

/// The results of a store that are kept up to date, by query.
///
/// Equal queries share one result.
final class SharedResults<Shared: SharedResult>: Sendable {
  private struct Entry: Sendable {
    weak var result: Shared?
  }

  private let results = Locked<[QueryDescription: Entry]>([:])
  private let plans = WeakTable<QueryDescription, ResultPlan>()

  private init() {}

  static func of(_ store: Store) -> SharedResults {
    store.companion(SharedResults.self) { SharedResults() }
  }

  /// Returns the result of a query, and fetches it if it isn't in use yet.
  func result(of query: QueryDescription, in store: Store) throws -> Shared {
    try current(query) ?? add(Shared(query, in: store, among: self), of: query)
  }

  /// Returns the result of a query if it is in use and up to date.
  func current(_ query: QueryDescription) -> Shared? {
    // The next commit brings a stale result up to date. A new caller reads the result again.
    results.withLock { $0[query]?.result }.flatMap { $0.isStale ? nil : $0 }
  }

  /// Fetches a result, which is the one of its query from now on.
  func add(_ result: Shared, of query: QueryDescription) throws -> Shared {
    try result.start()
    // Another thread may have fetched it meanwhile. Both are valid, and later models use this one.
    results.withLock { $0[query] = Entry(result: result) }
    return result
  }

  /// Returns the plan of a query's rows.
  ///
  /// A result shares the plan with its windows, so they are compared as results of one query.
  ///
  /// - Complexity: O(1) on average.
  func plan(of query: QueryDescription) -> ResultPlan {
    plans.object(query) { ResultPlan(query, among: plans) }
  }

  /// The results that are in use, in no particular order.
  var all: [Shared] { results.withLock { results in results.values.compactMap(\.result) } }

  /// Removes the result of a query if it is no longer in use.
  func forget(_ query: QueryDescription) {
    // The result is returned, because this may be the last reference to it. It is then released
    // outside the lock.
    let kept = results.withLock { results -> Shared? in
      let result = results[query]?.result
      if result == nil { results[query] = nil }
      return result
    }
    withExtendedLifetime(kept) {}
  }
}
