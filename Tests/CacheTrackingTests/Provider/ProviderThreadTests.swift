import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Relays
import TestSupport
import Testing

/// Requests that several threads make of one provider at once: each is carried out whole, one after the other.
@Suite struct ProviderThreadTests {
  private let store: Store
  private let provider: Provider

  init() throws {
    store = try TestStorage.memory.makeShowroom()
    provider = makeProvider(store)
    try provider.reloadData()
  }

  @Test func `F6: what is shown is of the query that was set last`() throws {
    let provider = provider
    for round in 0..<rounds(400) {
      onThreads(2) { thread in
        try? provider.setQuery(ownerships.filter { $0.id != thread + 1 })
      }
      let expected = try store.fetch(provider.query).map(\.id)
      #expect(provider.objects?.map(\.id) == expected, "round \(round)")
    }
  }

  @Test func `F6: a filter beside another query is of the one or the other`() throws {
    let provider = provider
    let (one, other) = (ownerships, ownerships.filter { $0.id != 1 })
    for round in 0..<rounds(100) {
      try provider.setQuery(one)
      onThreads(2) { thread in
        if thread == 0 { try? provider.setQuery(other) } else { try? provider.filter { $0.id < 4 } }
      }
      let filtered = other.filter { $0.id < 4 }
      #expect([other, filtered].contains(provider.query), "round \(round)")
      try provider.removeFilter()
      #expect(provider.query == other, "round \(round)")
    }
  }

  @Test func `F6: a request beside resume leaves nothing paused`() throws {
    let (provider, store) = (provider, store)
    for round in 1...rounds(200) {
      provider.pause()
      let before = provider.query
      onThreads(2) { thread in
        if thread == 0 {
          try? provider.filter { $0.id != round + 100 }
        } else {
          // Just when the request has its list.
          while provider.query == before {}
          provider.resume()
        }
      }
      try store.commit { try $0.update(Auto.self, 3) { $0.mileage = round } }
      #expect(provider.objects?.first { $0.id == 3 }?.mileage == round, "round \(round)")
    }
  }

  @Test @MainActor func `F6: a reload behind a commit that waits is one, and the commit a change`()
    async throws
  {
    let provider = makeProvider(store, delivery: .mainActor)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    let store = store
    // From another thread, so that both wait for the main actor, the commit first.
    TestThread {
      do {
        try store.commit { try $0.update(Auto.self, 3) { $0.mileage = 7 } }
        try provider.reloadData()
      } catch { Issue.record(error) }
    }.join()
    await store.flush()
    #expect(listener.reasons == [.reload, .change, .reload])
    #expect(listener.list == readOut(provider))
  }
}
