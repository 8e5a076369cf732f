@_spi(Storage) import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

private let rowCount = TiedRows.count
private let byYear = TiedRows.byYear
private let newestFirst = Query<Car>().filter { $0.model != "out" }.sorted { [$0.year.descending] }

@Suite(.oneThread) struct NearRowsBulkTests {
  /// Commits, and checks that the model's events lead to what it shows.
  private func commit(
    to store: Store, showing model: FetchedObjectsModel<Car>, _ body: (inout Draft) throws -> Void
  ) throws {
    let events = Recorder(model.didChange)
    var list = model.fetchedObjects.map(\.id)
    try store.commit(body)
    for event in events.values {
      #expect(event.before.objects.map(\.id) == list)
      event.changes.apply(to: &list) { event.after[$0].value.id }
    }
    #expect(list == model.fetchedObjects.map(\.id))
    #expect(try model.snapshot.totalCount == store.count(byYear))
  }

  private func insert(_ ids: Range<Int>, year: Int, into draft: inout Draft) throws {
    try draft.insert(contentsOf: ids.map { Car(id: $0, model: "in", year: year, owner: nil) })
  }

  /// The numbers of rows that the store keeps for windows.
  private func keptRows(_ store: Store) -> [Int] { store.liveResults.map(\.rowCount) }

  @Test(arguments: TestStorage.withServer, [false, true])
  func `F7: of many rows that come at once, the first or the last are kept`(
    _ storage: TestStorage, _ isEmpty: Bool
  ) throws {
    for isAtEnd in [false, true] {
      let query = isAtEnd ? byYear.last(50) : newestFirst.limit(50)
      let store = try storage.makeGarage()
      if !isEmpty { try store.fillTiedRows() }
      let model = try FetchedObjectsModel(query, in: store)
      try commit(to: store, showing: model) { draft in
        try insert(5000..<7000, year: 99, into: &draft)
      }
      #expect(keptRows(store) == [64 + 64])
      #expect(try model.fetchedObjects.map(\.id) == store.fetch(query).map(\.id))
      // The next commit has no rows to drop.
      let changes = model.work.changes
      try commit(to: store, showing: model) { try insert(7000..<7001, year: 0, into: &$0) }
      #expect(model.work.changes == changes && keptRows(store) == [64 + 64])
      // The reserve has the rows that follow.
      try commit(to: store, showing: model) { draft in
        try draft.deleteAll(isAtEnd ? byYear.last(64) : newestFirst.limit(64))
      }
      #expect(try model.fetchedObjects.map(\.id) == store.fetch(query).map(\.id))
      #expect(model.work.fetches == 1)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: of many rows that come at once, those around a window's row are kept`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(0), in: store)
    // Rows come beside the anchor, after the last row, and before the first.
    for (turn, (anchor, year)) in [(1500, 37), (1599, 99), (0, -1)].enumerated() {
      try model.setWindow(around: anchor, before: 10, after: 10)
      let first = 5000 + 2000 * turn
      try commit(to: store, showing: model) { draft in
        try insert(first..<first + 2000, year: year, into: &draft)
      }
      #expect(keptRows(store) == [2 * (64 + 10) + 1])
      let all = try store.fetch(byYear).map(\.id)
      let place = try #require(all.firstIndex(of: anchor))
      #expect(model.fetchedObjects.map(\.id) == Array(all[max(0, place - 10)...place + 10]))
      #expect(model.snapshot.rowsBefore == max(0, place - 10))
      let changes = model.work.changes
      try commit(to: store, showing: model) { draft in
        try insert(20_000 + turn..<20_001 + turn, year: 20, into: &draft)
      }
      #expect(model.work.changes == changes && model.work.fetches == 1)
    }
    // The list is emptied, and filled again.
    try commit(to: store, showing: model) { try $0.deleteAll(byYear) }
    #expect(model.count == 0)
    try commit(to: store, showing: model) { try insert(30_000..<32_000, year: 5, into: &$0) }
    #expect(keptRows(store) == [64 + 10 + 1])
    #expect(model.windowAnchor == 30_000)
    #expect(model.fetchedObjects.map(\.id) == Array(30_000...30_010))
  }

  @Test func `F12: many rows that come into the reserve at once ask no model`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(20), in: store)
    let base = model.shown.result.base
    // They come after row 119.
    try store.commit { draft in
      for id in 200..<rowCount { try draft.update(Car.self, id) { $0.year = 2 } }
    }
    #expect(model.shown.result.base === base && keptRows(store) == [64 + 64])
    try commit(to: store, showing: model) { draft in
      for id in 0..<60 { try draft.delete(Car.self, id) }
    }
    #expect(model.fetchedObjects.map(\.id) == Array(60..<80) && model.work.fetches == 1)
    let wide = try FetchedObjectsModel(byYear.limit(64), in: store)
    #expect(wide.fetchedObjects.map(\.id) == Array(60..<120) + Array(200..<204))
  }

  @Test func `F12: a commit reads no included values of rows that it brings and that aren't kept`()
    throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: TiedRows.entities)
    try store.commit { try $0.insert(ann) }
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.including { $0.owner.name }.last(20), in: store)
    storage.isFailing.store(1)
    try store.commit { draft in
      try draft.insert(
        contentsOf: (5000..<7000).map {
          Car(id: $0, model: "in", year: 99, owner: $0 < 6000 ? Ref(ann) : nil)
        })
    }
    storage.isFailing.store(0)
    #expect(model.error == nil)
    #expect(model.fetchedObjects.map(\.id) == Array(6980..<7000))
    // The values of rows that are kept are read.
    try store.commit { draft in
      try draft.insert(
        contentsOf: (7000..<9000).map {
          Car(id: $0, model: "in", year: 99, owner: $0 < 8000 ? nil : Ref(ann))
        })
    }
    for row in 0..<20 {
      #expect(model.snapshot[ListPath(section: 0, row: row)].owner?.name == ann.name)
    }
  }
}
