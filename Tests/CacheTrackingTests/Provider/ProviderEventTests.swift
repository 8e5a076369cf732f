import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

/// What a provider tells of each change.
@Suite struct ProviderEventTests {
  @Test func `Six calls, bracketed, sections first, kinds and paths exact`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let lines = Locked<[String]>([])
    let token = provider.events.subscribe { event in
      let delegate = LoggingDelegate()
      event.notify(delegate)
      lines.withLock { $0 += delegate.lines }
    }
    try provider.reloadData()
    try store.commit { draft in
      let mapping = OwnershipMapping()
      try draft.delete(Auto.self, 4)
      try mapping.insert(Ownership(5, "Dan", "VW", "Up"), into: draft)
      try mapping.update(2, with: Ownership(2, "Bob", "Fiat", "Panda"), in: draft)
      try mapping.update(1, with: Ownership(1, "Ann", "VW", "Golf", 99), in: draft)
    }
    try provider.filter { $0.mileage > 50 }
    // The result is the same.
    try provider.filter { $0.mileage > 60 }
    #expect(
      lines.withLock { $0 } == [
        "reload 4", "will 4", "section 2 delete nil", "section nil insert 2",
        "4 2.0 delete nil", "5 nil insert 2.0", "2 0.1 move 1.0", "1 0.0 update 0.0", "did 4",
        "will 4", "section 1 delete nil", "section 2 delete nil", "2 1.0 delete nil",
        "3 1.1 delete nil", "5 2.0 delete nil", "did 1", "filter 1",
        "will 1", "did 1", "filter 1",
      ])
    token.cancel()
    #expect(Set(ChangeKind.allCases) == [.insert, .delete, .move, .update])
  }

  @Test func `An object with a missing part is nil, and its path is reported`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(
      store,
      Query<Auto>().including {
        $0.holder.name
        $0.maker.name
      })
    let listener = ProviderListener(provider)
    try provider.reloadData()
    try store.commit { try $0.update(Auto.self, 2) { $0.maker = nil } }
    let batch = try #require(listener.events.last?.batch)
    #expect(batch.updateTransactions.map(\.object) == [nil])
    #expect(batch.updateTransactions.map(\.updatedIndexPath) == [path(0, 1)])
    #expect(provider.object(at: path(0, 1)) == nil)
    #expect(provider.numberOfRows(inSection: 0) == 4)
    #expect(provider.objects?.map(\.id) == [1, 3, 4])
  }

  @Test func `Each event gives the versions before and after, which stay as they are`() throws {
    let store = try TestStorage.memory.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    let shown = Locked<[Int]>([])
    let token = provider.events.subscribe { [weak provider] event in
      // During a callback the provider shows the version after.
      shown.withLock { $0.append(provider?.objects?.count ?? -1) }
    }
    try provider.reloadData()
    try provider.deleteObject(at: path(0, 0))
    try provider.deleteObject(at: path(0, 0))
    let events = listener.events
    try #require(events.map { $0.after.objects?.count } == [4, 3, 2])
    #expect(events.map { $0.before?.objects?.count } == [nil, 4, 3])
    #expect(shown.withLock { $0 } == [4, 3, 2])
    #expect(events[1].before?.object(at: path(0, 0))?.model == "Golf")
    token.cancel()
  }

  @Test(arguments: TestStorage.withServer)
  func `A renamed owner's section moves with its rows, and has the new name`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeShowroom()
    let provider = makeProvider(store)
    let listener = ProviderListener(provider)
    try provider.reloadData()
    try store.commit { try $0.update(Holder.self, 1) { $0.name = "Zoe" } }
    try #require(listener.list.map(\.header) == ["Bob", "Cid", "Zoe"])
    #expect(listener.list[2].rows.map { $0?.owner } == ["Zoe", "Zoe"])
    #expect(listener.list == readOut(provider))
    #expect(listener.events.count == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `After random requests, pauses and filters the screen has what is stored`(
    _ storage: TestStorage
  ) throws {
    for seed in seeds(storage == .memory ? 40 : 5) {
      var random = SeededGenerator(seed: seed + 5000)
      let store = try storage.makeShowroom()
      let provider = makeProvider(store)
      let listener = ProviderListener(provider)
      try provider.reloadData()
      var isPaused = false
      for step in 0..<50 {
        let id = Int.random(in: 1...8, using: &random)
        let object = Ownership(
          id, ["Ann", "Bob", "Cid", "Dan"].randomElement(using: &random) ?? "",
          ["VW", "Fiat"].randomElement(using: &random) ?? "",
          ["A", "B", "C"].randomElement(using: &random) ?? "", Int.random(in: 0..<4, using: &random)
        )
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: try? provider.insertObject(by: object)
        case 3...5: try? provider.updateObject(with: id, by: object)
        case 6: try? provider.deleteObject(with: id)
        case 7: try provider.filter { $0.mileage >= object.mileage }
        case 8: try provider.reloadData()
        case 9: try provider.removeFilter()
        case 10:
          isPaused = true
          provider.pause()
        default:
          isPaused = false
          provider.resume()
        }
        #expect(listener.list == readOut(provider), "seed \(seed), step \(step)")
        if !isPaused {
          #expect(
            provider.objects?.map(\.id) == (try store.fetch(provider.query).map(\.id)),
            "seed \(seed), step \(step)")
        }
      }
    }
  }
}

private final class LoggingDelegate: FetchedDataDelegate {
  var lines: [String] = []

  func providerDidReloadData(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("reload \(source.objects?.count ?? -1)")
  }

  func providerDidFilterData(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("filter \(source.objects?.count ?? -1)")
  }

  func providerWillChangeContent(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("will \(source.objects?.count ?? -1)")
  }

  func provider(
    _ source: FetchedDataSnapshot<OwnershipMapping>, didChangeSectionAt position: Int?,
    for kind: ChangeKind, newPosition: Int?
  ) {
    lines.append("section \(text(position)) \(kind) \(text(newPosition))")
  }

  func provider(
    _ source: FetchedDataSnapshot<OwnershipMapping>, didChange object: Ownership?,
    at path: ListPath?, for kind: ChangeKind, newPath: ListPath?
  ) {
    lines.append("\(text(object?.id)) \(text(path)) \(kind) \(text(newPath))")
  }

  func providerDidChangeContent(_ source: FetchedDataSnapshot<OwnershipMapping>) {
    lines.append("did \(source.objects?.count ?? -1)")
  }

  private func text(_ value: (some CustomStringConvertible)?) -> String {
    value?.description ?? "nil"
  }
}
