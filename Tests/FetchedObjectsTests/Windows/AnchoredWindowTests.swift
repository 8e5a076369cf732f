@_spi(Storage) import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import TestSupport
import Testing

@Suite(.oneThread) struct `F7: windows around a row` {
  private static let queries = [
    Query<Car>().sorted { [$0.model.ascending] },
    Query<Car>().filter { $0.year < 2010 }.sorted { [$0.year.descending] },
    Query<Car>().sorted { [$0.model.descending] }.sectioned { $0.year },
  ]

  private struct Undo: Error {}

  /// The position at which a car would be in the result of a query.
  private func place(of car: Car, in query: Query<Car>, _ store: Store) throws -> Int {
    var place = 0
    do {
      try store.commit { draft in
        try draft.upsert(car)
        let list = try ListSnapshot(query, in: draft)
        place = list.path(for: car.id).map(list.position) ?? -1
        throw Undo()
      }
    } catch is Undo {}
    return place
  }

  @Test(arguments: queries.indices, TestStorage.withServer)
  func `Whatever is committed, the window stays around its row, or around the next one`(
    _ number: Int, _ storage: TestStorage
  ) throws {
    let query = Self.queries[number]
    var (lost, shifted, events) = (0, 0, 0)
    for seed in seeds(storage == .memory ? 200 : 40) {
      var random = SeededGenerator(seed: seed)
      let store = try storage.makeGarage()
      // Many rows are kept, or few, or all.
      let limits = NearRowsLimits.of(store)
      limits.least.store(seed % 3 == 0 ? 64 : 1)
      limits.most.store(seed % 3 == 1 ? 0 : 2048)
      var writer = RandomWriter(random: SeededGenerator(seed: seed + 9))
      for _ in 0..<6 { try writer.commit(store) }
      let model = try FetchedObjectsModel(query.limit(2), in: store)
      var anchor: Int?
      var (before, after) = (0, 0)
      for step in 0..<40 {
        let trace = "query \(number), \(storage), seed \(seed), step \(step)"
        let all = try store.fetch(query)
        if step % 10 == 0, let car = all.randomElement(using: &random) {
          before = Int.random(in: 0...3, using: &random)
          after = Int.random(in: 0...3, using: &random)
          try model.setWindow(around: car.id, before: before, after: after)
          anchor = car.id
        } else {
          let told = Recorder(model.didChange)
          let shown = plain(model.snapshot, includesOwner: false)
          let rowsBefore = model.snapshot.rowsBefore
          try writer.commit(store)
          let now = try store.fetch(query).map(\.id)
          if let old = anchor, !now.contains(old) {
            lost += 1
            let car = try #require(all.first { $0.id == old })
            let place = try min(place(of: car, in: query, store), now.count - 1)
            anchor = place < 0 ? nil : now[place]
          }
          let isSame = plain(model.snapshot, includesOwner: false) == shown
          #expect(told.values.isEmpty == isSame, "\(trace): an event without a change")
          if isSame && model.snapshot.rowsBefore != rowsBefore { shifted += 1 }
          for event in told.values {
            events += 1
            try EventOracle(includesOwner: false, isSectioned: number == 2, isNewQuery: false)
              .check(event, trace)
          }
        }
        let ids = try store.fetch(query).map(\.id)
        guard let anchor, let place = ids.firstIndex(of: anchor) else { continue }
        let lower = max(0, place - before)
        let upper = min(ids.count, place + after + 1)
        #expect(model.fetchedObjects.map(\.id) == Array(ids[lower..<upper]), "\(trace): rows")
        #expect(model.windowAnchor == anchor, "\(trace): anchor")
        #expect(model.snapshot.rowsBefore == lower, "\(trace): before")
        #expect(model.snapshot.rowsAfter == ids.count - upper, "\(trace): behind")
      }
    }
    #expect(lost > 0 && shifted > 0 && events > 0)
  }

