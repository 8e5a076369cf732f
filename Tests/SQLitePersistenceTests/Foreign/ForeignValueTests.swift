import EntityStore
import FetchedObjects
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Observed values follow external commits` {
  private let stores: TwoStores
  private let raw: RawDatabase
  private let owned: ObservedValue<[Int]>
  private let events: Recorder<[Int]>

  init() throws {
    stores = try TwoStores()
    raw = try RawDatabase(stores.path)
    try stores.here.commit { draft in
      try draft.insert(Person(id: "a", name: "Ann"))
      for id in 1...4 {
        try draft.insert(Car(id: id, model: "m\(id)", owner: id % 2 == 0 ? Ref("a") : nil))
      }
    }
    try stores.there.refresh()
    owned = try ObservedValue(in: stores.here) { reader in
      [
        try reader.count(Query<Car>()),
        try reader.count(Query<Car>().filter { $0.model.hasPrefix("m") }),
        try reader.count(Query<Car>().filter { $0.owner.name == "Ann" }),
        try reader.find(Person.self, "a")?.name.count ?? -1,
      ]
    }
    events = Recorder(owned.didChange.map(\.new))
  }

  @Test func `P5, F15: commits of another store and of a tool change the value`() throws {
    #expect(owned.value == [4, 4, 2, 3])
    try stores.there.commit { draft in
      try draft.delete(Car.self, 1)
      try draft.update(Person.self, "a") { $0.name = "Anna" }
    }
    try stores.here.refresh()
    #expect(events.values == [[3, 3, 0, 4]])
    try raw.rows("UPDATE Car SET model = 'x' WHERE id = 2")
    try stores.here.refresh()
    #expect(events.values.last == [3, 2, 0, 4])
    // A commit of this store merges what others have committed first.
    try stores.there.commit { try $0.update(Car.self, 2) { $0.model = "m2" } }
    try stores.here.commit { try $0.delete(Car.self, 3) }
    #expect(Array(events.values.suffix(2)) == [[3, 3, 0, 4], [2, 2, 0, 4]])
  }

  @Test func `P5, F15: behind the pruned log everything is read again`() throws {
    try stores.there.commit { try $0.update(Car.self, 1) { $0.model = "z" } }
    try stores.there.commit { try $0.delete(Car.self, 2) }
    try raw.rows("DELETE FROM signalbox_log WHERE version < 3")
    try stores.here.refresh()
    #expect(events.values == [[3, 2, 1, 3]])
    try stores.here.commit { try $0.delete(Car.self, 3) }
    #expect(events.values.last == [2, 1, 1, 3])
  }

  @Test func `P5, F15: what was read before it was merged isn't counted twice`() throws {
    try stores.there.commit { try $0.delete(Car.self, 1) }
    // This reads the other store's commit ahead of its merge.
    let later = try ObservedValue(in: stores.here) { try $0.count(Query<Car>()) }
    #expect(later.value == 3)
    try stores.here.refresh()
    #expect(later.value == 3)
    try stores.here.commit { try $0.delete(Car.self, 2) }
    #expect(later.value == 2)
    #expect(owned.value == [2, 2, 1, 3])
  }
}
