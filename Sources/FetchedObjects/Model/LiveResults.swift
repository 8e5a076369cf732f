internal import EntityStore
internal import Locking

/// The results of a store that are kept up to date, by query: equal queries share one.
final class LiveResults: Sendable {
  private struct Entry: Sendable {
    weak var result: LiveResult?
  }

  private let results = Locked<[QueryDescription: Entry]>([:])

  private init() {}

  /// Those of a store.
  static func of(_ store: Store) -> LiveResults {
    store.companion(LiveResults.self) { LiveResults() }
  }

  /// The result of a query, which is fetched if nobody has it yet.
  ///
  /// - Throws: what fetching throws.
  func result(of query: QueryDescription, in store: Store) throws -> LiveResult {
    // One that couldn't be read is brought up to date by the next commit; who comes now reads anew.
    if let result = results.withLock({ $0[query]?.result }), !result.isStale { return result }
    let result = LiveResult(ResultPlan(query), among: self)
    try result.start(in: store)
    // Another thread may have fetched it meanwhile; both are good, and later models take this one.
    results.withLock { $0[query] = Entry(result: result) }
    return result
  }

  /// Forgets the result of a query if nobody has it any more.
  func forget(_ query: QueryDescription) {
    // Handed out, so that the lock isn't held if this turns out to be the last to hold it.
    let kept = results.withLock { results -> LiveResult? in
      let result = results[query]?.result
      if result == nil { results[query] = nil }
      return result
    }
    withExtendedLifetime(kept) {}
  }
}
