@_spi(Storage) import EntityStore
@testable import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

/// A list that can't be read, or that waits, remembers the objects that get a row number meanwhile.
@Suite struct `Objects that an index-only list collects` {
  private let tooMany = 1...Renumbered.mostCollected + 1
  private let first = ListPath(section: 0, row: 0)

  @Test func `F11: they don't fill the memory while commits can't be read`() throws {
    let storage = FlakyStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    func car(_ id: Int) -> Car { Car(id: id, model: "m", year: 1, owner: Ref(1)) }
    try store.commit { draft in
      try draft.insert(Person(id: 1, name: "Ann"))
      try draft.insert(contentsOf: (-4 ... -1).map(car))
    }
    let model = try IndexedObjectsModel(
      Query<Car>().sorted { [$0.owner.name.ascending] }, in: store, cacheCapacity: 0)
    let events = Recorder(model.didChange)
    storage.isFailing.store(1)
    try store.commit { draft in
      // One of the new objects gets the number of this one.
      try draft.delete(Car.self, -4)
      try draft.insert(contentsOf: tooMany.map(car))
    }
    storage.isFailing.store(0)
    #expect(model.follower.live.missed?.ids.isEmpty == true)
    // Nothing is known of a row that is shown.
    #expect(try model.object(at: first) == nil)
    #expect(try (-4...1).map { try model.path(for: $0) }.allSatisfy { $0 == nil })

    try store.commit { try $0.update(Car.self, -1) { $0.year = 2 } }
    // No row counts as the same, because numbers don't show which ones are.
    #expect(events.values.map(\.changes.deletes.count) == [4])
    #expect(events.values.map(\.changes.inserts.count) == [3 + tooMany.count])
    #expect(events.values.map(\.changes.count) == [7 + tooMany.count])
    #expect(try model.object(at: first)?.id == -3)
    #expect(try (-4...1).map { try model.path(for: $0)?.row } == [nil, 0, 1, 2, nil, 3])
  }

  @Test func `F7: they don't fill the memory while another query waits`() throws {
    let store = try TestStorage.memory.makeGarage()
    func car(_ id: Int) -> Car { Car(id: id, model: "m", year: 1, owner: nil) }
    try store.commit { try $0.insert(contentsOf: (-4 ... -1).map(car)) }
    let model = try IndexedObjectsModel(Query<Car>(), in: store, cacheCapacity: 0)
    model.pause()
    try model.setQuery(Query<Car>().filter { $0.year > 1 })
    #expect(try model.object(at: first)?.id == -4)
    try store.commit { try $0.insert(contentsOf: tooMany.map(car)) }
    #expect(model.follower.ahead.watch?.renumbered.ids.isEmpty == true)
    #expect(try model.object(at: first) == nil)
    model.resume()
    #expect(model.count == 0)
  }

  @Test func `F7: any object may be one of them once they are too many`() {
    func id(_ number: Int) -> StoredValue { .integer(Int64(number)) }
    var collected = Renumbered(ids: Set(tooMany.dropFirst().map(id)))
    collected.collect(Renumbered(ids: [id(2)], inserted: [id(2)]))
    #expect(!collected.areTooMany && !collected.contains(id(0)))
    #expect(collected.hasCollected(id(2)) && !collected.hasCollected(id(0)))
    collected.collect(Renumbered(ids: [id(1)]))
    #expect(collected.areTooMany && collected.contains(id(0)) && collected.hasCollected(id(0)))
    collected.collect(Renumbered(ids: [id(3)]))
    #expect(collected.ids.isEmpty && collected.inserted.isEmpty)
    #expect(Renumbered().union(collected).areTooMany)
  }
}
