import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import TestSupport
import Testing

/// What aggregates cost, counted.
@Suite(.large) struct AggregateWorkTests {
  private func makeStore(_ count: Int, shelves: Int) throws -> Store {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      for id in 0..<shelves { try draft.insert(Shelf(id: id, name: "\(id)", load: id)) }
      for id in 0..<count {
        try draft.insert(
          Item(id, name: "\(id)", stock: id, price: 1, shelf: shelves > 0 ? id % shelves : nil))
      }
    }
    return store
  }

  @Test func `Sums that aren't read aren't computed`() throws {
    let store = try makeStore(10_000, shelves: 3)
    let model = try FetchedObjectsModel(
      Query<Item>().sectioned { $0.shelf.name }.summedUp, in: store)
    let recorder = Recorder(model.didChange)
    for step in 0..<50 {
      try store.commit { draft in
        try draft.update(Item.self, step) { $0.price = 2 }
        try draft.update(Item.self, step + 100) { $0.shelf = nil }
        try draft.delete(Item.self, step + 200)
      }
    }
    #expect(recorder.values.count == 50)
    #expect(model.work.summaries == 0)
  }

  @Test func `A read after a change costs O(log n), and the next one nothing`() throws {
    let store = try makeStore(10_000, shelves: 0)
    let model = try FetchedObjectsModel(
      Query<Item>().sorted { [$0.name.ascending] }.aggregating {
        $0.price
        $0.stock
      }, in: store)
    func reading(_ body: () throws -> Void) rethrows -> Int {
      let before = model.work.summaries
      try body()
      return model.work.summaries - before
    }
    let first = reading { #expect(model.snapshot.sum { $0.price } == 10_000) }
    #expect(first > 80 && first < 120, "each node once")
    let second = try reading {
      let sum = try model.snapshot.sum { $0.stock }
      #expect(sum == 49_995_000)
    }
    #expect(second == 0)
    for step in 0..<100 {
      let old = model.snapshot
      try store.commit { draft in
        // In its place, to another place, one less and one more.
        switch step % 4 {
        case 0: try draft.update(Item.self, step) { $0.price = 2 }
        case 1: try draft.update(Item.self, step) { $0.name = "other" }
        case 2: try draft.delete(Item.self, step)
        default: try draft.insert(Item(10_000 + step, name: "5", stock: 1, price: 1))
        }
      }
      // The leaf, two levels above it, and the section; a row that goes elsewhere has two leaves, and a
      // leaf that is full becomes two.
      let visits = reading { _ = model.snapshot.sum { $0.price } }
      #expect(visits >= 4 && visits <= 8, "step \(step): \(visits)")
      #expect(reading { _ = model.sections[0].max { $0.stock } } == 0)
      #expect(reading { _ = old.sum { $0.price } } == 0)
    }
    #expect(model.snapshot.sum { $0.price } == 10_025)
    // An attribute that nobody aggregates and that keeps the row in its place.
    try store.commit { try $0.update(Item.self, 9999) { $0.debt = 1 } }
    #expect(reading { _ = model.snapshot.sum { $0.price } } == 0)
  }

  @Test func `Of many sections only those that changed are summed up again`() throws {
    let store = try makeStore(6000, shelves: 3000)
    let model = try FetchedObjectsModel(
      Query<Item>().sectioned { $0.shelf.name }.aggregating { $0.price }, in: store)
    #expect(model.snapshot.sum { $0.price } == 6000)
    let before = model.work.summaries
    #expect(before > 3000)
    try store.commit { try $0.update(Item.self, 4321) { $0.price = 3 } }
    #expect(model.snapshot.sum { $0.price } == 6002)
    // The section's one leaf and three levels of sections.
    #expect(model.work.summaries - before == 4)
    try store.commit { try $0.update(Item.self, 4321) { $0.shelf = Ref(7) } }
    #expect(model.snapshot.sum { $0.price } == 6002)
    #expect(model.work.summaries - before <= 4 + 8)
  }

  @Test func `A section alone is summed up without the others`() throws {
    let store = try makeStore(3000, shelves: 3)
    let model = try FetchedObjectsModel(
      Query<Item>().sectioned { $0.shelf.name }.aggregating { $0.price }, in: store)
    #expect(model.sections[1].sum { $0.price } == 1000)
    #expect(model.work.summaries < 15)
  }
}
