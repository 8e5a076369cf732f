@_spi(Inspection) import FetchedObjects
import Fixtures
import ListFixtures
import Locking
import Observation
import Relays
import TestSupport
import Testing

@_spi(Storage) @testable import EntityStore

@Suite struct `Observed values` {
  private struct Counts: Equatable, Sendable {
    var drivers: Int
    var old: Int
  }

  private func makeStore(_ storage: TestStorage = .memory) throws -> Store {
    let store = try storage.makeDriverFleet()
    try store.fillDriverFleet()
    return store
  }

  private func counts(in store: Store) throws -> ObservedValue<Counts> {
    try ObservedValue(in: store) { reader in
      Counts(
        drivers: try reader.count(Query<Driver>()),
        old: try reader.count(Query<Driver>().filter { $0.age > 40 }))
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `F15: each commit that changes the value makes one event, and others make none`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let observed = try counts(in: store)
    let events = Recorder(observed.didChange)
    #expect(observed.value == Counts(drivers: 3, old: 1))
    try store.commit { draft in
      try draft.update(Driver.self, 1) { $0.age = 41 }
      try draft.delete(Driver.self, 2)
    }
    #expect(observed.value == Counts(drivers: 2, old: 2))
    // One is older than 40 instead of another.
    try store.commit { draft in
      try draft.update(Driver.self, 1) { $0.age = 1 }
      try draft.insert(Driver(id: 4, name: "Dan", age: 44, firm: nil, chief: nil))
      try draft.delete(Driver.self, 3)
    }
    #expect(
      events.values == [
        ValueChange(old: Counts(drivers: 3, old: 1), new: Counts(drivers: 2, old: 2)),
        ValueChange(old: Counts(drivers: 2, old: 2), new: Counts(drivers: 2, old: 1)),
      ])
  }

  @Test func `F15: commits that can't change the value don't run the closure`() throws {
    let store = try makeStore()
    let total = try counts(in: store)
    let name = try ObservedValue(in: store) { try $0.find(Driver.self, 1)?.name }
    let ofForty = try ObservedValue(in: store) { reader in
      try reader.fetch(Query<Driver>().filter { $0.age == 40 }).map(\.name)
    }
    try store.commit { draft in
      try draft.update(Town.self, 1) { $0.size = 1 }
      try draft.update(Driver.self, 2) { $0.name = "Ben" }
      try draft.update(Driver.self, 3) { $0.age = 51 }
    }
    // The counts are asked, since all drivers are counted. The others aren't even asked.
    #expect(total.work.commits == 1 && total.work.fetches == 0)
    #expect(name.work.commits == 0 && ofForty.work.commits == 0)
    try store.commit { try $0.update(Driver.self, 1) { $0.age = 40 } }
    #expect(name.work.fetches == 1 && ofForty.work.fetches == 1)
    #expect(ofForty.value == ["Ann"])
    #expect(total.work.fetches == 0)
  }

