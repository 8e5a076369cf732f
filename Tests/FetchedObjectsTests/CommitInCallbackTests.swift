import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

/// S3 in every kind of callback there is: a commit made inside comes after the current one, for everybody.
@Suite struct CommitInCallbackTests {
  /// Makes one commit when it is called, once it is armed.
  private final class Committer: Sendable {
    private struct State {
      var isArmed = false
      var count = 0
      var wasToldAtOnce = false
    }

    private let store: Store
    private let state = Locked(State())

    init(_ store: Store) { self.store = store }

    func arm() { state.withLock { $0.isArmed = true } }

    /// - Parameter isTold: Says, when the commit returns, whether somebody has been told of it.
    func callAsFunction(_ isTold: () -> Bool) {
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

    var count: Int { state.withLock { $0.count } }

    /// Whether somebody was told of the commit while the callback that made it ran.
    var wasToldAtOnce: Bool { state.withLock { $0.wasToldAtOnce } }
  }

  private func check(
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
    #expect(later.snapshot.view(for: 1)?.year == 2095)
    withExtendedLifetime(held) {}
  }

  @Test(arguments: CallbackKind.all)
  func `S3: a commit inside a callback comes after the current one`(_ kind: CallbackKind)
    async throws
  {
    try await check(kind, .memory, .immediate)
    try await check(kind, .file, .immediate)
  }

  @Test(arguments: CallbackKind.ofModels)
  func `S3: on the main actor a commit inside a callback comes after the current one`(
    _ kind: CallbackKind
  ) async throws {
    try await check(kind, .memory, .mainActor)
  }

  @Test(arguments: CallbackKind.ofModels)
  func `S3: on an actor a commit inside a callback comes after the current one`(
    _ kind: CallbackKind
  ) async throws {
    actor Place {}
    let place = Place()
    try await check(kind, .memory, .on(place))
    withExtendedLifetime(place) {}
  }

  @Test func `S3, F11: a commit inside the callback of an error comes after the current one`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let committer = Committer(store)
    let events = Recorder(cars.didChange.map(\.versions))
    let errors = cars.errors.subscribe { _ in
      storage.isFailing.store(0)
      committer { !events.values.isEmpty }
    }
    committer.arm()
    storage.isFailing.store(1)
    let version = try store.read { $0.version }
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    #expect(committer.count == 1 && !committer.wasToldAtOnce)
    #expect(cars.error == nil && events.values.map(\.upperBound) == [version + 2])
    #expect(cars.fetchedObjects.count == 4)
    withExtendedLifetime(errors) {}
  }

  @Test func `S3: a commit in the body of an async loop is like any other, and the loop goes on`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let values = cars.didChange.prefix(4).values()
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    var seen: [Int] = []
    for await event in values {
      let year = event.after.view(for: 1)?.year ?? 0
      seen.append(year)
      if year < 4 { try store.commit { try $0.update(Car.self, 1) { $0.year = year + 1 } } }
    }
    #expect(seen == [1, 2, 3, 4])
    withExtendedLifetime(cars) {}
  }
}
