@_spi(Storage) import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

/// The rules for aggregates, one by one; `AggregateOracleTests` tries them together.
@Suite struct AggregateTests {
  private let priced = Query<Item>().sorted { [$0.name.ascending] }.aggregating { $0.price }

  private func makeStore(_ count: Int, shelves: Int = 0) throws -> Store {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      for id in 0..<shelves { try draft.insert(Shelf(id: id, name: "\(id)", load: id)) }
      for id in 0..<count {
        try draft.insert(
          Item(
            id, name: "\(id)", stock: id, price: Double(id), shelf: shelves > 0 ? id % shelves : nil
          ))
      }
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `An empty result has no extremes, and sums of 0`(_ storage: TestStorage) throws {
    let store = try storage.makeWarehouse()
    let model = try FetchedObjectsModel(Query<Item>().summedUp, in: store)
    #expect(Totals(model.snapshot) == Totals([], [:]))
    #expect(Totals(model.sections[0]) == Totals([], [:]))
    #expect(model.snapshot.sum { $0.price } == 0)
    #expect(model.snapshot.average { $0.price } == nil)
    #expect(try model.snapshot.average { $0.stock } == nil)
    try store.commit { try $0.insert(Item(1, name: "A", stock: 3, price: 0.5)) }
    #expect(try model.snapshot.sum { $0.stock } == 3)
    #expect(try model.snapshot.average { $0.stock } == 3)
    #expect(model.snapshot.count { $0.shelf.load } == 0)
    try store.commit { try $0.delete(Item.self, 1) }
    #expect(Totals(model.snapshot) == Totals([], [:]))
    let sectioned = try FetchedObjectsModel(
      Query<Item>().sectioned { $0.name }.summedUp, in: store)
    #expect(Totals(sectioned.snapshot) == Totals([], [:]))
  }

  @Test func `S6: a sum beyond Int is an error, and no longer when it isn't`() throws {
    let store = try makeStore(0)
    let model = try FetchedObjectsModel(Query<Item>().aggregating { $0.stock }, in: store)
    try store.commit { draft in
      for id in 0..<300 { try draft.insert(Item(id, stock: .max)) }
      for id in 300..<600 { try draft.insert(Item(id, stock: .min)) }
    }
    #expect(try model.snapshot.sum { $0.stock } == -300)
    let fitting = model.snapshot
    try store.commit { draft in
      for id in [500, 501] { try draft.update(Item.self, id) { $0.stock = 0 } }
    }
    let overflow = StoreError.overflow(entity: "Item")
    #expect(throws: overflow) { try model.snapshot.sum { $0.stock } }
    #expect(throws: overflow) { try model.sections[0].average { $0.stock } }
    #expect(model.snapshot.min { $0.stock } == .min)
    try store.commit { try $0.delete(Item.self, 0) }
    #expect(try model.snapshot.sum { $0.stock } == .max - 298)
    #expect(try fitting.sum { $0.stock } == -300)
  }

  @Test func `An attribute that a generic function names as an optional is summed, too`() throws {
    func summing<Value: Storable>(_ path: KeyPath<Item, Value>) -> Query<Item> {
      Query<Item>().aggregating { $0[dynamicMember: path] }
    }
    let store = try makeStore(5)
    try store.commit { try $0.update(Item.self, 4) { $0.debt = 7 } }
    let debts = try FetchedObjectsModel(summing(\.debt), in: store)
    #expect(try debts.snapshot.sum { $0.debt } == 7)
    let prices = try FetchedObjectsModel(summing(\.price), in: store)
    #expect(prices.snapshot.sum { $0.price } == 10)
  }

  @Test func `A row that stays in its place changes the sums, and not those of older snapshots`()
    throws
  {
    let store = try makeStore(1000, shelves: 3)
    let model = try FetchedObjectsModel(
      Query<Item>().sorted { [$0.name.ascending] }.aggregating {
        $0.price
        $0.shelf.load
      }, in: store)
    let first = model.snapshot
    #expect(first.sum { $0.price } == 499_500)
    #expect(try first.sum { $0.shelf.load } == 999)
    try store.commit { try $0.update(Item.self, 7) { $0.price = 0.5 } }
    let second = model.snapshot
    try store.commit { try $0.update(Shelf.self, 2) { $0.load = 12 } }
    let third = model.snapshot
    #expect(third.sum { $0.price } == 499_493.5)
    #expect(try third.sum { $0.shelf.load } == 333 + 12 * 333)
    #expect(second.sum { $0.price } == 499_493.5)
    #expect(second.max { $0.shelf.load } == 2)
    #expect(first.sum { $0.price } == 499_500)
    #expect(try first.sum { $0.shelf.load } == 999)
  }

  @Test func `F5: a declared value of a related object is watched, and its change published`()
    throws
  {
    let store = try makeStore(4, shelves: 2)
    let model = try FetchedObjectsModel(
      Query<Item>().aggregating { $0.shelf.load }, in: store)
    let recorder = Recorder(model.didChange)
    try store.commit { try $0.update(Shelf.self, 1) { $0.load = nil } }
    let event = try #require(recorder.values.first)
    #expect(recorder.values.count == 1)
    #expect(event.changes.updates.map(\.new.row) == [1, 3])
    #expect(try event.before.sum { $0.shelf.load } == 2)
    #expect(event.before.count { $0.shelf.load } == 4)
    #expect(try event.after.sum { $0.shelf.load } == 0)
    #expect(event.after.count { $0.shelf.load } == 2)
    // What isn't declared isn't watched.
    try store.commit { try $0.update(Shelf.self, 1) { $0.name = "new" } }
    #expect(recorder.values.count == 1)
  }

  @Test func `Conditions, references and counts of related objects can be aggregated`() throws {
    let store = try makeStore(5, shelves: 2)
    let model = try FetchedObjectsModel(
      Query<Shelf>().aggregating {
        $0.items.count
        $0.name
      }, in: store)
    #expect(try model.snapshot.sum { $0.items.count } == 5)
    #expect(model.snapshot.max { $0.items.count } == 3)
    try store.commit { try $0.update(Item.self, 0) { $0.shelf = nil } }
    #expect(try model.snapshot.sum { $0.items.count } == 4)
    #expect(try model.snapshot.average { $0.items.count } == 2)
    let items = try FetchedObjectsModel(
      Query<Item>().aggregating {
        $0.shelf
        $0.stock > 2
      }, in: store)
    #expect(items.snapshot.count { $0.shelf } == 4)
    #expect(items.snapshot.max { $0.stock > 2 } == true)
  }

  // MARK: Windows

  @Test func `In a window the sums are those of the whole result and of whole sections`() throws {
    let store = try makeStore(20, shelves: 2)
    let model = try FetchedObjectsModel(
      Query<Item>().sectioned { $0.shelf.name }.aggregating { $0.stock }.limit(3, offset: 8),
      in: store)
    #expect(model.sections.map(\.count) == [2, 1])
    #expect(model.snapshot.totalCount == 20)
    #expect(try model.snapshot.sum { $0.stock } == 190)
    #expect(try model.sections.map { try $0.sum { $0.stock } } == [90, 100])
    try model.setWindow(offset: 100, limit: 3)
    #expect(model.snapshot.isEmpty)
    #expect(try model.snapshot.sum { $0.stock } == 190)
  }

  @Test func `F2: a commit that changes only the sums of a window is published without changes`()
    throws
  {
    let store = try makeStore(20, shelves: 2)
    // The last two of one section and the first of the other.
    let query = Query<Item>().sorted { [$0.stock.ascending] }.sectioned { $0.shelf.name }
      .limit(3, offset: 8)
    let model = try FetchedObjectsModel(query.aggregating { $0.price }, in: store)
    let recorder = Recorder(model.didChange)
    let plain = try FetchedObjectsModel(query, in: store)
    let plainRecorder = Recorder(plain.didChange)
    try store.commit { try $0.update(Item.self, 19) { $0.price = 20 } }
    #expect(recorder.values.count == 1)
    let event = try #require(recorder.values.first)
    #expect(event.changes.isEmpty)
    #expect(event.before.sum { $0.price } == 190)
    #expect(event.after.sum { $0.price } == 191)
    // The sum of all stays, those of the two sections don't.
    try store.commit { draft in
      try draft.update(Item.self, 0) { $0.price = 5 }
      try draft.update(Item.self, 19) { $0.price = 15 }
    }
    #expect(recorder.values.count == 2)
    #expect(model.snapshot.sum { $0.price } == 191)
    #expect(model.sections.map { $0.sum { $0.price } } == [95, 96])
    #expect(plainRecorder.values.isEmpty)
  }

  @Test func `Equal sums of other rows aren't published`() throws {
    let store = try makeStore(20)
    let model = try FetchedObjectsModel(
      Query<Item>().sorted { [$0.stock.ascending] }.aggregating { $0.price }.limit(3), in: store)
    let recorder = Recorder(model.didChange)
    try store.commit { try $0.update(Item.self, 19) { $0.name = "other" } }
    #expect(recorder.values.isEmpty)
    try store.commit { draft in
      try draft.update(Item.self, 18) { $0.price = 19 }
      try draft.update(Item.self, 19) { $0.price = 18 }
    }
    #expect(recorder.values.isEmpty)
  }

  @Test func `F2: sums that differ only in digits that are rounded away aren't published`() throws {
    let store = try makeStore(0)
    try store.commit { draft in
      for (id, price) in [0, 1e17, 1].enumerated() {
        try draft.insert(Item(id, name: "\(id)", price: price))
      }
    }
    let model = try FetchedObjectsModel(priced.limit(1), in: store)
    let recorder = Recorder(model.didChange)
    try store.commit { try $0.update(Item.self, 2) { $0.price = 2 } }
    #expect(recorder.values.isEmpty)
    #expect(model.snapshot.sum { $0.price } == 1e17)
    try store.commit { try $0.update(Item.self, 2) { $0.price = 1000 } }
    #expect(recorder.values.count == 1)
    #expect(model.snapshot.sum { $0.price } == 1e17 + 1000)
  }

  @Test func `F2: an average that changes is published, though the sum stays infinite`() throws {
    let store = try makeStore(0)
    let large = Double.greatestFiniteMagnitude
    try store.commit { draft in
      for (id, price) in [0, large, large, large].enumerated() {
        try draft.insert(Item(id, name: "\(id)", price: price))
      }
    }
    let model = try FetchedObjectsModel(priced.limit(1), in: store)
    #expect(model.snapshot.average { $0.price } == large * 0.75)
    let recorder = Recorder(model.didChange)
    try store.commit { try $0.update(Item.self, 2) { $0.price = large / 2 } }
    #expect(recorder.values.count == 1)
    #expect(model.snapshot.sum { $0.price } == .infinity)
    #expect(model.snapshot.average { $0.price } == large * 0.625)
  }

  // MARK: Declaring

  @Test func `Equal queries share a result, those with other aggregates don't`() throws {
    let store = try makeStore(5)
    let models = try [priced, priced, priced.aggregating { $0.stock }].map {
      try FetchedObjectsModel($0, in: store)
    }
    _ = models[0].snapshot.sum { $0.price }
    #expect(models.map(\.work.summaries) == [2, 2, 0])
    #expect(priced.description == priced.aggregating { $0.price }.description)
    #expect(priced.description != Query<Item>().sorted { [$0.name.ascending] }.description)
  }

  @Test func `A query prints what it aggregates`() {
    let query = Query<Item>().aggregating {
      $0.price
      $0.shelf.load
    }
    #expect(query.debugDescription == "Item aggregating Item.price, Item.shelf.load")
  }

  @Test func `Reading what isn't declared is a mistake that is named`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStorage.memory.makeWarehouse()
      let query = Query<Item>().aggregating { $0.price }
      let model = try FetchedObjectsModel(query, in: store)
      _ = try model.snapshot.sum { $0.shelf.load }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Item.shelf.load isn't aggregated; add it to the query"))
  }
}
