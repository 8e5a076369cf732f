import EntityStore
import FetchedObjects
import Fixtures
import SignalboxTesting
import TestSupport
import Testing

@Suite struct `An observed object that includes computed values` {
  @Test(arguments: TestStorage.withServer)
  func `F8: follows what they are made of, and nothing else`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Depot.self, Crew.self, Mate.self)
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Crew(id: id, rank: id, depot: nil)) }
      try draft.insert(Mate(id: 1, grade: 3, crew: Ref(1)))
    }
    let mate = try ObservedEntity<Mate>(1, in: store) {
      $0.crew.rank * 10 - $0.grade
      $0.grade > $0.crew.rank
      $0.crew.mates.count + 1
    }
    func values() -> [Int?] {
      let view = mate.view
      return [
        view.computed { $0.crew.rank * 10 - $0.grade },
        view.computed { $0.grade > $0.crew.rank } ? 1 : 0,
        view.computed { $0.crew.mates.count + 1 },
      ]
    }
    let events = Recorder(mate.didChange)
    #expect(values() == [7, 1, 2])
    try store.commit { try $0.update(Crew.self, 1) { $0.rank = 4 } }
    #expect(values() == [37, 0, 2])
    try store.commit { try $0.insert(Mate(id: 2, grade: 9, crew: Ref(1))) }
    #expect(values() == [37, 0, 3])
    try store.commit { try $0.update(Mate.self, 1) { $0.crew = Ref(2) } }
    #expect(values() == [17, 1, 2])
    #expect(events.values.count == 3)
    try store.commit { try $0.update(Crew.self, 1) { $0.rank = 5 } }
    try store.commit { try $0.update(Mate.self, 2) { $0.grade = 1 } }
    #expect(events.values.count == 3)
    try store.commit { try $0.update(Mate.self, 1) { $0.crew = nil } }
    #expect(values() == [nil, 0, 1])
  }

  @Test func `F5: whatever a row includes is read by the same expression`() throws {
    let store = try TestStorage.memory.makeStore(Depot.self, Crew.self, Mate.self)
    try store.commit { draft in
      try draft.insert(Crew(id: 1, rank: 7, depot: nil))
      try draft.insert(Mate(id: 1, grade: 3, crew: Ref(1)))
    }
    let mates = try FetchedObjectsModel(
      Query<Mate>().including {
        $0.grade
        $0.crew.rank
        $0.crew.mates.count
        $0.grade > 2
      }, in: store)
    let row = mates.snapshot.rows[0]
    #expect(row.computed { $0.grade } == 3)
    #expect(row.computed { $0.crew.rank } == 7)
    #expect(row.computed { $0.crew.mates.count } == 1)
    #expect(row.crew?.mates.count == 1)
    #expect(row.computed { $0.grade > 2 })
  }
}
