import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Relays
import TestSupport
import Testing

/// Who listens to a provider, and how long it lives.
@Suite struct ProviderPresenterTests {
  @Test @MainActor func `A presenter of the main actor is the view's data source`() throws {
    let provider = makeProvider(try TestStorage.memory.makeShowroom(), delivery: .mainActor)
    let presenter = Presenter()
    presenter.listen(provider)
    try provider.reloadData()
    #expect(presenter.rows == ["Ann: Golf", "Ann: Panda", "Bob: Polo", "Cid: Fabia"])
    #expect(readOut(presenter).map { $0.rows.map { $0 } }.first == ["Ann: Golf", "Ann: Panda"])
    try provider.insertObject(by: Ownership(6, "Bob", "VW", "Up"))
    #expect(presenter.rows == ["Ann: Golf", "Ann: Panda", "Bob: Polo", "Bob: Up", "Cid: Fabia"])
  }

  @Test func `An actor listens too`() async throws {
    let store = try TestStorage.memory.makeShowroom()
    let desk = ProviderDesk()
    let provider = makeProvider(store, delivery: .on(desk))
    await desk.listen(provider)
    try provider.reloadData()
    try provider.deleteObject(with: 1)
    await store.flush()
    #expect(await desk.reasons == [.reload, .change])
  }

  @Test func `A provider with subscribers is deallocated when its owner releases it`() throws {
    try LifetimeTracker.check { lifetime in
      let store = try TestStorage.memory.makeShowroom()
      let object = lifetime.track()
      var provider: Provider? = makeProvider(store)
      let token = provider?.events.subscribe { _ in _ = object }
      try provider?.reloadData()
      weak let gone = provider
      provider = nil
      #expect(gone == nil)
      try store.commit { try $0.delete(Auto.self, 1) }
      token?.cancel()
    }
  }
}

/// Maps objects to what a view shows, and is the view's data source.
@MainActor private final class Presenter: FetchedDataSource {
  private(set) var rows: [String] = []
  private var token: SubscriptionToken?
  private var source: FetchedDataSnapshot<OwnershipMapping>?

  func listen(_ provider: Provider) {
    token = provider.events.subscribe(on: .mainActor) { [weak self] event in
      if let self { event.notify(self) }
    }
  }

  var objects: [String]? { source?.objects?.map(\.text) }
  func object(at path: ListPath) -> String? { source?.object(at: path)?.text }
  func objectIDs(at path: ListPath) -> RelatedObjectIDs {
    source?.objectIDs(at: path) ?? { preconditionFailure("There are no data") }()
  }
  var numberOfSections: Int? { source?.numberOfSections }
  func numberOfRows(inSection section: Int) -> Int { source?.numberOfRows(inSection: section) ?? 0 }
  func sectionName(at section: Int) -> String? { source?.sectionName(at: section) }
  var sectionIndexTitles: [String] { source?.sectionIndexTitles ?? [] }
  func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    source?.section(forSectionIndexTitle: title, at: index) ?? 0
  }
}

extension Ownership {
  /// The text of a row.
  fileprivate var text: String { "\(owner): \(model)" }
}

extension Presenter: FetchedDataDelegate {
  func providerDidReloadData(_ source: FetchedDataSnapshot<OwnershipMapping>) { show(source) }
  func providerDidChangeContent(_ source: FetchedDataSnapshot<OwnershipMapping>) { show(source) }

  private func show(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    self.source = source
    rows = objects ?? []
  }
}

private actor ProviderDesk {
  private(set) var reasons: [ProviderEvent.Reason] = []
  private var token: SubscriptionToken?

  func listen(_ provider: Provider) {
    token = provider.events.subscribe(on: self) { me, event in me.reasons.append(event.reason) }
  }
}
