import EntityStore
import FetchedObjects
import Fixtures
import Locking
import Relays
import TestSupport

/// What a user's object reaches when it goes: the store and a model, which it doesn't keep.
final class Reach: Sendable {
  private struct Weak: Sendable {
    weak var store: Store?
    weak var model: FetchedObjectsModel<Car>?
  }

  private let state = Locked(Weak())
  /// How many objects have called back.
  let calls = Counter()

  func set(_ store: Store, _ model: FetchedObjectsModel<Car>? = nil) {
    state.withLock { $0 = Weak(store: store, model: model) }
  }

  /// Reads what a lock of ours would be held for.
  func read() {
    // Handed out, so that nothing is freed under this lock either.
    let (store, model) = state.withLock { ($0.store, $0.model) }
    _ = try? store?.read { reader in try reader.count(Query<Car>()) }
    _ = model?.snapshot.count
    _ = model?.error
    calls.add()
  }

  func commit() {
    let store = state.withLock { $0.store }
    try? store?.commit { try $0.upsert(Person(id: 100, name: "\(calls.value)", age: nil)) }
  }
}

/// A user's object that reads and commits when it goes; whoever frees it under a lock of ours hangs.
final class CallingBack: Sendable {
  private let reach: Reach
  private let object: LifetimeTracker.Tracked?

  init(_ reach: Reach, _ tracker: LifetimeTracker? = nil) {
    self.reach = reach
    object = tracker?.track()
  }

  deinit {
    reach.read()
    reach.commit()
  }
}
