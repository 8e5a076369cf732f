@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `S1: an abandoned commit in memory leaves nothing behind` {
  private func makeStore() throws -> (Store, FaultyStorage) {
    let faulty = FaultyStorage(InMemoryStorage())
    let store = try Store(.custom { faulty }, entities: [Owner.self])
    try store.commit { draft in
      for id in 0..<300 { try draft.insert(Owner(id: id, name: "\(id)")) }
    }
    return (store, faulty)
  }

  @Test(arguments: [FaultyStorage.Step.apply, .commit])
  func `S1: what it deleted keeps its place, and later objects don't take it`(
    _ step: FaultyStorage.Step
  ) throws {
    let (store, faulty) = try makeStore()
    faulty.fail(at: step)
    #expect(throws: FaultyStorage.Fault()) {
      try store.commit { draft in
        for id in 0..<200 { try draft.delete(Owner.self, id) }
        for id in 1000..<1010 { try draft.insert(Owner(id: id, name: "lost")) }
      }
    }
    #expect(try store.count(Query<Owner>()) == 300)
    try store.commit { draft in
      for id in 300..<350 { try draft.insert(Owner(id: id, name: "\(id)")) }
    }
    #expect(try store.all(Owner.self).map(\.id) == Array(0..<350))
    for id in 0..<350 { expectEqual(try store.find(Owner.self, id)?.name, "\(id)") }
  }

  @Test(arguments: [FaultyStorage.Step.apply, .commit])
  func `S1: the places of its inserted objects are used again`(_ step: FaultyStorage.Step) throws {
    let (store, faulty) = try makeStore()
    try store.commit { draft in
      for id in 0..<300 where id % 3 == 0 { try draft.delete(Owner.self, id) }
    }
    for round in 0..<5 {
      faulty.fail(at: step)
      #expect(throws: FaultyStorage.Fault()) {
        try store.commit { draft in
          for id in 300..<600 { try draft.insert(Owner(id: id, name: "lost \(round)")) }
          for id in 0..<300 where id % 3 == 1 { try draft.delete(Owner.self, id) }
        }
      }
    }
    try store.commit { draft in
      for id in 300..<600 { try draft.insert(Owner(id: id, name: "\(id)")) }
    }
    let expected = (0..<600).filter { $0 >= 300 || $0 % 3 != 0 }
    #expect(try store.all(Owner.self).map(\.id) == expected)
    for id in expected { expectEqual(try store.find(Owner.self, id)?.name, "\(id)") }
  }

  @Test func `S5: more than a hundred changes aren't applied while readers wait`() throws {
    let storage = InMemoryStorage()
    _ = try storage.open([Owner.schema.entity])
    for (count, waits) in [(100, true), (101, false)] {
      let transaction = try #require(try storage.begin() as? MemoryTransaction)
      let changes = (0..<count).map { id in
        ObjectChange(id: .integer(Int64(id)), old: nil, new: EntityRow(Owner(id: id)))
      }
      try transaction.apply(NetChanges(changes))
      // Changes that still wait are applied under the readers' lock, when they are published.
      let isWaiting = transaction.waiting != nil
      #expect(isWaiting == waits, "\(count) changes")
      transaction.rollBack()
    }
  }
}
