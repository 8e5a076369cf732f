@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import ListDiffing
import Locking
import Relays
import SQLitePersistence
import SignalboxTesting
import TestSupport
import Testing

/// What is due within a minute.
private let soon = Query<Chore>().filter { $0.due <= .now(adding: .minutes(1)) }
private let late = Query<Chore>().filter { $0.due < Moment.now }

@Suite struct TimeModelTests {
  @Test(arguments: TestStorage.withServer)
  func `F17: a model wakes at each boundary by the clock, and sleeps while one lies ahead`(
    _ storage: TestStorage
  ) async throws {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 1000))
    let store = try makeChores(storage, time, [nil, 1120, 1060, 1120, 990])
    let model = try FetchedObjectsModel(soon, in: store)
    let events = Recorder(model.didChange)
    #expect(model.fetchedObjects.map(\.id) == [2, 4])
    await clock.waitForSleepers()
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(59))
    #expect(clock.sleeperCount == 1)
    #expect(model.fetchedObjects.count == 2)
    clock.advance(by: .seconds(1))
    #expect(await becomesTrue { events.values.count == 1 })
    #expect(model.fetchedObjects.map(\.id) == [1, 2, 3, 4])
    #expect(
      events.values.map(\.changes.inserts) == [
        [ListPath(section: 0, row: 0), ListPath(section: 0, row: 2)]
      ])
    let version = try store.version
    #expect(events.values[0].versions == version...version)
    #expect(clock.sleeperCount == 0)
  }

  @Test(arguments: TestStorage.withServer)
  func `F17: there is no sleep if nothing lies ahead, and it follows the first boundary`(
    _ storage: TestStorage
  ) async throws {
    let clock = SetClock(100)
    let store = try makeChores(storage, clock.source, [nil, 90, 100])
    let model = try FetchedObjectsModel(soon, in: store)
    try store.commit { try $0.insert(Chore(3, due: 130)) }
    #expect(model.fetchedObjects.map(\.id) == [1, 2, 3])
    #expect(clock.begun.isEmpty)

    try store.commit { try $0.insert(Chore(4, due: 300)) }
    #expect(await becomesTrue { clock.begun == [240] })
    // A later one makes no other sleep, and an earlier one does.
    try store.commit { try $0.insert(Chore(5, due: 400)) }
    try store.commit { try $0.insert(Chore(6, due: 200)) }
    #expect(await becomesTrue { clock.begun == [240, 140] })
    // A row that is deleted before its boundary leaves the sleep, which ends before the next one.
    try store.commit { try $0.delete(Chore.self, 6) }
    #expect(await !becomesTrue(within: .milliseconds(20)) { clock.begun != [240, 140] })
    try store.commit { draft in
      try draft.update(Chore.self, 4) { $0.due = nil }
      try draft.delete(Chore.self, 5)
    }
    clock.now = 500
    await store.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [1, 2, 3])
    #expect(clock.begun == [240, 140])
  }

  @Test func `F17: when the clock is set without a boundary between the sleep begins again`()
    async throws
  {
    let clock = SetClock(100)
    let store = try makeChores(.memory, clock.source, [300])
    let model = try FetchedObjectsModel(soon, in: store)
    #expect(await becomesTrue { clock.begun == [240] })
    clock.now = 130
    await store.clockHasChanged()
    #expect(await becomesTrue { clock.begun == [240, 240] })
    #expect(model.fetchedObjects.isEmpty)
  }

  @Test(arguments: TestStorage.withServer)
  func `F17: an object that begins to concern a query brings its boundary, whatever its age`(
    _ storage: TestStorage
  ) async throws {
    let clock = SetClock(100)
    let store = try storage.makeChores(clock.source)
    let model = try FetchedObjectsModel(
      Query<Chore>().filter {
        $0.name == "a"
        $0.due <= Moment.now
      }, in: store)
    let value = try ObservedValue(in: store) {
      try $0.count(Query<Chore>().filter { $0.name == "a" && $0.due <= Moment.now })
    }
    // Commits to objects of other names don't concern the query.
    try store.commit { draft in
      try draft.insert(Chore(1, due: 110, name: "b"))
      try draft.insert(Chore(2, due: 105, name: "b"))
    }
    try store.commit { try $0.update(Chore.self, 1) { $0.name = "a" } }
    clock.now = 106
    try store.commit { try $0.update(Chore.self, 2) { $0.name = "a" } }
    #expect(model.fetchedObjects.map(\.id) == [2])
    #expect(value.value == 1)
    clock.now = 110
    await store.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [1, 2])
    #expect(value.value == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `F17: a commit at a boundary is evaluated by the clock, in one event with what time moves`(
    _ storage: TestStorage
  ) async throws {
    let clock = SetClock(100)
    let store = try makeChores(storage, clock.source, [170, 170, 180])
    let model = try FetchedObjectsModel(soon, in: store)
    let events = Recorder(model.didChange)
    clock.now = 110
    try store.commit { draft in
      try draft.delete(Chore.self, 1)
      try draft.insert(Chore(7, due: 170))
    }
    #expect(model.fetchedObjects.map(\.id) == [0, 7])
    #expect(events.values.count == 1)
    await store.clockHasChanged()
    #expect(events.values.count == 1)
    // The commit that adds the row is evaluated at its own instant, though no other row has moved.
    clock.now = 115
    try store.commit { try $0.insert(Chore(8, due: 172)) }
    #expect(model.fetchedObjects.map(\.id) == [0, 7, 8])
    clock.now = 120
    await store.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [0, 2, 7, 8])
    #expect(events.values.count == 3)
  }

  @Test(arguments: TestStorage.withServer)
  func `F17: a clock that is set back takes rows back when it is looked at`(
    _ storage: TestStorage
  ) async throws {
    let clock = SetClock(100)
    let store = try makeChores(storage, clock.source, [95, 100, 105])
    let model = try FetchedObjectsModel(late, in: store)
    func shown() -> [Int] { model.fetchedObjects.map(\.id) }
    #expect(shown() == [0])
    clock.now = 101
    await store.clockHasChanged()
    #expect(shown() == [0, 1])
    clock.now = 95
    await store.clockHasChanged()
    #expect(shown().isEmpty)
    clock.now = 106
    await store.clockHasChanged()
    #expect(shown() == [0, 1, 2])
    // The sleeps of earlier instants may begin late, when they are cancelled already.
    func sleeps() -> Int { clock.begun.count { $0 > 100 && $0 < 100.1 } }
    let before = sleeps()
    clock.now = 100
    try store.commit { try $0.insert(Chore(3, due: 99)) }
    #expect(shown() == [0, 3])
    // The next boundary is again that of the row at 100.
    #expect(await becomesTrue { sleeps() > before })
  }

  @Test func `F17: boundaries while a model is paused are part of its net event`() async throws {
    let clock = SetClock(100)
    let store = try makeChores(.memory, clock.source, [170, 180, 190])
    let model = try FetchedObjectsModel(soon, in: store)
    let events = Recorder(model.didChange)
    model.pause()
    for now in [110.0, 120] {
      clock.now = now
      await store.clockHasChanged()
    }
    try store.commit { try $0.delete(Chore.self, 0) }
    #expect(model.fetchedObjects.isEmpty)
    model.resume()
    #expect(model.fetchedObjects.map(\.id) == [1])
    #expect(events.values.map(\.changes.inserts) == [[ListPath(section: 0, row: 0)]])
  }

  @Test func `F13, F17: at a boundary all models show it before any callback runs`() async throws {
    let clock = SetClock(100)
    let store = try makeChores(.memory, clock.source, [170, 170, 180])
    let models = try [soon, soon.sorted { [$0.id.descending] }, soon.filter { $0.id > 0 }].map {
      try FetchedObjectsModel($0, in: store)
    }
    let seen = Locked<[[Int]]>([])
    let tokens = models.map { model in
      model.didChange.subscribe { _ in
        let counts = models.map(\.fetchedObjects.count)
        seen.withLock { $0.append(counts) }
      }
    }
    clock.now = 110
    await store.clockHasChanged()
    #expect(seen.withLock { $0 } == [[2, 2, 1], [2, 2, 1], [2, 2, 1]])
    withExtendedLifetime(tokens) {}
  }

  @Test func `F17: a sleep keeps neither the model nor the store alive`() async throws {
    let clock = ManualClock()
    weak var weakStore: Store?
    weak var weakModel: FetchedObjectsModel<Chore>?
    do {
      let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 100))
      let store = try makeChores(.memory, time, [170, 300])
      let model = try FetchedObjectsModel(soon, in: store)
      (weakStore, weakModel) = (store, model)
      await clock.waitForSleepers()
      #expect(model.fetchedObjects.isEmpty)
    }
    #expect(weakModel == nil)
    #expect(weakStore == nil)
    #expect(await becomesTrue { clock.sleeperCount == 0 })
    clock.advance(by: .seconds(100))
  }

  @Test func `F17: the sleep ends with the last model that needs it`() async throws {
    let clock = ManualClock()
    let time = TimeSource(clock, startingAt: Date(timeIntervalSince1970: 100))
    let store = try makeChores(.memory, time, [170, 300])
    var model: FetchedObjectsModel? = try FetchedObjectsModel(soon, in: store)
    await clock.waitForSleepers()
    withExtendedLifetime(model) {}
    model = nil
    #expect(await becomesTrue { clock.sleeperCount == 0 })
  }

  @Test func `F11, F17: a boundary that can't be read is reported, and the next look is exact`()
    async throws
  {
    let storage = FlakyStorage()
    let clock = SetClock(100)
    let store = try Store(
      .custom { storage }, entities: [Chore.self, ChoreList.self], time: clock.source)
    try store.commit { draft in
      for id in 0..<3 { try draft.insert(Chore(id, due: 170 + 10 * Double(id))) }
    }
    let model = try FetchedObjectsModel(soon, in: store)
    let (events, errors) = (Recorder(model.didChange), Recorder(model.errors))
    storage.isFailing.store(2)
    clock.now = 110
    await store.clockHasChanged()
    #expect(errors.values.count == 1)
    #expect(model.fetchedObjects.isEmpty)
    #expect(await becomesTrue { clock.begun.contains(111) })
    storage.isFailing.store(0)
    clock.now = 120
    await store.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [0, 1])
    #expect(events.values.count == 1)
    #expect(await becomesTrue { clock.begun.contains(130) })
  }

  @Test(arguments: TestStorage.withServer)
  func `F7, F17: windows and groups move with time`(_ storage: TestStorage) async throws {
    let clock = SetClock(100)
    let store = try makeChores(storage, clock.source, (0..<6).map { 160 + 10 * Double($0) })
    let window = try FetchedObjectsModel(
      soon.sorted { [$0.due.descending] }.limit(2), in: store)
    let end = try FetchedObjectsModel(soon.sorted { [$0.due.ascending] }.last(2), in: store)
    let sections = try FetchedObjectsModel(
      Query<Chore>().sectioned { $0.due <= .now(adding: .minutes(1)) }, in: store)
    let groups = sections.groups()
    #expect(window.fetchedObjects.map(\.id) == [0])
    #expect(groups.snapshot.rows.map(\.count) == [5, 1])
    #expect(groups.snapshot.rows.map(\.name) == ["false", "true"])
    clock.now = 130
    await store.clockHasChanged()
    #expect(window.fetchedObjects.map(\.id) == [3, 2])
    #expect(end.fetchedObjects.map(\.id) == [2, 3])
    #expect(groups.snapshot.rows.map(\.count) == [2, 4])
    try window.setWindow(offset: 1, limit: 2)
    #expect(window.fetchedObjects.map(\.id) == [2, 1])
    clock.now = 200
    await store.clockHasChanged()
    #expect(window.fetchedObjects.map(\.id) == [4, 3])
    #expect(groups.snapshot.rows.map(\.name) == ["true"])
  }

  @Test(arguments: TestStorage.withServer)
  func `F17: counts over related objects move with time`(_ storage: TestStorage) async throws {
    let clock = SetClock(100)
    let store = try storage.makeChores(clock.source)
    try store.commit { draft in
      for id in 0..<2 { try draft.insert(ChoreList(id, opens: 0)) }
      for id in 0..<4 { try draft.insert(Chore(id, due: 110 + 10 * Double(id), list: id % 2)) }
    }
    let lists = try FetchedObjectsModel(
      Query<ChoreList>().filter { $0.chores.any { $0.due <= Moment.now } }
        .including { $0.chores.count { $0.due <= Moment.now } }, in: store)
    func counts() -> [Int] {
      lists.snapshot.fetchedObjects.indices.map {
        lists.snapshot[ListPath(section: 0, row: $0)].chores.count { $0.due <= Moment.now }
      }
    }
    let events = Recorder(lists.didChange)
    #expect(lists.fetchedObjects.isEmpty)
    clock.now = 110
    await store.clockHasChanged()
    #expect(lists.fetchedObjects.map(\.id) == [0])
    #expect(counts() == [1])
    clock.now = 130
    await store.clockHasChanged()
    #expect(counts() == [2, 1])
    #expect(events.values.last?.changes.updates.count == 1)
    #expect(events.values.last?.changes.inserts.count == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `F17: a fetch, a read and a draft have one now from beginning to end`(
    _ storage: TestStorage
  ) throws {
    let clock = SetClock(100)
    let store = try makeChores(storage, clock.source, [nil, 99, 100, 101])
    #expect(try store.count(late) == 1)
    #expect(try store.first(late)?.id == 1)
    #expect(try store.fetch(Query<Chore>().filter { $0.due >= Moment.now }).map(\.id) == [2, 3])
    #expect(try store.max(of: Query<Chore>().filter { $0.due <= Moment.now }) { $0.id } == 2)
    try store.read { reader in
      let before = try reader.count(late)
      clock.now = 102
      let after = try reader.count(late)
      #expect(before == 1 && after == 1)
    }
    #expect(try store.count(late) == 3)
    try store.commit { draft in
      let count = try draft.count(late)
      clock.now = 100
      let deleted = try draft.deleteAll(late)
      #expect(count == 3 && deleted == 3)
    }
    #expect(try store.fetch(Query<Chore>()).map(\.id) == [0])
  }

  @Test func `F17: what another process has committed is shown before time passes`() async throws {
    let path = temporaryPath("store")
    let clock = SetClock(100)
    let entities: [any Entity.Type] = [Chore.self, ChoreList.self]
    let file = StorageKind.sqlite(path: path, watching: .none)
    let mine = try Store(file, entities: entities, time: clock.source)
    try mine.commit { try $0.insert(Chore(0, due: 170)) }
    let model = try FetchedObjectsModel(soon, in: mine)
    let others = try Store(file, entities: entities, time: clock.source)
    try others.commit { draft in
      try draft.insert(Chore(1, due: 170))
      try draft.insert(Chore(2, due: 300))
    }
    clock.now = 110
    await mine.clockHasChanged()
    #expect(model.fetchedObjects.map(\.id) == [0, 1])
  }

  @Test func `F17: what can't be followed exactly is refused in words`() async throws {
    func check(_ words: String, _ trap: ExitTest.Result) {
      let message = String(decoding: trap.standardErrorContent, as: UTF8.self)
      #expect(message.contains(words))
    }
    check(
      "compare an attribute that is a date itself",
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let calendar = Calendar(identifier: .iso8601)
        _ = Query<Chore>().filter { $0.due.start(of: .day, in: calendar) < Moment.now }
      })
    check(
      "An index-only result can't follow conditions of time",
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try TestStorage.memory.makeChores(.system)
        _ = try IndexedObjectsModel(late, in: store)
      })
    check(
      "Changes are those of commits",
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try TestStorage.memory.makeChores(.system)
        _ = store.changes(of: Chore.self) { $0.due < Moment.now }
      })
    check(
      "use it in a query, which is fetched at an instant",
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = CompiledCondition<Chore> { $0.due < Moment.now }
      })
    check(
      "An observed object can't include a value that changes with time",
      try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try TestStorage.memory.makeChores(.system)
        try store.commit { try $0.insert(ChoreList(1, opens: 0)) }
        _ = try ObservedEntity<ChoreList>(1, in: store) { $0.chores.count { $0.due < Moment.now } }
      })
  }
}
