internal import EntityStore
internal import Locking

/// The index-only results of a store that are kept up to date, by query: equal queries share one.
final class LiveIndexes: Sendable {
  private struct Entry: Sendable {
    weak var index: LiveIndex?
  }

  private let entries = Locked<[QueryDescription: Entry]>([:])

  private init() {}

  /// Those of a store.
  static func of(_ store: Store) -> LiveIndexes {
    store.companion(LiveIndexes.self) { LiveIndexes() }
  }

  /// The result of a query, which is fetched if nobody has it yet.
  ///
  /// - Throws: what fetching throws.
  func index(of query: QueryDescription, in store: Store) throws -> LiveIndex {
    // One that couldn't be read is brought up to date by the next commit; who comes now reads anew.
    if let index = entries.withLock({ $0[query]?.index }), index.missed == nil { return index }
    let index = LiveIndex(ResultPlan(query), in: store, among: self)
    try index.start()
    // Another thread may have fetched it meanwhile; both are good, and later models take this one.
    entries.withLock { $0[query] = Entry(index: index) }
    return index
  }

  /// Forgets the result of a query if nobody has it any more.
  func forget(_ query: QueryDescription) {
    // Handed out, so that the lock isn't held if this turns out to be the last to hold it.
    let kept = entries.withLock { entries -> LiveIndex? in
      let index = entries[query]?.index
      if index == nil { entries[query] = nil }
      return index
    }
    withExtendedLifetime(kept) {}
  }
}
