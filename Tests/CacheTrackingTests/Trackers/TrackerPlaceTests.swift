import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

/// F10: where every kind of tracker delivers, and how long it lives.
@Suite struct TrackerPlaceTests {
  @Test(arguments: TrackerKind.allCases)
  @MainActor func `A tracker of the main actor delivers there`(_ kind: TrackerKind) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = kind.make(store, delivery: .mainActor)
    let screen = Screen()
    screen.token = tracker.batches.subscribe(on: .mainActor) { screen.ids.append($0.changes.count) }
    try tracker.start(recentCars)
    #expect(screen.ids == [4])
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(screen.ids == [4, 1])
  }

  @Test(arguments: TrackerKind.allCases)
  func `A tracker of an actor delivers there, in order`(_ kind: TrackerKind) async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let desk = Desk()
    let tracker = kind.make(store, delivery: .on(desk))
    await desk.listen(tracker)
    try tracker.start(recentCars)
    for id in 10..<30 {
      try store.commit { try $0.insert(Car(id: id, model: "\(id)", year: 2000, owner: nil)) }
    }
    await store.flush()
    let counts = await desk.counts
    #expect(counts.first == 4 && counts.reduce(0, +) == 24)
    // One that fetches again may join the commits that wait.
    if kind != .refetching { #expect(counts.count == 21) }
  }

  @Test(arguments: TrackerKind.allCases)
  func `a tracker is deallocated when its owner releases it, and publishes nothing more`(
    _ kind: TrackerKind
  )
    throws
  {
    try LifetimeTracker.check { lifetime in
      let store = try TestStorage.memory.makeGarage()
      try store.fillGarage()
      let object = lifetime.track()
      let told = Locked(0)
      var tracker: TestTracker? = kind.make(store)
      let token = tracker?.batches.subscribe { _ in
        told.withLock { $0 += 1 }
        _ = object
      }
      try tracker?.start(recentCars)
      weak let base = tracker?.base
      tracker = nil
      #expect(base == nil)
      try store.commit { try $0.delete(Car.self, 1) }
      #expect(told.withLock { $0 } == 1)
      token?.cancel()
    }
  }

  @Test(arguments: TrackerKind.allCases)
  func `a callback may commit, pull, set up and drop the tracker`(_ kind: TrackerKind) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let tracker = Locked<TestTracker?>(kind.make(store))
    let steps = Locked(0)
    let token = tracker.withLock { $0 }?.batches.subscribe { _ in
      let step = steps.withLock { steps in
        steps += 1
        return steps
      }
      let current = tracker.withLock { $0 }
      switch step {
      case 1: try? store.commit { try $0.delete(Car.self, 1) }
      case 2:
        _ = current?.pull()
        try? current?.setup(CacheRequest(Car.self))
      default: tracker.withLock { $0 = nil }
      }
    }
    try tracker.withLock { $0 }?.start(recentCars)
    #expect(steps.withLock { $0 } == 3)
    #expect(tracker.withLock { $0 } == nil)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(steps.withLock { $0 } == 3)
    token?.cancel()
  }
}

@MainActor private final class Screen {
  var ids: [Int] = []
  var token: SubscriptionToken?
}

private actor Desk {
  private(set) var counts: [Int] = []
  private var token: SubscriptionToken?

  func listen(_ tracker: TestTracker) {
    token = tracker.batches.subscribe(on: self) { me, batch in me.counts.append(batch.changes.count)
    }
  }
}
