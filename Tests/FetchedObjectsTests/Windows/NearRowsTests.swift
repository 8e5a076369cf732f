@_spi(Storage) import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

private let entities = TiedRows.entities
private let rowCount = TiedRows.count
private let byYear = TiedRows.byYear

@Suite struct NearRowsTests {
  /// Models of windows, with the events that they have published.
  private struct Windows {
    let store: Store
    var models: [FetchedObjectsModel<Car>] = []
    var lists: [[Int]] = []
    var events: [Recorder<ListEvent<EntityView<Car>>>] = []
    var seen: [Int] = []

    mutating func add(offset: Int, limit: Int = 20, fromEnd: Bool = false) throws {
      let model = try FetchedObjectsModel(
        byYear.limited(offset: offset, limit: limit, fromEnd: fromEnd), in: store)
      models.append(model)
      lists.append(model.fetchedObjects.map(\.id))
      events.append(Recorder(model.didChange))
      seen.append(0)
    }

    /// Each window is what a fetch returns, and its events lead there.
    mutating func check(_ trace: String, isMoved: Bool = false) throws {
      let all = try store.fetch(byYear).map(\.id)
      for (index, model) in models.enumerated() {
        let query = model.query.description
        let (offset, limit) = (query.offset, query.limit ?? 0)
        var expected = Array(all.dropFirst(offset).prefix(limit))
        var before = min(offset, all.count)
        if query.isFromEnd {
          expected = all.dropLast(offset).suffix(limit)
          before = max(0, all.count - offset - expected.count)
        }
        #expect(model.fetchedObjects.map(\.id) == expected, "\(trace)")
        #expect(model.snapshot.totalCount == all.count, "\(trace): total")
        #expect(model.snapshot.rowsBefore == before, "\(trace): before")
        let new = events[index].values.dropFirst(seen[index])
        seen[index] += new.count
        for event in new {
          var list = event.before.objects.map(\.id)
          #expect(list == lists[index], "\(trace): the events don't lead on")
          event.changes.apply(to: &list) { event.after[$0].value.id }
          #expect(list == event.after.objects.map(\.id), "\(trace): \(event)")
          if !isMoved { #expect(!event.changes.isEmpty, "\(trace): an event for nothing") }
          lists[index] = list
        }
        #expect(lists[index] == expected, "\(trace): a change without an event")
      }
    }
  }

  @Test func `F6: a row that changed in the reserve during a pause is an update`() throws {
    let store = try TestStorage.memory.makeGarage()
    NearRowsLimits.of(store).least.store(1)
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(1), in: store)
    let events = Recorder(model.didChange)
    model.pause()
    try store.commit { try $0.insert(Car(id: 5000, model: "in", year: -1, owner: nil)) }
    try store.commit { try $0.update(Car.self, 0) { $0.model = "other" } }
    try store.commit { try $0.delete(Car.self, 5000) }
    #expect(model.waitingEvent?.changes.updates.count == 1)
    model.resume()
    #expect(events.values.map(\.changes.updates.count) == [1])
  }