  @Test func `F15: a count that objects decide alone isn't counted again`() throws {
    let storage = ProbedStorage()
    let store = try Store(
      .custom { storage }, entities: [Driver.self, Firm.self, Town.self])
    try store.fillDriverFleet()
    let own = try counts(in: store)
    let foreign = try ObservedValue(in: store) { reader in
      try reader.count(Query<Driver>().filter { $0.firm.rank == 1 })
    }
    #expect(own.value == Counts(drivers: 3, old: 1) && foreign.value == 2)
    storage.counts.store(0)
    try store.commit { try $0.update(Driver.self, 1) { $0.age = 70 } }
    #expect(own.value == Counts(drivers: 3, old: 2))
    // That of the filter that reads firms.
    #expect(storage.counts.load() == 1)
    try store.commit { try $0.update(Firm.self, 2) { $0.rank = 1 } }
    #expect(foreign.value == 3)
    #expect(storage.counts.load() == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `F15, F5: related objects that a query reads are followed`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let inOslo = try ObservedValue(in: store) { reader in
      try reader.count(Query<Driver>().filter { $0.firm.town.name == "Oslo" })
    }
    let towns = try ObservedValue(in: store) { reader in
      try reader.counts(of: Query<Driver>(), by: { $0.firm.town.name }).map(\.count)
    }
    let first = try ObservedValue(in: store) { reader in
      try reader.first(Query<Driver>().sorted { [$0.firm.rank.descending] })?.name
    }
    #expect(inOslo.value == 2 && towns.value == [2, 1] && first.value == "Cid")
    try store.commit { try $0.update(Town.self, 2) { $0.name = "Oslo" } }
    #expect(inOslo.value == 3 && towns.value == [3])
    try store.commit { try $0.update(Firm.self, 1) { $0.rank = 9 } }
    #expect(first.value == "Ann")
    try store.commit { try $0.delete(Town.self, 2) }
    #expect(inOslo.value == 2 && towns.value == [1, 2])
  }

  @Test func `F15: a reference and the object that it leaves may change in one commit`() throws {
    let store = try makeStore()
    let first = try ObservedValue(in: store) { reader in
      try reader.count(Query<Driver>().filter { $0.firm.rank == 2 })
    }
    #expect(first.value == 1)
    try store.commit { draft in
      try draft.update(Driver.self, 3) { $0.firm = Ref(1) }
      try draft.update(Firm.self, 2) { $0.rank = 7 }
    }
    #expect(first.value == 0)
  }

  @Test func `F15: what is followed is what was read last`() throws {
    let store = try makeStore()
    let chief = try ObservedValue(in: store) { reader -> String? in
      guard let chief = try reader.find(Driver.self, 2)?.chief else { return nil }
      return try reader.find(chief)?.name
    }
    #expect(chief.value == "Ann")
    try store.commit { try $0.update(Driver.self, 2) { $0.chief = Ref(3) } }
    #expect(chief.value == "Cid")
    let fetches = chief.work.fetches
    try store.commit { try $0.update(Driver.self, 1) { $0.name = "Amy" } }
    #expect(chief.work.fetches == fetches)
    try store.commit { try $0.update(Driver.self, 3) { $0.name = "Cy" } }
    #expect(chief.value == "Cy")
    // A missing object is followed, too.
    try store.commit { try $0.update(Driver.self, 2) { $0.chief = Ref(9) } }
    #expect(chief.value == nil)
    try store.commit {
      try $0.insert(Driver(id: 9, name: "New", age: nil, firm: nil, chief: nil))
    }
    #expect(chief.value == "New")
  }

  @Test(arguments: [DeliveryPolicy.every, .coalesced])
  func `F6: after a pause it delivers the net change, or nothing`(_ policy: DeliveryPolicy) throws {
    let store = try makeStore()
    let age = try ObservedValue(in: store, policy: policy) { try $0.find(Driver.self, 1)?.age }
    let events = Recorder(age.didChange.map { [$0.old ?? nil, $0.new] })
    age.pause()
    for number in 31...33 { try store.commit { try $0.update(Driver.self, 1) { $0.age = number } } }
    #expect(age.value == 30 && events.values.isEmpty)
    age.resume()
    #expect(age.value == 33 && events.values == [[30, 33]])
    age.pause()
    for number in [1, 33] { try store.commit { try $0.update(Driver.self, 1) { $0.age = number } } }
    age.resume()
    #expect(events.values.count == 1)
  }

  private struct Refused: Error {}

  @Test func `F11: an error keeps the last value, and the next commit reads again`() throws {
    let store = try makeStore()
    let isFailing = AtomicWord(0)
    let old = try ObservedValue(in: store) { reader -> Int in
      if isFailing.load() != 0 { throw Refused() }
      return try reader.count(Query<Driver>().filter { $0.age > 40 })
    }
    let events = Recorder(old.didChange.map(\.new))
    let errors = Recorder(old.errors.map { $0 is Refused })
    isFailing.store(1)
    try store.commit { try $0.update(Driver.self, 1) { $0.age = 60 } }
    #expect(old.value == 1 && old.error is Refused && errors.values == [true])
    isFailing.store(0)
    // This driver doesn't meet the filter.
    try store.commit { try $0.update(Driver.self, 2) { $0.name = "Ben" } }
    #expect(old.value == 2 && old.error == nil && events.values == [2])
    let reads = old.work.fetches
    // It is asked about this driver again, who is older than 40 before and after.
    try store.commit { try $0.update(Driver.self, 3) { $0.name = "Cy" } }
    #expect(old.work.fetches == reads)
  }

  @Test func `F11: what was read before the closure failed is followed as well`() throws {
    let store = try makeStore()
    let value = try ObservedValue(in: store) { reader -> Int in
      guard try reader.find(Driver.self, 1)?.age == 0 else { return 1 }
      guard let firm = try reader.find(Firm.self, 1), firm.rank != 1 else { throw Refused() }
      return firm.rank
    }
    try store.commit { try $0.update(Driver.self, 1) { $0.age = 0 } }
    #expect(value.error is Refused && value.value == 1)
    try store.commit { try $0.update(Firm.self, 1) { $0.rank = 5 } }
    #expect(value.error == nil && value.value == 5)
  }

  @Test func `F11: a count that fails is followed as well`() throws {
    let storage = ProbedStorage()
    let store = try Store(
      .custom { storage }, entities: [Driver.self, Firm.self, Town.self])
    try store.fillDriverFleet()
    let value = try ObservedValue(in: store) { reader -> Int in
      guard try reader.find(Town.self, 1)?.size == 0 else { return -1 }
      return try reader.count(Query<Driver>().filter { $0.firm.rank == 1 })
    }
    storage.countsFail.store(1)
    try store.commit { try $0.update(Town.self, 1) { $0.size = 0 } }
    #expect(value.error is ProbedStorage.ReadFailure && value.value == -1)
    storage.countsFail.store(0)
    try store.commit { try $0.update(Driver.self, 3) { $0.firm = Ref(1) } }
    #expect(value.error == nil && value.value == 3)
  }

  @Test func `S6: a closure that commits or makes a model traps`() async throws {
    let traps = [
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try TestStorage.memory.makeDriverFleet()
        _ = try ObservedValue(in: store) { reader in
          try store.commit {
            try $0.upsert(Town(id: 1, name: "", size: Int(reader.version)))
          }
          return try store.version
        }
      },
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try TestStorage.memory.makeDriverFleet()
        let count = try ObservedValue(in: store) { reader in
          let count = try reader.count(Query<Town>())
          if count > 0 { return try FetchedObjectsModel(Query<Town>(), in: store).count }
          return count
        }
        try store.commit { try $0.insert(Town(id: 1, name: "", size: 1)) }
        _ = count.value
      },
    ]
    for trap in traps {
      let said = String(decoding: trap.standardErrorContent, as: UTF8.self)
      #expect(said.contains("A store is used while a commit is published"), "\(said)")
    }
  }

  @Test func `R3: values are freed under no lock`() throws {
    final class Freed: Sendable, Equatable {
      let store: Store
      let freed: AtomicWordBox
      init(_ store: Store, _ freed: AtomicWordBox) {
        self.store = store
        self.freed = freed
      }
      deinit {
        // This would wait for itself, or trap, if a lock were held.
        _ = try? FetchedObjectsModel(Query<Town>(), in: store).count
        freed.count.add(1)
      }
      static func == (a: Freed, b: Freed) -> Bool { true }
    }
    final class AtomicWordBox: Sendable { let count = AtomicWord(0) }
    let store = try makeStore()
    let freed = AtomicWordBox()
    let value = try ObservedValue(in: store) { reader in
      _ = try reader.count(Query<Driver>())
      return Freed(store, freed)
    }
    try store.commit { try $0.delete(Driver.self, 1) }
    #expect(freed.count.load() == 1)
    withExtendedLifetime(value) {}
  }

  @Test func `F1: an error of the first reading is thrown, and nothing is followed`() throws {
    let store = try makeStore()
    #expect(throws: Refused.self) {
      _ = try ObservedValue(in: store) { _ -> Int in throw Refused() }
    }
    #expect(throws: StoreError.unknownEntity("Car")) {
      _ = try ObservedValue(in: store) { try $0.count(Query<Car>()) }
    }
    #expect(store.registry.withLock { $0.isEmpty })
  }

  @Test func `F1: it can be made in the body of a commit, and shows the last commit`() throws {
    let store = try makeStore()
    let (observed, before) = try store.commit { draft in
      try draft.delete(Driver.self, 3)
      let observed = try counts(in: store)
      return (observed, observed.value)
    }
    #expect(before == Counts(drivers: 3, old: 1))
    #expect(observed.value == Counts(drivers: 2, old: 0))
  }

  @Test func `F1: it misses no commit that comes while it is made`() throws {
    let store = try makeStore()
    let isDone = AtomicWord(0)
    let writer = TestThread {
      var id = 10
      while isDone.load() == 0 {
        try? store.commit {
          try $0.insert(Driver(id: id, name: "", age: 50, firm: nil, chief: nil))
        }
        id += 1
      }
    }
    let observed = try (0..<100).map { _ in try counts(in: store) }
    isDone.store(1)
    writer.join()
    let expected = Counts(
      drivers: try store.count(Query<Driver>()),
      old: try store.count(Query<Driver>().filter { $0.age > 40 }))
    #expect(observed.allSatisfy { $0.value == expected })
  }

  @Test @MainActor func `F12: on the main actor, values, events and models change together`()
    async throws
  {
    let store = try makeStore()
    let model = try FetchedObjectsModel(Query<Driver>(), in: store, delivery: .mainActor)
    let count = try ObservedValue(in: store, delivery: .mainActor) {
      try $0.count(Query<Driver>())
    }
    var seen: [[Int]] = []
    let token = count.didChange.subscribe(on: .mainActor) { change in
      seen.append([change.old ?? -1, change.new, count.value, model.count])
    }
    try store.commit { try $0.delete(Driver.self, 1) }
    TestThread {
      for id in 2...3 { try? store.commit { try $0.delete(Driver.self, id) } }
    }.join()
    await store.flush()
    #expect(seen == [[3, 2, 2, 2], [2, 0, 0, 0]])
    token.cancel()
  }

  @Test func `F9: a reader of the value is notified of its next change, once`() throws {
    let store = try makeStore()
    let observed = try counts(in: store)
    let notified = Counter()
    withObservationTracking {
      _ = observed.value
    } onChange: {
      notified.add()
    }
    try store.commit { try $0.update(Driver.self, 3) { $0.age = 55 } }
    #expect(notified.value == 0)
    try store.commit { try $0.delete(Driver.self, 3) }
    try store.commit { try $0.delete(Driver.self, 2) }
    #expect(notified.value == 1)
  }

  @Test func `It is deallocated when it is released, though there are subscriptions`() throws {
    let store = try makeStore()
    try LifetimeTracker.check { tracker in
      var observed: ObservedValue<Counts>? = try counts(in: store)
      weak let weakValue = observed
      let object = tracker.track()
      let token = observed?.didChange.subscribe { _ in _ = object }
      observed = nil
      #expect(weakValue == nil)
      #expect(store.registry.withLock { $0.isEmpty })
      try store.commit { try $0.delete(Driver.self, 1) }
      token?.cancel()
    }
  }

  @Test func `S1: a commit that fails at the last moment changes nothing that is shown`() throws {
    let storage = ProbedStorage()
    let store = try Store(
      .custom { storage }, entities: [Driver.self, Firm.self, Town.self])
    try store.fillDriverFleet()
    let observed = try counts(in: store)
    let events = Recorder(observed.didChange.map(\.new))
    storage.whenCommitting.withLock { $0 = { throw Refused() } }
    #expect(throws: Refused.self) { try store.commit { try $0.delete(Driver.self, 1) } }
    storage.whenCommitting.withLock { $0 = nil }
    #expect(observed.value == Counts(drivers: 3, old: 1) && events.values.isEmpty)
    try store.commit { try $0.delete(Driver.self, 3) }
    #expect(events.values == [Counts(drivers: 2, old: 0)])
  }

  @Test @MainActor func `It is read off the caller's thread if asked for`() async throws {
    let store = try makeStore()
    let here = try ObservedValue(in: store) { _ in MainActor.isCurrent }
    let elsewhere = try await ObservedValue.reading(in: store) { _ in MainActor.isCurrent }
    #expect(here.value && !elsewhere.value)
  }
}
