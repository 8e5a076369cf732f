import Dispatch
@_spi(Storage) import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite(.oneThread) struct `F7: the rows that are kept around a window's row` {
  private static let byYear = Query<Car>().filter { $0.model != "out" }
    .sorted { [$0.year.ascending] }

  /// Returns a store of 3,000 cars, 40 of each year, and a model of all of them.
  private func tied(
    _ storage: TestStorage = .memory
  ) throws -> (store: Store, model: FetchedObjectsModel<Car>) {
    let store = try storage.makeGarage()
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<3000).map { Car(id: $0, model: "in", year: $0 / 40, owner: nil) })
    }
    return (store, try FetchedObjectsModel(Self.byYear.limit(1), in: store))
  }

  private func keptRows(_ model: FetchedObjectsModel<Car>) -> Int {
    model.shown.result.base.table.count
  }

  @Test func `F6: a row that wasn't kept for a while during a pause is an update`() throws {
    let (store, model) = try tied()
    NearRowsLimits.of(store).least.store(1)
    try model.setWindow(around: 800, before: 0, after: 1)
    let events = Recorder(model.didChange)
    model.pause()
    try store.commit { try $0.update(Car.self, 800) { $0.year = -1 } }
    try store.commit { try $0.update(Car.self, 801) { $0.model = "other" } }
    try store.commit { try $0.update(Car.self, 800) { $0.year = 20 } }
    model.resume()
    #expect(events.values.map(\.changes.updates.count) == [1])
  }

  @Test(arguments: TestStorage.withServer)
  func `Cost: rows around the anchor are kept, and moves among them read nothing`(
    _ storage: TestStorage
  ) throws {
    let (store, model) = try tied(storage)
    try model.setWindow(around: 1500, before: 10, after: 10)
    #expect(store.liveResults.map(\.kind) == [.nearRows])
    #expect(keptRows(model) == 2 * (64 + 10) + 2)
    #expect((model.snapshot.rowsBefore, model.snapshot.rowsAfter) == (1490, 1489))
    let fetches = model.work.fetches
    for id in [1510, 1450, 1560, 1437, 1500] {
      try model.setWindow(around: id, before: 10, after: 10)
      #expect(model.fetchedObjects.map(\.id) == Array(id - 10...id + 10))
      #expect(model.snapshot.rowsBefore == id - 10)
    }
    #expect(model.work.fetches == fetches)
    // Changes outside take two comparisons and evaluate the filter twice.
    let (base, work) = (model.shown.result.base, model.work)
    for id in 0..<50 { try store.commit { try $0.update(Car.self, id) { $0.year = 2 } } }
    #expect(model.shown.result.base === base)
    #expect(model.work.changes == work.changes && model.work.fetches == work.fetches)
    #expect(model.work.conditions - work.conditions == 100)
    try model.setWindow(around: 2000, before: 10, after: 10)
    #expect(model.fetchedObjects.map(\.id) == Array(1990...2010))
    #expect(model.work.fetches == 1)
    // A larger window around the same row needs more rows.
    try model.setWindow(around: 2000, before: 200, after: 10)
    #expect(model.fetchedObjects.map(\.id) == Array(1800...2010))
    #expect(store.liveResults.map(\.kind) == [.nearRows])
    try model.setWindow(offset: 0, limit: 1)
    #expect(model.fetchedObjects.map(\.id) == [40] || model.fetchedObjects.count == 1)
    #expect(store.liveResults.map(\.modelCount) == [1])
  }

  @Test func `Cost: rows are read again once a reserve is used up, with twice as many`() throws {
    let (store, model) = try tied()
    try model.setWindow(around: 1500, before: 10, after: 10)
    let before = model.work.fetches
    for id in (1501..<1501 + 64) { try store.commit { try $0.delete(Car.self, id) } }
    #expect(model.work.fetches == before)
    try store.commit { try $0.delete(Car.self, 1565) }
    #expect(model.work.fetches == before + 1)
    #expect(keptRows(model) == 2 * (128 + 10) + 2)
    #expect(model.fetchedObjects.map(\.id) == Array(1490...1500) + Array(1566...1575))
    // Rows that come are kept, up to twice as many.
    for id in 0..<700 {
      try store.commit { try $0.insert(Car(id: 5000 + id, model: "in", year: 37, owner: nil)) }
      #expect(keptRows(model) <= 2 * (2 * (128 + 10) + 2) + 1)
    }
    #expect(model.snapshot.rowsBefore == 1490)
    #expect(model.snapshot.totalCount == 3000 - 65 + 700)
    // The anchor goes to the other end of the list.
    try store.commit { try $0.update(Car.self, 1500) { $0.year = -1 } }
    #expect(model.windowAnchor == 1500)
    #expect(model.fetchedObjects.map(\.id) == [1500] + Array(0..<10))
    // It goes together with all rows that are kept.
    try store.commit { draft in try draft.deleteAll(Self.byYear.limit(600)) }
    #expect(model.windowAnchor == 599)
    #expect(model.fetchedObjects.map(\.id) == Array(599..<610))
    try store.commit { draft in try draft.deleteAll(Self.byYear.limit(3000, offset: 100)) }
    #expect(try model.fetchedObjects.map(\.id) == store.fetch(Self.byYear.limit(11)).map(\.id))
  }

  @Test func `Cost: a row that moves far, or its window, doesn't use up the reserve`() throws {
    let (store, model) = try tied()
    try model.setWindow(around: 1500, before: 10, after: 10)
    let fetches = model.work.fetches
    for turn in 0..<7 {
      try store.commit { try $0.update(Car.self, 1500) { $0.year = turn % 2 == 0 ? 10 : 60 } }
      #expect(keptRows(model) == 2 * (64 + 10) + 2)
    }
    #expect(model.work.fetches == fetches + 7)
    #expect(model.fetchedObjects.map(\.id) == Array(430..<440) + [1500] + Array(440..<450))
    // The window moves to the first of the kept rows, and some of them leave.
    try model.setWindow(around: 376, before: 10, after: 10)
    #expect(model.work.fetches == fetches + 7)
    try store.commit { draft in for id in 370..<372 { try draft.delete(Car.self, id) } }
    #expect(model.work.fetches == fetches + 8 && keptRows(model) == 2 * (64 + 10) + 2)
    #expect(model.fetchedObjects.map(\.id) == Array(364..<370) + Array(372..<387))
  }

  @Test func `F7: if the last row goes, the one before it has its rows, too`() throws {
    let (store, model) = try tied()
    NearRowsLimits.of(store).least.store(1)
    try model.setWindow(around: 2999, before: 2, after: 0)
    #expect(keptRows(model) == 6)
    for id in [2998, 2997, 2996, 2999] { try store.commit { try $0.delete(Car.self, id) } }
    #expect(model.windowAnchor == 2995)
    #expect(model.fetchedObjects.map(\.id) == [2993, 2994, 2995])
  }

  @Test func `F7: a window doesn't move to rows that a commit is about to drop`() throws {
    let storage = GatedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<3000).map { Car(id: $0, model: "in", year: $0 / 40, owner: nil) })
    }
    let model = try FetchedObjectsModel(Self.byYear.limit(1), in: store)
    try model.setWindow(around: 1500, before: 10, after: 10)
    func insert(_ ids: Range<Int>, _ draft: inout Draft) throws {
      for id in ids { try draft.insert(Car(id: id, model: "in", year: 37, owner: nil)) }
    }
    try store.commit { try insert(5000..<5145, &$0) }
    let kept = keptRows(model)
    // The next commit drops the rows that are far from row 1500.
    let (isMoved, hasMoved) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    storage.whenReadable.withLock {
      $0 = {
        Thread.detachNewThread {
          do { try model.setWindow(around: 1440, before: 10, after: 10) } catch {
            Issue.record(error)
          }
          isMoved.signal()
          hasMoved.signal()
        }
        // It can't move before the commit is over; a slow machine proves nothing here.
        #expect(isMoved.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
      }
    }
    try store.commit { draft in
      try draft.delete(Car.self, 1499)
      try insert(5145..<5150, &draft)
    }
    hasMoved.wait()
    #expect(kept == 2 * (64 + 10) + 2 + 145 && keptRows(model) <= 2 * (64 + 10) + 2)
    #expect(model.fetchedObjects.map(\.id) == Array(1430...1450))
    #expect(model.snapshot.rowsBefore == 1430)
    try store.commit { try $0.delete(Car.self, 1440) }
    #expect(model.windowAnchor == 1441)
    #expect(model.fetchedObjects.map(\.id) == Array(1430...1439) + Array(1441...1451))
  }

  @Test func `Cost: after a commit that failed, moves among kept rows read nothing`() throws {
    let storage = FaultyStorage(InMemoryStorage())
    let store = try storage.makeGarage()
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<3000).map { Car(id: $0, model: "in", year: $0 / 40, owner: nil) })
    }
    let model = try FetchedObjectsModel(Self.byYear.limit(1), in: store)
    try model.setWindow(around: 1500, before: 10, after: 10)
    let base = model.shown.result.base
    storage.fail(at: .commit)
    #expect(throws: FaultyStorage.Fault()) { try store.commit { try $0.delete(Car.self, 1499) } }
    try model.setWindow(around: 1510, before: 10, after: 10)
    #expect(model.shown.result.base === base)
    #expect(model.fetchedObjects.map(\.id) == Array(1500...1520))
  }

  @Test func `F7: a window that moves beside a writer is exact`() async throws {
    let (store, model) = try tied()
    let isOver = AtomicWord(0)
    let writer = TestThread {
      var random = SeededGenerator(number: 5)
      while isOver.load() == 0 {
        let changes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
          (id: Int.random(in: 0..<3000, using: &random), isDeleted: random.chance(0.5))
        }
        do {
          try store.commit { draft in
            for (id, isDeleted) in changes where id % 50 != 0 {
              let isThere = try draft.find(Car.self, id) != nil
              if isThere && isDeleted {
                try draft.delete(Car.self, id)
              } else {
                try draft.upsert(Car(id: id, model: "in", year: id / 40, owner: nil))
              }
            }
          }
        } catch { return recordIssue("\(error)") }
      }
    }
    // It ends with the test, also if that throws.
    defer {
      isOver.store(1)
      writer.join()
    }
    var random = SeededGenerator(number: 6)
    var anchor = 1500
    let events = Recorder(model.didChange)
    for turn in 0..<rounds(400) {
      anchor = min(2950, max(0, anchor + 50 * Int.random(in: -2...2, using: &random)))
      try model.setWindow(around: anchor, before: 5, after: turn % 7)
      // The writer's thread may be the one that delivers.
      await store.flush()
      let snapshot = model.snapshot
      let ids = snapshot.objects.map(\.id)
      let place = try #require(ids.firstIndex(of: anchor))
      #expect(place == 5 || snapshot.rowsBefore == 0)
      #expect(ids.count - place - 1 == turn % 7 || snapshot.rowsAfter == 0)
      #expect(ids == ids.sorted())
    }
    isOver.store(1)
    writer.join()
    let all = try store.fetch(Self.byYear).map(\.id)
    let lower = model.snapshot.rowsBefore
    #expect(model.fetchedObjects.map(\.id) == Array(all[lower...].prefix(model.count)))
    #expect(model.snapshot.totalCount == all.count && model.windowAnchor == anchor)
    var list: [Int]?
    for event in events.values {
      let before = event.before.objects.map(\.id)
      if let list { #expect(list == before) }
      var next = before
      event.changes.apply(to: &next) { event.after[$0].value.id }
      #expect(next == event.after.objects.map(\.id))
      list = next
    }
    #expect(list == model.fetchedObjects.map(\.id))
  }

  @Test func `P5: the rows around one are exact after an external commit`() throws {
    let path = temporaryPath("around")
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none),
        entities: [Person.self, Car.self])
    }
    let (here, there) = (try open(), try open())
    try here.commit { draft in
      try draft.insert(
        contentsOf: (0..<3000).map { Car(id: $0, model: "in", year: $0 / 40, owner: nil) })
    }
    let model = try FetchedObjectsModel(Self.byYear.limit(1), in: here)
    try model.setWindow(around: 1500, before: 5, after: 5)
    let fetches = model.work.fetches
    for turn in 0..<40 {
      try there.commit { draft in
        for id in 0..<5 { try draft.delete(Car.self, 10 * turn + id) }
        try draft.update(Car.self, 2900 - turn) { $0.year = 37 }
      }
      if turn % 3 == 0 { try here.refresh() }
      let all = try here.fetch(Self.byYear).map(\.id)
      guard turn % 3 == 0 else { continue }
      #expect(model.snapshot.totalCount == all.count)
      let place = try #require(all.firstIndex(of: 1500))
      #expect(model.fetchedObjects.map(\.id) == Array(all[place - 5...place + 5]))
      #expect(model.snapshot.rowsBefore == place - 5)
    }
    // A commit of others is followed like one of this store's.
    #expect(model.work.fetches == fetches)
  }
}