  @Test func `A message that comes makes no event, and is counted`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for id in 0..<100 {
        try draft.insert(Car(id: id, model: "\(id)", year: id, owner: nil))
      }
    }
    let query = Query<Car>().sorted { [$0.year.ascending] }
    let model = try FetchedObjectsModel(query.last(20), in: store)
    try model.setWindow(around: 50, before: 2, after: 2)
    let events = Recorder(model.didChange)
    #expect(model.fetchedObjects.map(\.id) == [48, 49, 50, 51, 52])
    try store.commit { try $0.insert(Car(id: 200, model: "new", year: 200, owner: nil)) }
    try store.commit { try $0.insert(Car(id: 201, model: "old", year: -1, owner: nil)) }
    #expect(events.values.isEmpty)
    #expect((model.snapshot.rowsBefore, model.snapshot.rowsAfter) == (49, 48))
    try store.commit { try $0.delete(Car.self, 50) }
    #expect(model.windowAnchor == 51)
    #expect(model.fetchedObjects.map(\.id) == [48, 49, 51, 52, 53])
    #expect(events.values.count == 1)
    // What is asked for next replaces the window.
    try model.setWindow(last: 1)
    #expect(model.windowAnchor == nil)
    #expect(model.fetchedObjects.map(\.id) == [200])
    try model.setQuery(model.query.limit(1))
    #expect(model.fetchedObjects.map(\.id) == [201])
  }

  @Test(arguments: TestStorage.withServer)
  func `A row that isn't there is an error, and the model stays as it was`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(
      Query<Car>().filter { $0.year > 2000 }.sorted { [$0.id.ascending] }.limit(2), in: store)
    let shown = model.fetchedObjects.map(\.id)
    let events = Recorder(model.didChange)
    let missing = ObjectID(entityName: "Car", id: .integer(999))
    #expect(throws: StoreError.notFound(missing)) {
      try model.setWindow(around: 999, before: 1, after: 1)
    }
    #expect(model.fetchedObjects.map(\.id) == shown)
    #expect(
      model.query.description
        == Query<Car>().filter { $0.year > 2000 }
        .sorted { [$0.id.ascending] }.limit(2).description)
    #expect(events.values.isEmpty && model.error == nil)
  }

  @Test func `A list that was empty has a window again with its first rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    func insert(_ ids: Range<Int>) throws {
      try store.commit { draft in
        for id in ids { try draft.insert(Car(id: id, model: "\(id)", year: id, owner: nil)) }
      }
    }
    try insert(0..<100)
    let model = try FetchedObjectsModel(Query<Car>().sorted { [$0.year.ascending] }, in: store)
    try model.setWindow(around: 90, before: 2, after: 2)
    try store.commit { draft in for id in 0..<100 { try draft.delete(Car.self, id) } }
    #expect(model.count == 0)
    try insert(200..<205)
    // The first of them follows the place of row 90.
    #expect(model.fetchedObjects.map(\.id) == [200, 201, 202])
    #expect(model.windowAnchor == 200)
    try store.commit { draft in for id in 200..<205 { try draft.delete(Car.self, id) } }
    try insert(10..<15)
    #expect(model.fetchedObjects.map(\.id) == [12, 13, 14])
    #expect(model.windowAnchor == 14)
  }

  @Test func `Numbers near the largest open the whole list`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.id.ascending] }
    let model = try FetchedObjectsModel(query, in: store)
    let first = try #require(model.fetchedObjects.last?.id)
    let count = model.count
    try model.setWindow(around: first, before: .max, after: .max)
    #expect(model.count == count)
  }

  @Test(arguments: [(Int.max, 0), (0, Int.max), (Int.max, Int.max), (Int.max / 2, Int.max / 2)])
  func `F7: a window grows to the whole list, by numbers near the largest`(
    before: Int, after: Int
  ) throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    try model.setWindow(around: 2, before: 1, after: 1)
    #expect(store.liveResults.map(\.kind) == [.nearRows])
    #expect(model.fetchedObjects.map(\.id) == [1, 2, 3])
    try model.setWindow(around: 2, before: before, after: after)
    let first = before == 0 ? 2 : 1
    #expect(model.fetchedObjects.map(\.id) == Array(first...(after == 0 ? 2 : 4)))
    try store.commit { try $0.insert(Car(id: 5, model: "Lada", year: 2020, owner: nil)) }
    #expect(model.fetchedObjects.map(\.id) == Array(first...(after == 0 ? 2 : 5)))
    #expect(model.windowAnchor == 2)
  }

  @Test func `F7: where the rows beside one can't be read alone, a window keeps all rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      for id in 0..<400 {
        let model = id < 5 ? ["a", "B", "c", "D", "e"][id] : "z"
        try draft.insert(Car(id: id, model: model, year: id, owner: Ref(id % 2 == 0 ? ann : bob)))
      }
    }
    // The order of a collation isn't the one in which keys are compared.
    let names = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.model.ascending.caseInsensitive] }, in: store)
    try names.setWindow(around: 2, before: 1, after: 1)
    #expect(names.fetchedObjects.map(\.id) == [1, 2, 3])
    // The sum is that of all rows.
    let byYear = Query<Car>().sorted { [$0.year.ascending] }
    let sums = try FetchedObjectsModel(byYear.aggregating { $0.year }, in: store)
    try sums.setWindow(around: 200, before: 1, after: 1)
    #expect(try sums.snapshot.sum { $0.year } == (0..<400).reduce(0, +))
    // Another object brings rows between those that are shown.
    let anns = try FetchedObjectsModel(byYear.filter { $0.owner.name == "Ann" }, in: store)
    try anns.setWindow(around: 200, before: 1, after: 1)
    #expect(anns.fetchedObjects.map(\.id) == [198, 200, 202])
    try store.commit { try $0.update(Person.self, bob.id) { $0.name = "Ann" } }
    #expect(anns.fetchedObjects.map(\.id) == [199, 200, 201])
    #expect(anns.snapshot.totalCount == 400)
  }

  @Test(arguments: [(-1, 0), (0, -1)])
  func `S6: fewer than no rows before or after a row are a mistake`(
    before: Int, after: Int
  ) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [before = before as Int, after = after as Int] in
      let store = try TestStorage.memory.makeGarage()
      try store.fillGarage()
      let model = try FetchedObjectsModel(Query<Car>(), in: store)
      try model.setWindow(around: 2, before: before, after: after)
    }
    trap.expectMessage("A window of fewer than no rows around one; use 0 or more", inRelease: true)
  }
}
