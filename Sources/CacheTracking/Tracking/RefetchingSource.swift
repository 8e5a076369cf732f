internal import EntityStore
internal import FetchedObjects
internal import Locking
internal import Relays

/// A source for a publisher that fetches a query again after each commit.
///
/// It applies a commit when `Store.commits` delivers it in its delivery context. It skips a commit
/// that an earlier fetch already includes.
final class RefetchingSource<E: Entity>: ListSource {
  typealias Publisher = ListPublisher<FetchedObjectsSnapshot<E>, CacheRequest<E>>

  private let query: Query<E>
  private let store: Store
  private weak let publisher: Publisher?
  private weak let errors: Relay<any Error>?
  private let fetched: Locked<FetchedObjectsSnapshot<E>>
  private let tokens = Locked<[SubscriptionToken]>([])

  /// Fetches the result of a query, and fetches it again after each commit.
  ///
  /// - Throws: The errors of fetching.
  init(
    _ query: Query<E>, in store: Store, delivery: Delivery, publisher: Publisher,
    errors: Relay<any Error>
  ) throws {
    self.query = query
    self.store = store
    self.publisher = publisher
    self.errors = errors
    fetched = Locked(try FetchedObjectsSnapshot(query, firstIn: store))
    let subscribed = [
      store.commits.subscribe(in: delivery) { [weak self] in self?.follow($0) },
      store.errors.subscribe(in: delivery) { [weak errors] in errors?.send($0) },
    ]
    tokens.withLock { $0 = subscribed }
    // This fetch includes the commits that were made before the subscriptions existed.
    let newest = try FetchedObjectsSnapshot(query, firstIn: store)
    let older = fetched.withLock { fetched in
      defer { if newest.version > fetched.version { fetched = newest } }
      return fetched
    }
    withExtendedLifetime(older) {}
    // Otherwise the first batch would show an external commit before other subscribers see it
    // (F13).
    try store.takingInAhead { try $0(newest.version) }
  }

  var shown: FetchedObjectsSnapshot<E> { fetched.withLock { $0 } }

  /// Fetches again, unless that has happened since the commit.
  private func follow(_ commit: Commit) {
    guard commit.version > shown.version else { return }
    do {
      let after = try FetchedObjectsSnapshot(query, firstIn: store)
      // The initializer may have fetched a later version meanwhile. The old one is released here.
      let replaced = fetched.withLock { fetched -> FetchedObjectsSnapshot<E>? in
        guard after.version > fetched.version else { return nil }
        defer { fetched = after }
        return fetched
      }
      guard let before = replaced else { return }
      publisher?.show(
        Publisher.Event(before: before, after: after, changes: { before.changes(to: after) }),
        from: self)
      publisher?.publish()
    } catch {
      errors?.send(error)
    }
  }
}
