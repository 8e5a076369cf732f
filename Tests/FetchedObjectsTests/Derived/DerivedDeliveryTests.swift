@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

private func row(_ car: EntityView<Car>) -> CarRow {
  CarRow(diffIdentifier: car.id, title: car.model, band: car.year / 10)
}

private func car(_ id: Int, _ year: Int = 2000) -> Car {
  Car(id: id, model: "\(id)", year: year, owner: nil)
}

@Suite struct DerivedDeliveryTests {
  @Test func `F13: in a callback every derived model shows the version that its source shows`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    let first = try FetchedObjectsModel(Query<Car>(), in: store)
    let filtered = first.filter { $0.year >= 2000 }
    let last = try FetchedObjectsModel(Query<Car>(), in: store)
    let mapped = last.map(row)
    let whole = mapped.concatenated(with: filtered.map(row))
    let log = Log<String>()
    @Sendable func show(_ name: String) {
      log.note(
        "\(name) \(first.snapshot.count) \(filtered.snapshot.count) \(last.snapshot.count) "
          + "\(mapped.snapshot.count) \(whole.snapshot.count)")
    }
    let tokens = [
      whole.didChange.subscribe { event in
        show("whole")
        #expect(event.after.count == whole.snapshot.count)
        #expect(event.changes.inserts.count == 2)
      },
      mapped.didChange.subscribe { _ in show("mapped") },
      mapped.willChange.subscribe { _ in show("will") },
      last.didChange.subscribe { _ in show("last") },
      filtered.didChange.subscribe { _ in show("filtered") },
      first.didChange.subscribe { event in
        show("first")
        if event.after.count < 2 { try? store.commit { try $0.insert(car(2)) } }
      },
    ]
    try store.commit { try $0.insert(car(1)) }
    let turns = ["first", "filtered", "whole", "last", "will", "mapped"]
    #expect(
      log.entries == turns.map { "\($0) 1 1 1 1 2" } + turns.map { "\($0) 2 2 2 2 4" })
    withExtendedLifetime(tokens) {}
  }

  @Test func `Models that are derived from one model publish in order of creation`() throws {
    let store = try TestStorage.memory.makeGarage()
    let source = try FetchedObjectsModel(Query<Car>(), in: store)
    let log = Log<String>()
    let first = source.map(row)
    let whole = first.concatenated(with: first)
    let second = source.filter { _ in true }
    let tokens = [
      second.didChange.subscribe { _ in log.note("second") },
      whole.didChange.subscribe { _ in log.note("whole") },
      first.didChange.subscribe { _ in log.note("first") },
    ]
    try store.commit { try $0.insert(car(1)) }
    #expect(log.entries == ["first", "whole", "second"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `A row that moves is a move though its view model is equal`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let source = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.year.ascending] }, in: store)
    let rows = source.map { CarRow(diffIdentifier: $0.id, title: $0.model, band: 0) }
    let events = Recorder(rows.didChange)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 2015 } }
    #expect(events.values.map { "\($0.changes)" } == ["move 0.0 → 0.2"])
    #expect(rows.snapshot.rows.map(\.diffIdentifier) == [2, 3, 1, 4])
  }

  @Test func `A row whose identifier changes is deleted and inserted`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let source = try FetchedObjectsModel(byOwner, in: store)
    let rows = source.map { CarRow(diffIdentifier: $0.year, title: $0.model, band: 0) }
    let kept = source.compactMap { CarRow(diffIdentifier: $0.year, title: $0.model, band: 0) }
    let events = [Recorder(rows.didChange), Recorder(kept.didChange)]
    try store.commit { try $0.update(Car.self, 3) { $0.year = 3 } }
    for recorder in events {
      #expect(recorder.values.map { "\($0.changes)" } == ["delete 1.0, insert 1.0"])
    }
  }

  @Test func `The only section of a list without sections stays without rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let rows = model.filter { $0.year > 2000 }
    let whole = rows.concatenated(with: model)
    #expect(rows.snapshot.rowCounts == [0] && rows.snapshot.isEmpty)
    try store.fillGarage()
    #expect(rows.snapshot.rowCounts == [3] && whole.snapshot.rowCounts == [3, 4])
    #expect(whole.sections.map(\.parts) == [[0], [1]])
    try store.commit { draft in for id in 2...4 { try draft.delete(Car.self, id) } }
    #expect(rows.snapshot.rowCounts == [0] && whole.snapshot.rowCounts == [0, 1])
    #expect(whole.snapshot[ListPath(section: 1, row: 0)].id == 1)
    #expect(!whole.snapshot.contains(ListPath(section: 0, row: 0)))
  }

  @Test func `F11: errors of the source are those of what is derived from it`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let source = try FetchedObjectsModel(byOwner, in: store)
    let rows = source.map(row)
    let whole = rows.concatenated(with: source.filter { $0.year > 2000 }.map(row))
    let errors = [Recorder(rows.errors), Recorder(whole.errors)]
    let events = Recorder(whole.didChange)
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    // Both parts of the whole come from one model, whose error is sent once.
    #expect(errors[0].values.count == 1 && errors[1].values.count == 1)
    #expect(rows.error is FlakyStorage.ReadFailure && whole.error is FlakyStorage.ReadFailure)
    #expect(events.values.isEmpty && rows.snapshot.count == 3)
    storage.isFailing.store(0)
    try store.commit { try $0.delete(Car.self, 2) }
    #expect(rows.error == nil && whole.error == nil)
    #expect(events.values.count == 1 && rows.snapshot.rows.map(\.diffIdentifier) == [1, 5, 3])
  }

  @Test @MainActor
  func `On the main actor a derived model changes there, with its source, and merges`() async throws
  {
    let store = try TestStorage.memory.makeGarage()
    let source = try FetchedObjectsModel(Query<Car>(), in: store, delivery: .mainActor)
    let each = try FetchedObjectsModel(
      Query<Car>().filter { $0.id < 4 }.filter { $0.id != 2 }, in: store, delivery: .mainActor,
      policy: .every)
    let rows = source.filter { $0.id % 2 == 0 }
    let whole = rows.concatenated(with: each.filter { $0.id % 2 == 1 })
    var log: [String] = []
    let tokens = [
      rows.didChange.subscribe(on: .mainActor) { event in
        log.append("rows \(event.versions) \(event.changes.inserts.count) \(source.snapshot.count)")
      },
      whole.didChange.subscribe(on: .mainActor) { event in
        log.append("whole \(event.changes) \(whole.snapshot.count) \(event.after.count)")
      },
    ]
    TestThread {
      for id in [2, 1, 3, 4] { try? store.commit { try $0.insert(car(id)) } }
    }.join()
    #expect(log.isEmpty && rows.snapshot.isEmpty && whole.snapshot.isEmpty)
    await store.flush()
    // The source merges what waits, but for what the other is to be told by itself.
    #expect(
      log == [
        "rows 1...2 1 2", "whole insert 0.0, insert 1.0 2 2", "whole insert 1.1 3 3",
        "rows 4...4 1 4", "whole insert 0.1 4 4",
      ])
    withExtendedLifetime(tokens) {}
  }

  actor Board {
    var counts: [Int] = []
    var token: SubscriptionToken?

    func follow(_ model: DerivedModel<CarRow>) {
      token = model.didChange.subscribe(on: self) { board, event in
        board.counts.append(event.after.count)
      }
    }
  }

  @Test func `On an actor, with commits and new derived models on other threads, none is missed`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    let board = Board()
    let source = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .on(board), policy: .every)
    let rows = source.map(row)
    await board.follow(rows)
    let made = Locked<[DerivedModel<CarRow>]>([])
    let threads =
      (0..<2).map { thread in
        TestThread {
          for id in 0..<50 { try? store.commit { try $0.insert(car(thread * 50 + id)) } }
        }
      } + [
        TestThread {
          for _ in 0..<30 {
            let new = source.filter { $0.id % 2 == 0 }.map(row).concatenated(with: rows)
            made.withLock { $0.append(new) }
          }
        }
      ]
    for thread in threads { thread.join() }
    await store.flush()
    #expect(await board.counts == Array(1...100))
    for model in made.withLock({ $0 }) {
      #expect(model.snapshot.rowCounts == [50, 100])
    }
  }

  @Test func `A derived model that is made in a callback follows from there`() throws {
    let store = try TestStorage.memory.makeGarage()
    let source = try FetchedObjectsModel(Query<Car>(), in: store)
    let made = Locked<[(model: DerivedModel<CarRow>, events: Recorder<ListEvent<CarRow>>)]>([])
    let token = source.didChange.subscribe { _ in
      let model = source.map(row)
      made.withLock { $0.append((model, Recorder(model.didChange))) }
    }
    for id in 0..<5 { try store.commit { try $0.insert(car(id)) } }
    for (index, entry) in made.withLock({ $0 }).enumerated() {
      #expect(entry.model.snapshot.count == 5)
      #expect(entry.events.values.map(\.after.count) == Array(Array(1...5).dropFirst(index + 1)))
    }
    withExtendedLifetime(token) {}
  }

  @Test func `A commit that comes while the first version is made is in it`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let source = try FetchedObjectsModel(Query<Car>(), in: store)
    let commits = AtomicWord(0)
    let rows = source.map { entity in
      // Its event is shown before the model has its first version.
      let count = commits.load()
      if count < 3 {
        commits.store(count + 1)
        try? store.commit { try $0.insert(car(10 + count)) }
      }
      return row(entity)
    }
    #expect(rows.snapshot.rows.map(\.diffIdentifier) == [1, 2, 3, 4, 10, 11, 12])
    let events = Recorder(rows.didChange)
    try store.commit { try $0.delete(Car.self, 11) }
    #expect(events.values.map { "\($0.changes)" } == ["delete 0.5"])
  }

  @Test
  func `A row that is reported as unchanged keeps its value, also parts that aren't compared`()
    throws
  {
    struct Titled: Diffable, Sendable {
      let diffIdentifier: Int
      let title: String
      let hidden: Int
      func isContentEqual(to other: Titled) -> Bool { title == other.title }
    }
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let source = try FetchedObjectsModel(Query<Car>(), in: store)
    let rows = source.map { Titled(diffIdentifier: $0.id, title: $0.model, hidden: $0.year) }
    let filtered = rows.filter { $0.hidden > 2000 }
    let events = Recorder(rows.didChange)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 2020 } }
    #expect(events.values.isEmpty && rows.snapshot.rows[0].hidden == 1994)
    #expect(filtered.snapshot.rows.map(\.diffIdentifier) == [2, 3, 4])
    try store.commit { try $0.update(Car.self, 1) { $0.model = "Saab" } }
    #expect(rows.snapshot.rows[0].hidden == 2020)
    #expect(filtered.snapshot.rows.map(\.diffIdentifier) == [1, 2, 3, 4])
    // So is a row that has moved in the source alone.
    let byYear = try FetchedObjectsModel(Query<Car>().sorted { [$0.year.ascending] }, in: store)
    let some = byYear.compactMap {
      $0.id == 3 ? nil : Titled(diffIdentifier: $0.id, title: $0.model, hidden: $0.year)
    }
    let someEvents = Recorder(some.didChange)
    try store.commit { try $0.update(Car.self, 2) { $0.year = 2015 } }
    #expect(byYear.snapshot.objects.map(\.id) == [3, 2, 4, 1])
    #expect(someEvents.values.isEmpty && some.snapshot.rows.map(\.hidden) == [2004, 2018, 2020])
    try store.commit { try $0.delete(Car.self, 4) }
    #expect(someEvents.values.map { "\($0.changes)" } == ["delete 0.1"])
    #expect(some.snapshot.rows.map(\.hidden) == [2004, 2020])
  }

  @Test func `S8: versions of a derived list are compared by the bytes of ids, as in its events`()
    throws
  {
    let store = try Store(.inMemory, entities: [Place.self])
    let (one, two) = ("\u{E9}", "e\u{301}")
    try store.commit { try $0.insert(Place(id: one, visits: 1)) }
    let places = try FetchedObjectsModel(Query<Place>(), in: store)
    let filtered = places.filter { _ in true }
    let whole = filtered.concatenated(with: places)
    for (list, old, new) in [(filtered, one, two), (whole, two, one)] {
      let (before, events) = (list.snapshot, Recorder(list.didChange))
      try store.commit { draft in
        try draft.delete(Place.self, old)
        try draft.insert(Place(id: new, visits: 1))
      }
      let changes = before.changes(to: list.snapshot)
      #expect(changes == events.values.first?.changes && changes.updates.isEmpty)
      #expect(changes.deletes == changes.inserts && changes.deletes.count == list.sections.count)
    }
  }
}