  @Test(.oneThread, arguments: TestStorage.withServer, [false, true])
  func `F2, F7: windows of the first and last rows are exact, whatever comes, goes and moves`(
    _ storage: TestStorage, _ isAtEnd: Bool
  ) throws {
    var refetched = 0
    for seed in seeds(storage == .memory ? 12 : 6) {
      var random = SeededGenerator(seed: UInt64(seed) + 4711)
      let store = try storage.makeGarage()
      try store.fillTiedRows()
      NearRowsLimits.of(store).least.store([64, 1, 10][(seed + (isAtEnd ? 1 : 0)) % 3])
      var windows = Windows(store: store)
      try windows.add(offset: 0, fromEnd: isAtEnd)
      try windows.add(offset: 90, fromEnd: isAtEnd)
      for step in 0..<120 {
        let trace = "seed \(seed), step \(step)"
        // Rows come, or go, for a while.
        let range =
          random.chance(0.7)
          ? isAtEnd ? rowCount - 200..<rowCount : 0..<200 : 0..<rowCount
        let isGrowing = step / 30 % 2 == seed % 2
        func year() -> Int { Int.random(in: range, using: &random) / 40 }
        let fails = random.chance(0.1)
        let before = windows.models.map(\.work.fetches)
        try? store.commit { draft in
          for _ in 0..<(random.chance(0.8) ? 1 : 30) {
            let id = Int.random(in: range, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3 where isGrowing:
              let new = rowCount + Int.random(in: 0..<4000, using: &random)
              try draft.upsert(Car(id: new, model: "in", year: year(), owner: nil))
            case 0...3:
              let count = Int.random(in: 1...4, using: &random)
              try draft.deleteAll(isAtEnd ? byYear.last(count) : byYear.limit(count))
            case 4: try draft.upsert(Car(id: id, model: "in", year: year(), owner: nil))
            case 5: try draft.upsert(Car(id: id, model: "out", year: year(), owner: nil))
            case 6: try draft.upsert(Car(id: id, model: "in", year: id / 40, owner: nil))
            default:
              // In memory the new object gets the place of the deleted one.
              if try draft.find(Car.self, id) != nil { try draft.delete(Car.self, id) }
              try draft.upsert(Car(id: id + rowCount, model: "in", year: id / 40, owner: nil))
            }
          }
          if fails { throw CancellationError() }
        }
        try windows.check(trace)
        if windows.models.map(\.work.fetches) != before { refetched += 1 }
        if random.chance(0.05) {
          let offset = Int.random(in: 0..<400, using: &random)
          if isAtEnd {
            try windows.models[1].setWindow(last: 20, offset: offset)
          } else {
            try windows.models[1].setWindow(offset: offset, limit: 20)
          }
          try windows.check(trace, isMoved: true)
        }
        if random.chance(0.02) {
          try windows.add(offset: Int.random(in: 0..<600, using: &random), fromEnd: isAtEnd)
          try windows.check(trace)
        }
      }
    }
    if storage == .memory { #expect(refetched > 0) }
  }

  @Test func `Cost: a change after the first rows takes one comparison, and no event`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(20), in: store)
    #expect(model.keptRows == 64 + 64)
    #expect(store.liveResults.map(\.kind) == [.nearRows])
    let (base, before) = (model.shown.result.base, model.work)
    let events = Recorder(model.didChange)
    for turn in 0..<50 {
      try store.commit { try $0.update(Car.self, rowCount - 1 - turn) { $0.year = 30 } }
    }
    #expect(model.shown.result.base === base && events.values.isEmpty)
    #expect(model.work.changes == before.changes && model.work.fetches == before.fetches)
    #expect(model.work.candidates - before.candidates == 50)
    // The filter is evaluated for the old and the new version.
    #expect(model.work.conditions - before.conditions == 100)
    try store.commit { try $0.delete(Car.self, rowCount - 1) }
    #expect(model.snapshot.totalCount == rowCount - 1 && events.values.isEmpty)
  }

  @Test func `Cost: rows are read again once a reserve is used up, and then twice as many`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(20), in: store)
    let before = model.work.fetches
    for id in 0..<64 { try store.commit { try $0.delete(Car.self, id) } }
    #expect(model.work.fetches == before && model.keptRows == 64)
    try store.commit { try $0.delete(Car.self, 64) }
    #expect(model.work.fetches == before + 1 && model.keptRows == 64 + 128)
    for id in 65..<65 + 128 { try store.commit { try $0.delete(Car.self, id) } }
    #expect(model.work.fetches == before + 1)
    try store.commit { try $0.delete(Car.self, 193) }
    #expect(model.work.fetches == before + 2 && model.keptRows == 64 + 256)
    #expect(model.fetchedObjects.map(\.id) == Array(194..<214))
    // Rows that come are kept, up to twice as many.
    for id in 0..<300 {
      try store.commit { try $0.insert(Car(id: 5000 + id, model: "in", year: -1, owner: nil)) }
      #expect(model.keptRows <= 2 * (64 + 256) + 1)
    }
    #expect(model.work.fetches == before + 2)
    #expect(model.fetchedObjects.map(\.id) == Array(5000..<5020))
  }

  @Test func `F12: windows of a query share its first rows, and few are read as they grow`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let first = try FetchedObjectsModel(byYear.limit(10), in: store)
    let second = try FetchedObjectsModel(byYear.limit(10, offset: 30), in: store)
    #expect(first.shown.result.base === second.shown.result.base)
    #expect(second.fetchedObjects.map(\.id) == Array(30..<40))
    #expect(first.work.fetches == 1)
    try store.commit { draft in for id in 0..<40 { try draft.delete(Car.self, id) } }
    #expect(first.fetchedObjects.map(\.id) == Array(40..<50))
    #expect(second.fetchedObjects.map(\.id) == Array(70..<80))
    var bases = Set([ObjectIdentifier(second.shown.result.base)])
    for limit in stride(from: 10, through: 1500, by: 10) {
      try second.setWindow(offset: 0, limit: limit)
      bases.insert(ObjectIdentifier(second.shown.result.base))
      #expect(second.fetchedObjects.map(\.id) == Array(40..<40 + limit))
    }
    #expect(bases.count <= 6)
    #expect(first.fetchedObjects.map(\.id) == Array(40..<50))
  }

  @Test func `F7: a storage without row numbers can show the first rows alone`() throws {
    let store = try Store(.custom { CountedStorage(hasNumbers: false) }, entities: entities)
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(10), in: store)
    #expect(model.keptRows == 128)
    try model.setWindow(offset: 1500, limit: 600)
    #expect(model.keptRows == rowCount && model.fetchedObjects.map(\.id) == Array(1500..<1600))
  }

  @Test func `F11: after an error the first rows are read again`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: entities)
    try store.commit { try $0.insert(ann) }
    try store.fillTiedRows()
    try store.commit { try $0.update(Car.self, 0) { $0.owner = Ref(ann) } }
    let model = try FetchedObjectsModel(byYear.including { $0.owner.name }.limit(3), in: store)
    storage.isFailing.store(1)
    try store.commit { try $0.update(Car.self, 1) { $0.owner = Ref(ann) } }
    #expect(model.error != nil)
    storage.isFailing.store(0)
    let other = try FetchedObjectsModel(byYear.including { $0.owner.name }.limit(3), in: store)
    #expect(other.snapshot[ListPath(section: 0, row: 1)].owner?.name == ann.name)
    try store.commit { try $0.delete(Car.self, 900) }
    #expect(model.error == nil)
    #expect(model.snapshot[ListPath(section: 0, row: 1)].owner?.name == ann.name)
    #expect(model.snapshot.totalCount == rowCount - 1 && other.snapshot.totalCount == rowCount - 1)
  }

  @Test func `P5: the first rows are exact after an external commit`() throws {
    let path = temporaryPath("first")
    func open() throws -> Store {
      try Store(.sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    }
    let here = try open()
    try here.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(20, offset: 40), in: here)
    let there = try open()
    try there.commit { draft in
      for id in 0..<300 { try draft.delete(Car.self, id) }
      try draft.update(Car.self, 900) { $0.year = 0 }
    }
    // A new window needs rows that aren't kept, so it reads the external commit before it is merged.
    let other = try FetchedObjectsModel(byYear.limit(20, offset: 200), in: here)
    #expect(try other.fetchedObjects.map(\.id) == here.fetch(other.query).map(\.id))
    // The next one is merged together with the one before.
    try there.commit { draft in for id in 300..<320 { try draft.delete(Car.self, id) } }
    try here.refresh()
    for _ in 0..<2 {
      for shown in [model, other] {
        #expect(try shown.fetchedObjects.map(\.id) == here.fetch(shown.query).map(\.id))
        #expect(try shown.snapshot.totalCount == here.count(byYear))
      }
      try here.commit { draft in try draft.deleteAll(byYear.limit(1)) }
    }
  }

  @Test func `F7: windows that come and go beside a writer are exact`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let first = try FetchedObjectsModel(byYear.limit(20), in: store)
    let isOver = AtomicWord(0)
    let writer = TestThread {
      var random = SeededGenerator(number: 5)
      while isOver.load() == 0 {
        let id = Int.random(in: 0..<rowCount, using: &random)
        let year = Int.random(in: 0..<40, using: &random)
        do { try store.commit { try $0.update(Car.self, id) { $0.year = year } } } catch {
          return recordIssue("\(error)")
        }
      }
    }
    // It ends with the test, also if that throws.
    defer {
      isOver.store(1)
      writer.join()
    }
    var kept: [FetchedObjectsModel<Car>] = []
    for turn in 0..<rounds(200) {
      let model = try FetchedObjectsModel(byYear.limit(20, offset: turn * 7 % 400), in: store)
      #expect(model.fetchedObjects.count == 20)
      if turn % 10 == 0 { kept.append(model) }
    }
    isOver.store(1)
    writer.join()
    for model in kept + [first] {
      #expect(try model.fetchedObjects.map(\.id) == store.fetch(model.query).map(\.id))
    }
  }

  @Test func `F2: a row that is dropped is dropped, although what it includes has changed`() throws
  {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(
        contentsOf: (0..<rowCount).map {
          Car(id: $0, model: "in", year: $0, owner: $0 == 10 ? Ref(ann) : nil)
        })
    }
    let query = byYear.including { $0.owner.name }
    let model = try FetchedObjectsModel(query.limit(1), in: store)
    func insert(_ ids: Range<Int>, _ draft: inout Draft) throws {
      for id in ids { try draft.insert(Car(id: 5000 + id, model: "in", year: -1, owner: nil)) }
    }
    // Car 10 is among the last of the rows that are kept.
    try store.commit { try insert(0..<120, &$0) }
    #expect(model.keptRows == 128 + 120)
    try store.commit { draft in
      try insert(120..<250, &draft)
      try draft.update(Person.self, ann.id) { $0.name = "Anna" }
    }
    #expect(model.keptRows == 128)
    try store.commit { draft in for id in 0..<64 { try draft.delete(Car.self, 5000 + id) } }
    let wide = try FetchedObjectsModel(query.limit(64), in: store)
    #expect(wide.fetchedObjects.map(\.id) == Array(5064..<5128))
    try store.commit { draft in for id in 64..<250 { try draft.delete(Car.self, 5000 + id) } }
    #expect(wide.fetchedObjects.map(\.id) == Array(0..<64))
  }

  @Test func `F7: a window of no rows keeps the way to its successor`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(0), in: store)
    try store.commit { draft in for id in 0..<128 { try draft.delete(Car.self, id) } }
    try store.commit { try $0.insert(Car(id: 9999, model: "in", year: 9999, owner: nil)) }
    try model.setWindow(offset: 0, limit: 1)
    #expect(model.fetchedObjects.map(\.id) == [128])
  }

  @Test func `Cost: a list that is filled and emptied keeps few rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(1), in: store)
    for turn in 0..<3000 {
      try store.commit { draft in
        try draft.delete(Car.self, turn)
        try draft.insert(Car(id: rowCount + turn, model: "in", year: 100 + turn, owner: nil))
      }
    }
    #expect(model.fetchedObjects.map(\.id) == [3000])
    #expect(model.work.fetches <= 8)
  }

  @Test(.oneThread) func `Cost: a reserve has at most 8,192 rows`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<50_000).map { Car(id: $0, model: "in", year: $0, owner: nil) })
    }
    let model = try FetchedObjectsModel(byYear.limit(1), in: store)
    var kept: [Int] = []
    for _ in 0..<10 {
      kept.append(model.keptRows)
      try store.commit { try $0.deleteAll(byYear.limit(model.keptRows)) }
    }
    #expect(kept == [64, 128, 256, 512, 1024, 2048, 4096, 8192, 8192, 8192].map { 64 + $0 })
  }

  @Test func `F12: a window that moves to and fro at the limit reads the order once`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    try store.commit { draft in
      try draft.insert(
        contentsOf: (rowCount..<3000).map { Car(id: $0, model: "in", year: $0 / 40, owner: nil) })
    }
    let model = try FetchedObjectsModel(byYear.limit(50, offset: 2500), in: store)
    func kinds() -> [LiveResultInfo.Kind] { store.liveResults.map(\.kind) }
    let fetches = { LiveIndexes.of(store).all.map { $0.core.state.withLock { $0.work.fetches } } }
    #expect(fetches() == [1])
    for offset in [1950, 2500, 1100, 2048, 1000, 2000] {
      try model.setWindow(offset: offset, limit: 50)
      #expect(model.fetchedObjects.map(\.id) == Array(offset..<offset + 50))
      #expect(fetches() == [1] && kinds().contains(.index))
    }
    try model.setWindow(offset: 900, limit: 50)
    #expect(model.fetchedObjects.map(\.id) == Array(900..<950))
    #expect(kinds() == [.nearRows])
    try model.setWindow(offset: 0, limit: 2048)
    #expect(model.fetchedObjects.map(\.id) == Array(0..<2048))
  }

  @Test func `F12: a change in the reserve asks no model`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillTiedRows()
    let model = try FetchedObjectsModel(byYear.limit(20), in: store)
    let (base, version) = (model.shown.result.base, model.snapshot.version)
    for id in 64..<128 { try store.commit { try $0.update(Car.self, id) { $0.year = 1 } } }
    #expect(model.shown.result.base === base && model.snapshot.version == version)
    try store.commit { draft in for id in 0..<30 { try draft.delete(Car.self, id) } }
    #expect(try model.fetchedObjects.map(\.id) == store.fetch(model.query).map(\.id))
  }
}
