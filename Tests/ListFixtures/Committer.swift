package import EntityStore
internal import FetchedObjects
package import Fixtures
internal import Locking
package import Relays
internal import TestSupport
internal import Testing

/// Makes one commit when it is called, once it is armed.
package final class Committer: Sendable {
  private struct State {
    var isArmed = false
    var count = 0
    var wasToldAtOnce = false
  }

  private let store: Store
  private let state = Locked(State())

  package init(_ store: Store) { self.store = store }

  package func arm() { state.withLock { $0.isArmed = true } }

  /// - Parameter isTold: Says, when the commit returns, whether somebody has been told of it.
  package func callAsFunction(_ isTold: () -> Bool) {
    let isArmed = state.withLock { state in
      defer { state.isArmed = false }
      return state.isArmed
    }
    if !isArmed { return }
    do {
      try store.commit { try $0.update(Car.self, 1) { $0.year += 100 } }
    } catch { Issue.record(error) }
    let wasToldAtOnce = isTold()
    state.withLock { state in
      state.count += 1
      state.wasToldAtOnce = wasToldAtOnce
    }
  }

  package var count: Int { state.withLock { $0.count } }

  /// Whether somebody was told of the commit while the callback that made it ran.
  package var wasToldAtOnce: Bool { state.withLock { $0.wasToldAtOnce } }
}

/// S3: a commit that a callback makes is told after the current one, to everybody.
package func checkCommitInside(
  _ kind: CallbackKind, _ storage: TestStorage, _ delivery: Delivery
) async throws {
  let store = try storage.makeGarage()
  try store.fillGarage()
  let query = Query<Car>().sorted { [$0.model.ascending] }
  let first = try FetchedObjectsModel(query, in: store, delivery: delivery, policy: .every)
  let firstTold = Recorder(first.didChange.map { $0.versions })
  let committer = Committer(store)
  let version = try store.read { $0.version }
  let held = try kind.attach(store, delivery) {
    committer { firstTold.values.contains { $0.upperBound > version + 1 } }
  }
  let later = try FetchedObjectsModel(query, in: store, delivery: delivery, policy: .every)
  let lastTold = Recorder(later.didChange.map { $0.versions })
  await store.flush()
  committer.arm()
  try store.commit { try $0.update(Car.self, 1) { $0.year += 1 } }
  await store.flush()
  #expect(committer.count == 1, "The callback wasn't called")
  #expect(!committer.wasToldAtOnce, "S3: told before the current one was")
  let both = [version + 1...version + 1, version + 2...version + 2]
  #expect(firstTold.values == both)
  #expect(lastTold.values == both)
  #expect(later.snapshot.row(for: 1)?.year == 2095)
  withExtendedLifetime(held) {}
}
