import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

/// Another filter, a pause, and one in the other.
@Suite struct ProviderFilterTests {
  @Test(arguments: TestStorage.withServer)
  func `A new filter is published as one event with the exact difference`(
    _ storage: TestStorage
  ) throws {
    let provider = makeProvider(try storage.makeShowroom())
    let listener = ProviderListener(provider)
    // Before the first fetch it is taken in, and nothing is told.
    try provider.filter { $0.holder.name != "Cid" }
    #expect(listener.events.isEmpty)
    try provider.reloadData()
    #expect(listener.list.map(\.header) == ["Ann", "Bob"])
    try provider.filter { $0.maker.name == "VW" }
    try #require(listener.reasons == [.reload, .filter])
    #expect(listener.events[1].batch.deleteTransactions.map { $0.object?.id } == [2])
    #expect(listener.list == readOut(provider))
    try provider.filter { $0.maker.name == "VW" || $0.id == 99 }
    // No row differs, and the screen hears that its request has been met.
    #expect(listener.reasons == [.reload, .filter, .filter])
    #expect(listener.events.last?.batch.isEmpty == true)
    try provider.removeFilter()
    #expect(listener.list.map(\.header) == ["Ann", "Bob", "Cid"])
    try provider.setQuery(ownerships.sorted { [$0.model.descending] })
    #expect(listener.list == readOut(provider))
    #expect(listener.list[0].rows.map { $0?.id } == [2, 1])
    try provider.insertObject(by: Ownership(5, "Ann", "VW", "Up"))
    #expect(listener.reasons.last == .change)
    #expect(listener.list == readOut(provider))
  }

  @Test(arguments: TestStorage.withServer)
  func `What comes while paused is one net event, and the same is shown till then`(
    _ storage: TestStorage
  ) throws {
    let provider = makeProvider(try storage.makeShowroom())
    let listener = ProviderListener(provider)
    try provider.reloadData()
    let before = readOut(provider)
    provider.pause()
    try provider.insertObject(by: Ownership(6, "Eve", "VW", "Up"))
    try provider.deleteObject(with: 3)
    try provider.deleteObject(with: 6)
    #expect(readOut(provider) == before)
    #expect(listener.events.count == 1)
    provider.resume()
    #expect(listener.reasons == [.reload, .change])
    #expect(listener.events.last?.batch.count == 1)
    #expect(listener.list == readOut(provider))
    // Nothing came: nothing is told.
    provider.pause()
    provider.resume()
    #expect(listener.events.count == 2)
    try provider.deleteObject(with: 4)
    #expect(listener.list == readOut(provider))
  }

  @Test func `A filter, a reload and a commit during a pause are published when it resumes`() throws
  {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    provider.pause()
    try provider.filter { $0.mileage == 0 }
    try provider.deleteObject(with: 4)
    #expect(provider.objects?.count == 4)
    provider.resume()
    #expect(listener.reasons == [.reload, .filter])
    #expect(listener.list.map(\.header) == ["Ann", "Bob"])
    #expect(listener.list == readOut(provider))
    provider.pause()
    try provider.reloadData()
    try provider.deleteObject(with: 3)
    provider.resume()
    #expect(listener.reasons == [.reload, .filter, .reload])
    #expect(listener.list == readOut(provider))
    #expect(listener.list.map(\.header) == ["Ann"])
  }
}
