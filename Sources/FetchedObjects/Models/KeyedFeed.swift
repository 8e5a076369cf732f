package import EntityStore
internal import Locking
package import Relays

/// A feed for clients that keep rows by their ids and sort them by themselves.
///
/// It holds versions, and makes each page once, as ``FetchedObjectsFeed`` does.
package final class KeyedFeed<Output: Sendable>: Sendable {
  private let cursors: FeedCursors<Output>
  private let make: @Sendable (FeedStep) -> Output
  /// The model, whose events would end without it.
  private let model: any AnyObject & Sendable
  /// Has a value after each update of the model.
  package let didChange: Signal<Void>
  /// The number that distinguishes the feed's cursors from those of other feeds.
  package let identity: UInt64

  /// Creates a feed of a model's list, which holds `limit` versions.
  ///
  /// If `row` is nil, a row has the object's attributes and what the query includes.
  package init<E: Entity>(
    of model: FetchedObjectsModel<E>, keeping limit: Int, identity: UInt64,
    row: (@Sendable (EntityView<E>) -> FeedValues)?,
    page: @escaping @Sendable (KeyedStep) -> Output
  ) {
    self.identity = identity
    cursors = FeedCursors(
      model.follower, feed: identity, limit: limit, sendsSortValues: true)
    let content = row.map { row in
      { @Sendable (result: ResultRow, plan: ResultPlan) in row(EntityView(result, plan)) }
    }
    let last = Locked<KeyedRows?>(nil)
    let prepare = { @Sendable (plan: ResultPlan) -> KeyedRows in
      if let known = last.withLock({ $0 }), known.plan === plan { return known }
      let rows = KeyedRows(plan, content)
      // The replaced rows are released without the lock.
      let old = last.withLock { last in
        defer { last = rows }
        return last
      }
      return withExtendedLifetime(old) { rows }
    }
    make = { page(KeyedStep($0, prepare)) }
    self.model = model
    didChange = model.updates
  }

  package func page(after cursor: FeedCursor?) -> Output {
    cursors.page(after: cursor) { make($0) }
  }

  /// The number of versions that clients were given after the one of a cursor, or nil if it isn't
  /// held.
  package func age(of cursor: FeedCursor) -> Int? { cursors.age(of: cursor) }

  /// The maximum number of versions that are held.
  package var limit: Int { cursors.limit }

  /// The number of versions that are held.
  package var count: Int { cursors.count }
}
