import EntityStore
import FetchedObjects
import Fixtures
import SignalboxTesting
import TestSupport
import Testing

private struct Cell: Entity {
  struct ID: CompositeID {
    var deck: String
    var number: Int
  }
  let id: ID
  static let attributes = Attributes(
    .id(\Cell.id, ID.init, .part("deck", \.deck), .part("number", \.number)))
  static let schema = Schema(attributes, Cell.init)
}

private struct Sleeper: Entity {
  let id: Int
  var cell: Ref<Cell>?
  static let attributes = Attributes(.id(\Sleeper.id), .one("cell", \.cell))
  static let schema = Schema(attributes, Sleeper.init)
}

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

  @Test(arguments: TestStorage.withServer)
  func `F5: an included part of an id is read by the same expression`(_ storage: TestStorage) throws
  {
    let store = try storage.makeStore(Cell.self, Sleeper.self)
    let id = Cell.ID(deck: "A", number: 1)
    try store.commit { draft in
      try draft.insert(Cell(id: id))
      try draft.insert(Sleeper(id: 1, cell: Ref(id)))
      try draft.insert(Sleeper(id: 2, cell: nil))
    }
    let sleepers = try FetchedObjectsModel(
      Query<Sleeper>().including { $0.cell.id.deck }, in: store)
    let rows = sleepers.snapshot.rows
    #expect(rows[0].computed { $0.cell.id.deck } == "A")
    #expect(rows[1].computed { $0.cell.id.deck } == nil)
    let cells = try FetchedObjectsModel(Query<Cell>().including { $0.id.number }, in: store)
    #expect(cells.snapshot.rows[0].computed { $0.id.number } == 1)
    let observed = try ObservedEntity<Sleeper>(1, in: store) { $0.cell.id.number }
    #expect(observed.view.computed { $0.cell.id.number } == 1)
  }
}
