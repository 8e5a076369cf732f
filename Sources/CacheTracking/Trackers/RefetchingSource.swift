internal import EntityStore
internal import FetchedObjects
internal import Locking
internal import Relays

/// A source for a publisher that fetches a query again after each commit.
///
/// It applies a commit when `Store.commits` delivers it in its delivery context. It skips a commit
/// that an earlier fetch already includes.
final class RefetchingSource<E: Entity>: ListSource {
  typealias Publisher = ListPublisher<ListSnapshot<EntityView<E>>, CacheRequest<E>>

  private struct State: Sendable {
    /// Nil until the first fetch.
    var fetched: ListSnapshot<EntityView<E>>?
    /// The version of the last commit that was delivered before the first fetch had ended.
    var delivered = Int64.min
  }

  private let query: Query<E>
  private let store: Store
  private weak let publisher: Publisher?
  private weak let errors: Relay<any Error>?
  private let state = Locked(State())
  private let tokens = Locked<[SubscriptionToken]>([])

  /// Fetches the result of a query, and fetches it again after each commit.
  init(
    _ query: Query<E>, in store: Store, delivery: Delivery, publisher: Publisher,
    errors: Relay<any Error>
  ) throws {
    self.query = query
    self.store = store
    self.publisher = publisher
    self.errors = errors
    let subscribed = [
      store.commits.subscribe(in: delivery) { [weak self] in self?.follow($0) },
      store.errors.subscribe(in: delivery) { [weak errors] in errors?.send($0) },
    ]
    tokens.withLock { $0 = subscribed }
    // A commit that is delivered while the first fetch runs may not be part of it.
    var fetched = try ListSnapshot(query, firstIn: store)
    while !begin(with: fetched) { fetched = try ListSnapshot(query, firstIn: store) }
    // Otherwise the first batch would show an external commit before other subscribers see it
    // (F13).
    try store.mergingAhead { try $0(fetched.version) }
  }

  /// Begins with a snapshot, unless a later commit has been delivered.
  private func begin(with first: ListSnapshot<EntityView<E>>) -> Bool {
    state.withLock { state in
      guard first.version >= state.delivered else { return false }
      state.fetched = first
      return true
    }
  }

  var shown: ListSnapshot<EntityView<E>> {
    guard let fetched = state.withLock({ $0.fetched }) else {
      preconditionFailure("A list is read before it has been fetched")
    }
    return fetched
  }

  var pausesItself: Bool { false }

  /// Does nothing, because it fetches during a pause, too, and the publisher waits.
  func pause() {}

  func resume() {}

  /// Fetches again, unless that has happened since the commit.
  private func follow(_ commit: Commit) {
    let last = state.withLock { state in
      if state.fetched == nil { state.delivered = max(state.delivered, commit.version) }
      return state.fetched
    }
    guard let before = last, commit.version > before.version else { return }
    do {
      let after = try ListSnapshot(query, firstIn: store)
      state.withLock { $0.fetched = after }
      publisher?.show(after, of: self, from: before) { before.changes(to: after) }
      publisher?.publish()
    } catch {
      errors?.send(error)
    }
  }
}
