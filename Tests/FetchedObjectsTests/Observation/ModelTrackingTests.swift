@_spi(Storage) import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Observation
import Relays
import TestSupport
import Testing

/// Runs `read` and counts the changes that Observation tells of.
func timesTold(_ read: () -> Void) -> Counter {
  let count = Counter()
  withObservationTracking(read) { count.add() }
  return count
}

@Suite struct ModelTrackingTests {
  @Test func `F9: a reader of the window's anchor is notified of another one`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let events = Recorder(cars.didChange)
    let first = timesTold { _ = cars.windowAnchor }
    try cars.setWindow(around: 2, before: 9, after: 9)
    #expect(cars.windowAnchor == 2 && first.value == 1)
    let second = timesTold { _ = cars.windowAnchor }
    try cars.setWindow(around: 3, before: 9, after: 9)
    #expect(cars.windowAnchor == 3 && second.value == 1)
    let third = timesTold { _ = cars.windowAnchor }
    try cars.setWindow(offset: 0, limit: nil)
    #expect(cars.windowAnchor == nil && third.value == 1)
    #expect(events.values.isEmpty)
  }

  @Test(arguments: TestStorage.withServer)
  func `F9: each reader of a model is notified of its next change, once`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner.filter { $0.year < 3000 }, in: store)
    let counts = [
      timesTold { _ = cars.snapshot.version }, timesTold { _ = cars.fetchedObjects.count },
      timesTold { _ = cars.sections.count }, timesTold { _ = cars.sectionIndexTitles },
      timesTold { _ = cars.section(forSectionIndexTitle: "A", at: 0) },
      timesTold { _ = cars.object(at: ListPath(section: 0, row: 0)) },
      timesTold { _ = cars.path(for: 1) },
    ]
    let others = [timesTold { _ = cars.error }, timesTold { _ = cars.query }]
    // None of these concerns the result: not included, equal, another entity's, outside the filter.
    try store.commit { try $0.update(Person.self, 1) { $0.age = 1 } }
    try store.commit { try $0.update(Car.self, 1) { _ in } }
    try store.commit { try $0.insert(Person(id: 3, name: "Cid", age: nil)) }
    try store.commit { try $0.insert(Car(id: 5, model: "Saab", year: 4000, owner: Ref(ann))) }
    #expect(counts.map(\.value) == counts.map { _ in 0 })
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    #expect(counts.map(\.value) == counts.map { _ in 1 })
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(counts.map(\.value) == counts.map { _ in 1 })
    #expect(others.map(\.value) == [0, 0])
  }

  @Test
  func `F9: a notified observer reads the new result everywhere in its context, before willChange`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let old = cars.filter { $0.year < 2000 }
    let later = try FetchedObjectsModel(Query<Car>().filter { $0.year < 2000 }, in: store)
    let seen = Log<[Int]>()
    let token = cars.willChange.subscribe { _ in seen.note([0]) }
    withObservationTracking {
      _ = cars.snapshot
    } onChange: {
      seen.note([cars.snapshot.count, old.snapshot.count, later.snapshot.count])
    }
    withObservationTracking {
      _ = old.snapshot
    } onChange: {
      seen.note([old.snapshot.count, later.snapshot.count])
    }
    try store.commit { try $0.insert(Car(id: 5, model: "Saab", year: 1990, owner: nil)) }
    #expect(seen.entries == [[5, 2, 2], [0], [2, 2]])
    withExtendedLifetime(token) {}
  }

  @Test func `F9: a view that reads again at once is notified of every change, once`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let view = TrackingListView { [cars.snapshot.count] }
    view.render()
    for id in 5...8 {
      try store.commit { try $0.insert(Car(id: id, model: "Saab", year: 1990, owner: nil)) }
    }
    #expect(view.seen.entries == [[4], [5], [6], [7], [8]])
  }

  @Test func `F9, S3: a notified observer may commit, and that event comes after the current one`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let events = Recorder(cars.didChange.map { $0.after.count })
    let view = TrackingListView {
      let count = cars.snapshot.count
      if (1...3).contains(count) {
        try? store.commit {
          try $0.insert(Car(id: count + 1, model: "Saab", year: 1990, owner: nil))
        }
      }
      return [count, events.values.count]
    }
    view.render()
    try store.commit { try $0.insert(Car(id: 1, model: "Saab", year: 1990, owner: nil)) }
    #expect(view.seen.entries == [[0, 0], [1, 0], [2, 1], [3, 2], [4, 3]])
    #expect(events.values == [1, 2, 3, 4])
  }

  @Test @MainActor
  func `F9: on the main actor the notification comes there, once for merged changes`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store, delivery: .mainActor)
    let rows = cars.map { $0.year }
    let counts = [
      timesTold { _ = cars.snapshot }, timesTold { _ = cars.section(for: SectionID("Ann")) },
      timesTold { _ = rows.snapshot }, timesTold { _ = rows.section(for: SectionID("Ann")) },
    ]
    TestThread {
      for year in 1...3 {
        try? store.commit { try $0.update(Car.self, 1) { $0.year = year } }
      }
    }.join()
    #expect(counts.map(\.value) == [0, 0, 0, 0])
    await store.flush()
    #expect(counts.map(\.value) == [1, 1, 1, 1])
    #expect(cars.snapshot.row(for: 1)?.year == 3)
    #expect(rows.section(for: SectionID("Ann"))?.rows == [2004, 3])
  }

  @Test func `F9: pausing notifies of nothing, and resuming of the net change`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>(), in: store)
    let count = timesTold { _ = cars.snapshot }
    cars.pause()
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1994 } }
    cars.resume()
    #expect(count.value == 0)
    cars.pause()
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(count.value == 0)
    cars.resume()
    #expect(count.value == 1)
  }

  @Test func `F9: observers are notified of another query, and of the row count outside a window`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(Query<Car>().limit(2), in: store)
    let total = timesTold { _ = cars.snapshot.totalCount }
    let section = timesTold { _ = cars.section(for: SectionID(identity: .null)) }
    try store.commit { try $0.insert(Car(id: 5, model: "Saab", year: 1990, owner: nil)) }
    #expect(total.value == 1 && section.value == 0)
    let query = timesTold { _ = cars.query }
    let snapshot = timesTold { _ = cars.snapshot }
    try cars.setQuery(Query<Car>().limit(2).including { $0.owner.name })
    #expect(query.value == 1 && snapshot.value == 1)
    let window = timesTold { _ = cars.query }
    cars.pause()
    try cars.setWindow(offset: 1, limit: 2)
    #expect(window.value == 1)
  }

  @Test @MainActor
  func `F9: a reader on the main actor misses no query that another thread sets meanwhile`()
    async throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store, delivery: .mainActor)
    let positions = try IndexedObjectsModel(byOwner, in: store, delivery: .mainActor)
    let query = byOwner.filter { $0.year < 2010 }
    // The readers are registered only when these closures have returned.
    let counts = [
      timesTold {
        _ = cars.query
        TestThread { try? cars.setQuery(query) }.join()
      },
      timesTold {
        _ = positions.query
        TestThread { try? positions.setQuery(query) }.join()
      },
    ]
    #expect(counts.map(\.value) == [0, 0])
    await store.flush()
    #expect(counts.map(\.value) == [1, 1])
    #expect(cars.query == query && positions.query == query)
  }

  @Test func `F9, F11: observers are notified of an error and of its end`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let rows = cars.map { $0.year }
    let errors = [timesTold { _ = cars.error }, timesTold { _ = rows.error }]
    let content = [timesTold { _ = cars.snapshot }, timesTold { _ = rows.snapshot }]
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    #expect(errors.map(\.value) == [1, 1] && content.map(\.value) == [0, 0])
    #expect(cars.error is FlakyStorage.ReadFailure)
    storage.isFailing.store(0)
    let recovery = [timesTold { _ = cars.error }, timesTold { _ = rows.error }]
    // It is what it was before the error, so there is no event.
    let events = Recorder(cars.didChange)
    try store.commit { try $0.delete(Car.self, 5) }
    #expect(recovery.map(\.value) == [1, 1] && content.map(\.value) == [0, 0])
    #expect(cars.error == nil && events.values.isEmpty)
    let steady = timesTold { _ = cars.error }
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(steady.value == 0 && content.map(\.value) == [1, 1])
  }

  @Test(arguments: TestStorage.withServer)
  func `F9: changes without subscribers or trackers aren't computed, though rows were read`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    func readAll() {
      _ = cars.snapshot
      _ = cars.fetchedObjects.count
      _ = cars.sections.count
      _ = cars.sectionIDs
      _ = cars.section(for: SectionID("Ann"))
      _ = cars.section(for: SectionID("Nobody"))
      _ = cars.error
      _ = cars.query
    }
    /// How often a commit's changes are worked out.
    func differences(_ body: (inout Draft) throws -> Void) throws -> Int {
      let before = cars.work.differences
      try store.commit(body)
      return cars.work.differences - before
    }
    func changeAnn() throws -> Int {
      try differences { try $0.update(Car.self, 1) { $0.year += 1 } }
    }
    func changeBob() throws -> Int {
      try differences { try $0.update(Car.self, 3) { $0.year += 1 } }
    }
    for _ in 0..<3 {
      readAll()
      #expect(try changeAnn() == 0)
    }
    // Tracked as a whole: once for the change that is told, and no more.
    let whole = timesTold { readAll() }
    #expect(try changeAnn() == 1 && whole.value == 1)
    #expect(try changeAnn() == 0)
    // Tracked by section: as long as it may be that section.
    let section = timesTold { _ = cars.section(for: SectionID("Ann")) }
    readAll()
    #expect(try changeBob() == 1 && section.value == 0)
    #expect(try changeBob() == 1 && section.value == 0)
    #expect(try changeAnn() == 1 && section.value == 1)
    #expect(try changeAnn() == 0)
    let order = timesTold { _ = cars.sectionIDs }
    #expect(try changeBob() == 1 && order.value == 0)
    #expect(try differences { try $0.delete(Car.self, 3) } == 1 && order.value == 1)
    #expect(try changeAnn() == 0)
    // Tracked together with something else, which changes first.
    let people = try FetchedObjectsModel(Query<Person>(), in: store)
    let both = timesTold {
      readAll()
      _ = people.snapshot
    }
    try store.commit { try $0.insert(Person(id: 3, name: "Cid", age: nil)) }
    #expect(both.value == 1)
    #expect(try changeAnn() == 0)
    // Subscribed to.
    let token = cars.steps.subscribe { _ in }
    #expect(try changeAnn() == 1)
    token.cancel()
    #expect(try changeAnn() == 0)
  }

  @Test func `F9: many sections that were read are forgotten, and those that are tracked aren't`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    let told = timesTold { _ = cars.section(for: SectionID("Ann")) }
    for number in 0..<2_000 { _ = cars.section(for: SectionID("\(number)")) }
    let others = timesTold {
      for number in 0..<200 { _ = cars.section(for: SectionID("\(number)")) }
    }
    for number in 2_000..<4_000 { _ = cars.section(for: SectionID("\(number)")) }
    try store.commit { try $0.update(Person.self, 2) { $0.name = "7" } }
    #expect(told.value == 0 && others.value == 1)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(told.value == 1)
    let before = cars.work.differences
    try store.commit { try $0.update(Car.self, 1) { $0.year = 2 } }
    #expect(cars.work.differences == before)
  }

  @Test func `F9, F11: an observer of the error alone is notified of its end`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let cars = try FetchedObjectsModel(byOwner, in: store)
    storage.isFailing.store(1)
    try store.commit { try $0.insert(Car(id: 5, model: "Seat", year: 1, owner: Ref(bob))) }
    let error = timesTold { _ = cars.error }
    storage.isFailing.store(0)
    try store.commit { try $0.update(Car.self, 5) { $0.year = 2 } }
    #expect(error.value == 1 && cars.error == nil)
  }

  @Test func `F9: tracking keeps no model, and a tracker's captures are released with the model`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    try LifetimeTracker.check { tracker in
      var cars: FetchedObjectsModel<Car>? = try FetchedObjectsModel(byOwner, in: store)
      var rows = cars?.map { $0.year }
      let object = tracker.track()
      withObservationTracking {
        _ = cars?.snapshot
        _ = cars?.section(for: SectionID("Ann"))
        _ = cars?.sectionIDs
        _ = cars?.error
        _ = rows?.section(for: SectionID("Bob"))
        _ = rows?.snapshot
      } onChange: {
        _ = object
      }
      weak let gone = cars
      weak let goneRows = rows
      rows = nil
      cars = nil
      #expect(gone == nil && goneRows == nil)
    }
  }

  @Test func `R2: a reader of the query that sets it again when it is notified comes to an end`()
    throws
  {
    let store = try TestStorage.memory.makeGarage()
    let query = Query<Car>()
    let cars = try FetchedObjectsModel(query, in: store)
    let count = Counter()
    @Sendable func track() {
      withObservationTracking {
        _ = cars.query
      } onChange: {
        // The test fails, and doesn't hang, if there is no limit.
        if count.add() > 5000 { return }
        track()
        try? cars.setQuery(query)
      }
    }
    track()
    try cars.setQuery(query)
    #expect(count.value < 1000)
  }
}

/// Reads numbers, and again whenever it is told to.
final class TrackingListView: Sendable {
  private let read: @Sendable () -> [Int]
  let seen = Log<[Int]>()

  init(_ read: @escaping @Sendable () -> [Int]) { self.read = read }

  func render() {
    withObservationTracking {
      seen.note(read())
    } onChange: {
      self.render()
    }
  }
}
