import EntityStore
import Fixtures
import ListDiffing
@_spi(Inspection) import FetchedObjects
import TestSupport
import Testing

/// F14: a check sum costs what the change costs.
@Suite(.oneThread) struct FeedCostTests {
  private func makeModel() throws -> (Store, FetchedObjectsModel<Car>) {
    let store = try Store(.inMemory, entities: [Person.self, Car.self])
    try store.commit { draft in
      for id in 0..<10_000 {
        try draft.insert(Car(id: id, model: "\(id % 7)", year: id, owner: nil))
      }
    }
    return (store, try FetchedObjectsModel(Query<Car>().sectioned { $0.model }, in: store))
  }

  @Test(arguments: [true, false])
  func `F14: after a change the sums of few nodes are made`(_ keepsPlace: Bool) throws {
    let (store, model) = try makeModel()
    var list = FeedList<FeedValues>()
    func take() throws { try list.apply(model.feed(after: list.cursor)) }
    // From the first page on, later snapshots keep their sums; the second page makes them all.
    for year in [1, 2] {
      try take()
      try store.commit { try $0.update(Car.self, 5000) { $0.year = year } }
    }
    try take()
    #expect(model.work.summaries > 50)
    for number in 0..<20 {
      let before = model.work.summaries
      try store.commit { draft in
        try draft.update(Car.self, number * 400) {
          if keepsPlace { $0.year += 1 } else { $0.model = "\((number + 1) % 7)" }
        }
      }
      #expect(model.work.summaries == before)
      try take()
      let made = model.work.summaries - before
      #expect(made > 0 && made <= 8, "\(made) nodes were summed up")
      // Another client at the same version has none made.
      _ = model.feed(after: nil)
      #expect(model.work.summaries - before == made)
    }
    #expect(list.sections.map(\.rows.count) == model.snapshot.rowCounts)
  }

  @Test func `F14: without a feed nothing is summed up`() throws {
    let (store, model) = try makeModel()
    for number in 0..<20 {
      try store.commit { try $0.update(Car.self, number) { $0.year = 1 } }
    }
    #expect(model.work.summaries == 0)
  }
}
