@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import TestSupport
import Testing

/// Sums that change by a request: another query, another window, a pause that ends.
@Suite struct AggregateRequestTests {
  private let summed = Query<Item>().sorted { [$0.stock.ascending] }
    .sectioned { $0.shelf.name }.aggregating { $0.price }

  /// Items 0 to 19 with their numbers as stock and price, on the shelves "0" and "1" in turn.
  private func makeStore(_ storage: TestStorage = .memory) throws -> Store {
    let store = try storage.makeWarehouse()
    try store.commit { draft in
      for id in 0..<2 { try draft.insert(Shelf(id: id, name: "\(id)", load: id)) }
      for id in 0..<20 {
        try draft.insert(Item(id, name: "\(id)", stock: id, price: Double(id), shelf: id % 2))
      }
    }
    return store
  }

  /// How often the whole and the sections "0" and "1" are told of what `body` does.
  private func told(
    _ model: FetchedObjectsModel<Item>, _ body: () throws -> Void
  ) rethrows -> [Int] {
    let counts = [
      timesTold { _ = model.snapshot },
      timesTold { _ = model.section(for: SectionID("0"))?.sum { $0.price } },
      timesTold { _ = model.section(for: SectionID("1"))?.sum { $0.price } },
      timesTold { _ = model.sectionIDs },
    ]
    try body()
    return counts.map(\.value)
  }

