import EntityStore
@_spi(Inspection) import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import TestSupport
import Testing

/// What a list's data source reads.
@Suite struct SnapshotReadingTests {
  private func makeModel() throws -> (Store, FetchedObjectsModel<Car>) {
    let store = try TestStorage.memory.makeGarage()
    try store.commit { draft in
      for (id, name) in ["Ann", "Abe", "Bob", "étienne", ""].enumerated() {
        try draft.insert(Person(id: id, name: name, age: nil))
        for car in 0...id {
          try draft.insert(Car(id: 10 * id + car, model: "m\(car)", year: 1, owner: Ref(id)))
        }
      }
    }
    return (store, try FetchedObjectsModel(byOwner, in: store))
  }

  @Test func `An index has each first character once, and leads to its first section`() throws {
    let (_, model) = try makeModel()
    #expect(model.sections.map(\.name) == ["", "Abe", "Ann", "Bob", "étienne"])
    #expect(model.sections.map(\.indexTitle) == ["", "A", "A", "B", "É"])
    let orderKeys: [StoredValue?] = model.sections.map(\.orderKey)
    let names: [StoredValue?] = model.sections.map { .text($0.name) }
    #expect(orderKeys == names)
    #expect(model.sectionIndexTitles == ["A", "B", "É"])
    #expect(model.section(forSectionIndexTitle: "A", at: 0) == 1)
    #expect(model.section(forSectionIndexTitle: "B", at: 1) == 3)
    #expect(model.section(forSectionIndexTitle: "É", at: 2) == 4)
    let derived = model.filter { _ in true }
    #expect(derived.snapshot.sectionIndexTitles == ["A", "B", "É"])
    #expect(derived.snapshot.section(forSectionIndexTitle: "É", at: 2) == 4)
  }

  @Test func `An index-only result has the same index, also if it is read off the caller's thread`()
    async throws
  {
    let (store, _) = try makeModel()
    let indexed = try await IndexedObjectsModel.fetching(byOwner, in: store, cacheCapacity: 7)
    #expect(indexed.count == 15)
    #expect(indexed.snapshot.sectionIndexTitles == ["A", "B", "É"])
    #expect(indexed.snapshot.section(forSectionIndexTitle: "B", at: 1) == 3)
    for row in 0..<5 { _ = try indexed.object(at: ListPath(section: 0, row: row)) }
    #expect(indexed.cachedObjectCount <= 7)
  }

  @Test func `Rows are the objects with what the query includes`() throws {
    let (store, model) = try makeModel()
    let rows = model.snapshot.rows
    #expect(rows.map(\.id) == (try store.fetch(byOwner).map(\.id)))
    #expect(rows.first?.owner?.name == "")
    #expect(rows.last?.owner?.name == "étienne")
    #expect(model.sections.flatMap(\.rows) == rows)
    let window = try FetchedObjectsModel(byOwner.limit(3, offset: 5), in: store)
    #expect(window.snapshot.rows == Array(rows[5..<8]))
  }

  @Test func `S6: an entry that the index doesn't have traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStorage.memory.makeGarage()
      let model = try FetchedObjectsModel(byOwner, in: store)
      _ = model.section(forSectionIndexTitle: "A", at: 0)
    }
    #expect(message(of: trap).contains("The index has no \"A\" at 0"))
  }

  @Test(arguments: TestStorage.withServer)
  func `F3: snapshots of equal queries differ by a sort key, as in a model's event`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let query = Query<Car>().sorted { [$0.owner.name.ascending] }
    let model = try FetchedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    let before = try ListSnapshot(query, in: store)
    // The order stays.
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Anna" } }
    let changes = before.changes(to: try ListSnapshot(query.limit(9), in: store))
    #expect(changes.updates.count == 2)
    #expect(events.values.map(\.changes) == [changes])
  }

  @Test func `All objects stand in one row, read one by one or copied`() throws {
    let (store, model) = try makeModel()
    let objects = model.fetchedObjects
    let expected = try store.fetch(byOwner)
    #expect(objects.count == 15)
    #expect(Array(objects).map(\.id) == expected.map(\.id))
    #expect(objects.indices.map { objects[$0].id } == expected.map(\.id))
    #expect(model.snapshot.objects.map(\.id) == expected.map(\.id))
    let bySection: [Int] = model.sections.flatMap { section in section.objects.map(\.id) }
    #expect(bySection == expected.map(\.id))
    // It stays as it was.
    try store.commit { try $0.deleteAll(Query<Car>()) }
    #expect(objects.count == 15)
    #expect(model.fetchedObjects.isEmpty)
    #expect(model.sections.isEmpty)
  }

  @Test func `F7: a window knows where it is, and shows a part of its first and last section`()
    throws
  {
    let (store, model) = try makeModel()
    let all = try store.fetch(byOwner).map(\.id)
    for offset in 0..<17 {
      for limit in 0..<17 {
        try model.setWindow(offset: offset, limit: limit)
        let expected = Array(all.dropFirst(offset).prefix(limit))
        expectEqual(model.fetchedObjects.map(\.id), expected, "\(offset), \(limit)")
        let shown: [Int] = model.sections.flatMap { section in section.map(\.value.id) }
        expectEqual(shown, expected, "\(offset), \(limit): sections")
        expectTrue(model.sections.allSatisfy { !$0.isEmpty }, "\(offset), \(limit): an empty one")
        expectEqual(model.snapshot.rowsBefore, min(offset, 15), "\(offset), \(limit)")
        expectEqual(model.snapshot.totalCount, 15, "\(offset), \(limit)")
        for id in all {
          let path = model.path(for: id)
          expectEqual(path != nil, expected.contains(id), "\(offset), \(limit): path of \(id)")
          if let path { expectEqual(model.object(at: path).id, id, "\(offset), \(limit)") }
        }
      }
    }
  }

  @Test func `S6: a window before the beginning traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStorage.memory.makeGarage()
      let model = try FetchedObjectsModel(byOwner, in: store)
      try model.setWindow(offset: -1, limit: 5)
    }
    #expect(message(of: trap).contains("A window after -1 objects; use 0 or more"))
  }

  private func message(of trap: ExitTest.Result) -> String {
    String(decoding: trap.standardErrorContent, as: UTF8.self)
  }
}
