import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Observation
import Relays
import TestSupport
import Testing

private struct Job: Entity {
  let id: Int
  var kind: String
  var isDone: Bool
  static let attributes = Attributes(
    .id(\Job.id), .attribute("kind", \.kind), .attribute("isDone", \.isDone))
  static let schema = Schema(attributes, Job.init)
}

@Suite struct `F16: groups of a list` {
  private func makeModel(_ store: Store) throws -> FetchedObjectsModel<Item> {
    try FetchedObjectsModel(
      Query<Item>().sorted { [$0.id.ascending] }.sectioned { $0.name }.aggregating {
        $0.stock
        $0.price
      }, in: store)
  }

  private func makeStore() throws -> Store {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      try draft.insert(
        contentsOf: [
          Item(1, name: "pen", stock: 5, price: 1), Item(2, name: "ink", stock: 1, price: 3),
          Item(3, name: "pen", stock: 2, price: 2), Item(4, name: "pad", stock: 9),
        ])
    }
    return store
  }

  @Test func `Each section is a row with its title, its count and its sums`() throws {
    let model = try makeModel(makeStore())
    let groups = model.groups(showing: 1)
    #expect(groups.snapshot.rows.map(\.name) == ["ink", "pad", "pen"])
    #expect(groups.snapshot.rows.map(\.count) == [1, 1, 2])
    #expect(try groups.snapshot.rows.map { try $0.sum { $0.stock } } == [1, 9, 7])
    #expect(groups.snapshot.rows.map { $0.average { $0.price } } == [3, nil, 1.5])
    #expect(groups.snapshot.rows.map { $0.rows.map(\.value.id) } == [[2], [4], [1]])
    #expect(groups.snapshot.rows.map { $0.id.value(as: String.self) } == ["ink", "pad", "pen"])
    #expect(groups.snapshot.rows[0].id.value(as: Int.self) == nil)
    #expect(groups.snapshot.rows.map(\.identity) == ["ink", "pad", "pen"].map(\.storedValue))
  }

  @Test(arguments: [nil, 2, 3])
  func `F3: only a group that a commit concerns moves`(_ limit: Int?) throws {
    let store = try makeStore()
    let groups = try makeModel(store).groups(
      by: [.descending { try $0.sum { $0.stock } }], limit: limit)
    #expect(groups.snapshot.rows.map(\.name).prefix(2) == ["pad", "pen"])
    let events = Recorder(groups.didChange)
    try store.commit { try $0.update(Item.self, 4) { $0.stock = 5 } }
    let (first, second) = (ListPath(section: 0, row: 0), ListPath(section: 0, row: 1))
    #expect(
      events.values.map(\.changes)
        == [ListChanges(moves: [PositionChange(old: first, new: second)])])
  }

  @Test func `A commit changes the groups that it concerns, and no others`() throws {
    let store = try makeStore()
    let groups = try makeModel(store).groups(by: [.descending { $0.count }], showing: 1)
    let events = Recorder(groups.didChange)
    try store.commit { draft in
      try draft.insert(Item(5, name: "ink", stock: 1))
      try draft.insert(Item(6, name: "ink", stock: 1))
    }
    #expect(groups.snapshot.rows.map(\.name) == ["ink", "pen", "pad"])
    try store.commit { try $0.update(Item.self, 4) { $0.name = "cup" } }
    let changes = events.takeValues().map(\.changes)
    #expect(changes.count == 2)
    #expect(changes[0].moves.map(\.new.row) == [0] && changes[0].count == 1)
    #expect(changes[1].deletes.map(\.row) == [2] && changes[1].inserts.map(\.row) == [2])
    // Nothing that a group shows has changed.
    try store.commit { try $0.update(Item.self, 3) { $0.debt = 4 } }
    #expect(events.values.isEmpty)
    try store.commit { try $0.update(Item.self, 1) { $0.debt = 4 } }
    #expect(events.values.map(\.changes.updates.count) == [1])
  }

  @Test func `F2, F16: what has no sum is followed by its extremes and its count`() throws {
    let store = try TestStorage.memory.makeStore(Job.self)
    try store.commit { draft in
      for id in 1...3 { try draft.insert(Job(id: id, kind: "a", isDone: id == 2)) }
    }
    let byKind = Query<Job>().sorted { [$0.id.ascending] }.sectioned { $0.kind }
      .aggregating { $0.isDone }
    let groups = try FetchedObjectsModel(byKind, in: store).groups()
    let window = try FetchedObjectsModel(byKind.limit(1), in: store)
    let (ofGroups, ofWindow) = (Recorder(groups.didChange), Recorder(window.didChange))
    try store.commit { try $0.update(Job.self, 3) { $0.isDone = true } }
    #expect(ofGroups.values.isEmpty && ofWindow.values.isEmpty)
    try store.commit { draft in
      for id in 1...3 { try draft.update(Job.self, id) { $0.isDone = true } }
    }
    #expect(ofGroups.values.map(\.changes.updates.count) == [1])
  }

  @Test func `Groups are filtered, mapped and concatenated like other lists`() throws {
    let store = try makeStore()
    let groups = try makeModel(store).groups()
    let many = groups.filter { $0.count > 1 }
    let events = Recorder(many.didChange)
    try store.commit { try $0.insert(Item(5, name: "ink")) }
    #expect(many.snapshot.rows.map(\.name) == ["ink", "pen"])
    #expect(events.values.map(\.changes.inserts.count) == [1])
  }

  @Test func `F16: a group has the aggregates of another query, also with the same results`() throws
  {
    let model = try FetchedObjectsModel(
      Query<Item>().sectioned { $0.name }.aggregating { $0.debt }, in: makeStore())
    let rows = model.groups().filter { _ in true }
    try model.setQuery(Query<Item>().sectioned { $0.name }.aggregating { $0.price })
    // One group has no debts and no prices.
    #expect(rows.snapshot.rows.map { $0.average { $0.price } } == [3, nil, 1.5])
  }

  @Test func `F16: the same aggregates in another order make no event`() throws {
    let model = try makeModel(makeStore())
    let groups = model.groups()
    let rows = groups.filter { _ in true }
    let events = [Recorder(groups.didChange), Recorder(rows.didChange)]
    try model.setQuery(
      Query<Item>().sorted { [$0.id.ascending] }.sectioned { $0.name }.aggregating {
        $0.price
        $0.stock
      })
    #expect(events.map(\.values.count) == [0, 0])
    for list in [groups, rows] {
      #expect(try list.snapshot.rows.map { try $0.sum { $0.stock } } == [1, 9, 7])
      #expect(list.snapshot.rows.map { $0.average { $0.price } } == [3, nil, 1.5])
    }
  }

  @Test func `A sum that overflows is nil in an order, and throws where it is read`() throws {
    let store = try makeStore()
    try store.commit { try $0.insert(Item(5, name: "ink", stock: .max)) }
    let groups = try makeModel(store).groups(by: [.ascending { try $0.sum { $0.stock } }])
    #expect(groups.snapshot.rows.map(\.name) == ["ink", "pen", "pad"])
    #expect(throws: StoreError.overflow(entity: "Item")) {
      try groups.snapshot.rows[0].sum { $0.stock }
    }
  }

  @Test func `A sum that isn't a number comes first, like nil`() throws {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      for (id, name) in ["a", "b", "c", "d"].enumerated() {
        let price = id % 2 == 0 ? Double.infinity : 1 - Double(id)
        try draft.insert(Item(2 * id, name: name, price: price))
        try draft.insert(Item(2 * id + 1, name: name, price: id % 2 == 0 ? -price : 0))
      }
    }
    let groups = try makeModel(store).groups(by: [.ascending { $0.sum { $0.price } }])
    #expect(groups.snapshot.rows.map(\.name) == ["a", "c", "d", "b"])
    for id in [0, 4, 2] {
      try store.commit { try $0.update(Item.self, id) { $0.stock += 1 } }
      #expect(groups.snapshot.rows.map(\.name) == ["a", "c", "d", "b"])
    }
  }

  @Test func `The closures are called for the groups that a commit concerns`() throws {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      try draft.insert(contentsOf: (0..<2_000).map { Item($0, name: "\($0 % 500)", stock: $0) })
    }
    let calls = Counter()
    let groups = try makeModel(store).groups(having: { _ in
      calls.add()
      return true
    })
    #expect(calls.value == 500)
    try store.commit { try $0.update(Item.self, 7) { $0.stock = 1 } }
    // The group before the change, and the one after it.
    #expect(calls.value == 502)
    #expect(groups.snapshot.rows.count == 500)
  }

  @Test func `Groups follow the order of sections, also if it changes while none moves`() throws {
    let store = try TestStorage.memory.makeWarehouse()
    try store.commit { draft in
      for (id, load) in [10, 5, 3].enumerated() {
        try draft.insert(Shelf(id: id, name: "\(id)", load: load))
      }
      try draft.insert(contentsOf: [Item(1, shelf: 0), Item(2, shelf: 1)])
    }
    let model = try FetchedObjectsModel(
      Query<Item>().sectioned(
        by: { $0.shelf.id }, title: { $0.shelf.name }, order: { $0.shelf.load.descending }),
      in: store)
    let groups = model.groups()
    try store.commit { try $0.update(Shelf.self, 1) { $0.load = 1 } }
    try store.commit { try $0.insert(Item(3, shelf: 2)) }
    #expect(model.sections.map(\.name) == ["0", "2", "1"])
    #expect(groups.snapshot.rows.map(\.name) == ["0", "2", "1"])
  }

  @Test func `Groups behind the limit are counted, without an event`() throws {
    let store = try makeStore()
    let groups = try makeModel(store).groups(limit: 1)
    let derived = groups.filter { _ in true }
    let events = Recorder(groups.didChange)
    try store.commit { try $0.insert(Item(9, name: "tea")) }
    #expect(groups.snapshot.totalCount == 4)
    #expect(groups.snapshot.rowsAfter == 3)
    #expect(events.values.isEmpty)
    // A list that is derived from it has followed, too.
    try store.commit { try $0.insert(Item(10, name: "ash")) }
    #expect(groups.snapshot.rows.map(\.name) == ["ash"])
    #expect(derived.snapshot.rows.map(\.name) == ["ash"])
  }

  @Test func `Groups of a window trap with a sentence`() async throws {
    let sentence = "Groups are made of all rows of a query, and this one has a window"
    let before = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStorage.memory.makeWarehouse()
      let model = try FetchedObjectsModel(Query<Item>().limited(offset: 0, limit: 3), in: store)
      _ = model.groups()
    }
    before.expectMessage(sentence, inRelease: true)
    let after = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try TestStorage.memory.makeWarehouse()
      let model = try FetchedObjectsModel(Query<Item>().aggregating { $0.stock }, in: store)
      let groups = model.groups()
      try model.setWindow(offset: 0, limit: 1)
      withExtendedLifetime(groups) {}
    }
    after.expectMessage(sentence, inRelease: true)
  }

  @Test func `F9, F13: a reader of the number of groups is notified when all lists show a commit`()
    throws
  {
    let store = try makeStore()
    let groups = try makeModel(store).groups(limit: 1)
    // It is made later, so it shows a commit later.
    let later = try FetchedObjectsModel(Query<Item>(), in: store)
    let seen = Locked<[Int]>([])
    let events = Recorder(groups.didChange)
    withObservationTracking {
      _ = groups.snapshot.totalCount
    } onChange: {
      let count = later.snapshot.count
      seen.withLock { $0.append(count) }
    }
    try store.commit { try $0.insert(Item(9, name: "tea")) }
    #expect(seen.withLock { $0 } == [5])
    #expect(events.values.isEmpty)
    #expect(groups.snapshot.totalCount == 4)
  }
}
