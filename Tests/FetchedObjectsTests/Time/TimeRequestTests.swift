@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import FoundationSupport
import ListDiffing
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `Boundaries far away` {
  private static let queries = [
    Query<Chore>().filter { $0.due < Moment.now },
    Query<Chore>().filter { $0.list.opens < Moment.now },
  ]

  @Test(arguments: [0, 1])
  func `F17: the objects that pass a boundary are read together`(_ number: Int) async throws {
    let clock = SetClock(100)
    let storage = FarStorage()
    let store = try Store(
      .custom { storage }, entities: [Chore.self, ChoreList.self], time: clock.source)
    let count = 600
    try store.commit { draft in
      for id in 0..<count / 2 { try draft.insert(ChoreList(id, opens: 150)) }
      for id in 0..<count { try draft.insert(Chore(id, due: 150, list: id / 2)) }
    }
    let model = try FetchedObjectsModel(Self.queries[number], in: store)
    let events = Recorder(model.didChange)
    #expect(model.count == 0)
    let start = storage.trips.load()
    clock.now = 151
    await store.clockHasChanged()
    #expect(model.count == count)
    #expect(storage.trips.load() - start < 40)
    #expect(events.values.map(\.changes.inserts.count) == [count])
  }
}
