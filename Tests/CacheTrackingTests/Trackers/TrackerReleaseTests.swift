import CacheTracking
import EntityStore
import FetchedObjects
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// R3: an app's deinit that runs when a tracker or a provider gives a row up may use it.
@Suite struct TrackerReleaseTests {
  private static func make(_ kind: TrackerKind, _ store: Store) -> any CacheTracker<Marked, Void> {
    switch kind {
    case .results: FetchedObjectsCacheTracker(in: store) { _ in }
    case .refetching: RefetchingCacheTracker(in: store) { _ in }
    case .indexOnly: IndexOnlyCacheTracker<Marked, Void>(in: store) { _ in }
    }
  }

  @Test(arguments: TrackerKind.allCases)
  func `R3: a tracker releases rows under no lock`(_ kind: TrackerKind) {
    let calls = Counter()
    let done = finishes {
      do {
        let store = try Store(.inMemory, entities: [Marked.self])
        let world = MarkedWorld()
        try world.fill(store)
        let tracker = Self.make(kind, store)
        world.onEnd.withLock {
          $0 = { [weak tracker] in
            calls.add()
            _ = tracker?.sectionTitles
            _ = tracker?.request
          }
        }
        let token = tracker.batches.subscribe { _ in }
        try tracker.start(with: CacheRequest(query: byMark))
        for id in 0..<5 { try world.touch(store, id) }
        try tracker.setup(with: CacheRequest(query: byMark.filter { $0.id != 3 }))
        for id in 0..<5 { try world.touch(store, id) }
        _ = tracker.transactionBatchFromCurrentCache()
        for id in 0..<5 { try world.touch(store, id) }
        let callsBefore = calls.value
        tracker.pause()
        for _ in 0..<2 { try world.touch(store, 1) }
        // A list without a pause of its own has been replaced twice by now.
        tracker.resume()
        expectTrue(calls.value > callsBefore)
        token.cancel()
        world.onEnd.withLock { $0 = nil }
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is released under a tracker's lock")
    #expect(calls.value > 0)
  }

  @Test func `R3: a request that is replaced before it began is released under no lock`() throws {
    let store = try Store(.inMemory, entities: [Marked.self])
    let world = MarkedWorld()
    try world.fill(store)
    let place = HeldActor()
    let tracker = FetchedObjectsCacheTracker<Marked, Void>(in: store, delivery: .on(place)) { _ in }
    let calls = Counter()
    try tracker.setup(with: CacheRequest(query: byMark.filter { $0.id < 5 }))
    // The actor is busy meanwhile, so neither of the other two requests begins.
    place.hold()
    defer { place.letGo() }
    let done = finishes {
      do {
        try tracker.setup(with: CacheRequest(query: byMark.filter { $0.id >= 5 }))
        // Of these rows only that request has the old versions.
        for id in 5..<20 { try world.touch(store, id) }
        world.onEnd.withLock {
          $0 = { [weak tracker] in
            calls.add()
            _ = tracker?.request
          }
        }
        try tracker.setup(with: CacheRequest(query: byMark))
        world.onEnd.withLock { $0 = nil }
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is released under a tracker's lock")
    #expect(calls.value >= 15)
  }

  @Test func `R3: a provider releases rows under no lock`() {
    let calls = Counter()
    let done = finishes {
      do {
        let store = try Store(.inMemory, entities: [Marked.self])
        let world = MarkedWorld()
        try world.fill(store)
        let provider = FetchedDataProvider(
          byMark, in: store, mapping: PlainDataMapping(Marked.self))
        world.onEnd.withLock {
          $0 = { [weak provider] in
            calls.add()
            _ = provider?.numberOfSections
            _ = provider?.query
          }
        }
        let token = provider.events.subscribe { _ in }
        try provider.reloadData()
        for id in 0..<5 { try world.touch(store, id) }
        try provider.filter { $0.id != 3 }
        provider.pause()
        for id in 0..<5 { try world.touch(store, id) }
        try provider.removeFilter()
        provider.resume()
        for id in 0..<5 { try world.touch(store, id) }
        // The second pause joins two steps, and the row between them is released.
        provider.pause()
        for _ in 0..<2 { try world.touch(store, 1) }
        provider.pause()
        token.cancel()
        world.onEnd.withLock { $0 = nil }
      } catch { Issue.record(error) }
    }
    #expect(done, "a row is released under a provider's lock")
    #expect(calls.value > 0)
  }
}