  @Test(arguments: TestStorage.withServer)
  func `F6, F9: a query that changes only sums is published without changes, and in its sections`(
    _ storage: TestStorage
  ) throws {
    let query = summed.limit(3)
    let model = try FetchedObjectsModel(query, in: makeStore(storage))
    let recorder = Recorder(model.didChange)
    #expect(model.sections.map { $0.sum { $0.price } } == [90])
    #expect(try told(model) { try model.setQuery(query.filter { $0.stock < 19 }) } == [1, 0, 0, 0])
    #expect(recorder.values.count == 1)
    #expect(recorder.values.last?.changes.isEmpty == true)
    #expect(recorder.values.last?.before.sum { $0.price } == 190)
    #expect(recorder.values.last?.after.sum { $0.price } == 171)
    // The sum of all stays, that of the section doesn't.
    #expect(
      try told(model) {
        try model.setQuery(query.filter { $0.stock < 18 || $0.stock == 19 })
      } == [1, 1, 0, 0])
    #expect(recorder.values.count == 2)
    #expect(recorder.values.last?.changes.isEmpty == true)
    #expect(model.sections.map { $0.sum { $0.price } } == [72])
    // A filter that leaves out nothing more.
    #expect(
      try told(model) {
        try model.setQuery(query.filter { $0.stock < 18 || $0.stock >= 19 })
      } == [1, 0, 0, 0])
    #expect(recorder.values.count == 2)
  }

  @Test func `F6, F9: new sums are published, and those that stay aren't`() throws {
    let store = try makeStore()
    let model = try FetchedObjectsModel(summed, in: store)
    let recorder = Recorder(model.didChange)
    let both = summed.aggregating { $0.stock }
    #expect(try told(model) { try model.setQuery(both) } == [1, 1, 1, 0])
    #expect(recorder.values.map(\.changes.isEmpty) == [true])
    // In another order; and without one of them.
    let turned = Query<Item>().sorted { [$0.stock.ascending] }
      .sectioned { $0.shelf.name }
      .aggregating {
        $0.stock
        $0.price
      }
    #expect(try told(model) { try model.setQuery(turned) } == [1, 0, 0, 0])
    #expect(try told(model) { try model.setQuery(summed) } == [1, 0, 0, 0])
    #expect(recorder.values.count == 1)
    #expect(model.sections.map { $0.sum { $0.price } } == [90, 100])
  }

  @Test func `F7, F9: new sums of a section that a window shows in part notify no other section`()
    throws
  {
    let store = try makeStore()
    // The last two of one section and the first of the other.
    let model = try FetchedObjectsModel(summed.limit(3, offset: 8), in: store)
    let recorder = Recorder(model.didChange)
    #expect(
      try told(model) {
        try store.commit { try $0.update(Item.self, 19) { $0.price = 20 } }
      } == [1, 0, 1, 0])
    #expect(
      try told(model) {
        try model.setQuery(summed.filter { $0.stock < 19 }.limit(3, offset: 8))
      } == [1, 0, 1, 0])
    #expect(recorder.values.map(\.changes.isEmpty) == [true, true])
    // Another window of the same sums: its rows are told, to the sections that have them.
    #expect(try told(model) { try model.setWindow(offset: 7, limit: 4) } == [1, 1, 0, 0])
    #expect(recorder.values.count == 3)
    // All rows that a larger window has room for are shown already.
    try model.setWindow(offset: 0, limit: 100)
    #expect(recorder.values.count == 4)
    #expect(try told(model) { try model.setWindow(offset: 0, limit: 200) } == [0, 0, 0, 0])
    #expect(recorder.values.count == 4)
  }

  @Test func `F6: if a pause, a request and a commit change sums alone, one event is published`()
    throws
  {
    let store = try makeStore()
    let query = summed.limit(3)
    for policy in [DeliveryPolicy.every, .coalesced] {
      let model = try FetchedObjectsModel(query, in: store, policy: policy)
      let recorder = Recorder(model.didChange)
      let counts = try told(model) {
        model.pause()
        try store.commit { try $0.update(Item.self, 18) { $0.price = 0 } }
        try model.setQuery(query.filter { $0.stock != 16 })
        #expect(recorder.values.isEmpty)
        model.resume()
      }
      #expect(counts == [1, 1, 0, 0])
      #expect(recorder.values.map(\.changes.isEmpty) == [true])
      #expect(recorder.values.last?.after.sections[0].sum { $0.price } == 56)
      // There and back again is nothing.
      model.pause()
      try store.commit { try $0.update(Item.self, 18) { $0.price = 18 } }
      try model.setQuery(query)
      try store.commit { try $0.update(Item.self, 18) { $0.price = 2 } }
      try model.setQuery(query.filter { $0.stock != 16 })
      try store.commit { try $0.update(Item.self, 18) { $0.price = 0 } }
      #expect(told(model) { model.resume() } == [0, 0, 0, 0])
      #expect(recorder.values.count == 1)
      try store.commit { try $0.update(Item.self, 18) { $0.price = 18 } }
    }
  }

  @Test func `F9: readers of a section are notified if a query orders it by another value`() throws
  {
    let store = try makeStore()
    let query = Query<Item>().sorted { [$0.stock.ascending] }
    let model = try FetchedObjectsModel(
      query.sectioned(
        by: { $0.shelf.id }, title: { $0.shelf.name }, order: { $0.shelf.name.ascending }),
      in: store)
    #expect(model.sections.map(\.orderKey) == [.text("0"), .text("1")])
    let count = timesTold { _ = model.section(for: SectionID(1))?.orderKey }
    try model.setQuery(
      query.sectioned(
        by: { $0.shelf.id }, title: { $0.shelf.name }, order: { $0.shelf.load.ascending }))
    #expect(model.sections.map(\.orderKey) == [.integer(0), .integer(1)])
    #expect(count.value == 1)
  }

  @Test func `F11: sums that are right again after an error are published without changes`() throws
  {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let model = try FetchedObjectsModel(
      Query<Car>().including { $0.owner.name }.aggregating { $0.year }.limit(1), in: store)
    let recorder = Recorder(model.didChange)
    let sum = try model.snapshot.sum { $0.year }
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 3) { $0.year += 7 } }
    storage.isFailing.store(0)
    #expect(model.error != nil)
    #expect(recorder.values.isEmpty)
    try store.commit { try $0.update(Car.self, 2) { $0.model = "other" } }
    #expect(model.error == nil)
    #expect(recorder.values.map(\.changes.isEmpty) == [true])
    #expect(try model.snapshot.sum { $0.year } == sum + 7)
  }
}
