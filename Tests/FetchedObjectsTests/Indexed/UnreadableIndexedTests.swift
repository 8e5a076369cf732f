import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import TestSupport
import Testing

private func path(_ row: Int) -> ListPath { ListPath(section: 0, row: row) }

@Suite struct `Index-only lists with rows that can't be read` {
  @Test func `F7: such a row is an error of its own, and not of the others of its batch`() throws {
    let store = try TestStorage.file.makeStore(Lift.self)
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<100).map { Lift(id: $0, level: Level($0 == 50 ? 99 : 1)) })
    }
    let model = try IndexedObjectsModel(Query<Lift>(), in: store, batchSize: 50)
    for row in [0, 49, 51, 99] { #expect(try model.object(at: path(row))?.id == row) }
    #expect(try model.id(at: path(60)) == 60)
    #expect(throws: Lift.unreadable(50, level: 99)) { try model.object(at: path(50)) }
  }

  @Test(arguments: [false, true])
  func `F2, F7: an included sum beyond Int updates its row, and no other`(
    _ isSectioned: Bool
  ) throws {
    let store = try TestStorage.memory.makeLeague()
    try store.commit { draft in
      try draft.insert(League(id: 1, name: "A"))
      for id in 1...3 {
        try draft.insert(Team(id: id, name: "team \(id)", league: Ref(1)))
        for player in [id, 10 + id] {
          try draft.insert(Player(id: player, name: "", score: 1, rating: nil, team: Ref(id)))
        }
      }
    }
    var query = Query<Team>().including { $0.players.sum { $0.score } }
    if isSectioned { query = query.sectioned { $0.league.name } }
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    let errors = Recorder(model.errors)
    try store.commit { try $0.update(Player.self, 1) { $0.score = .max } }
    try store.commit { try $0.update(Team.self, 2) { $0.name = "other" } }
    try store.commit { try $0.update(Team.self, 1) { $0.name = "first" } }
    #expect(throws: StoreError.overflow(entity: "Player")) { try model.object(at: path(0)) }
    #expect(try model.object(at: path(1))?.name == "other")
    try store.commit { try $0.update(Player.self, 1) { $0.score = 2 } }
    #expect(events.values.map { $0.changes.updates.map(\.old.row) } == [[0], [1], [0], [0]])
    #expect(events.values.allSatisfy { $0.changes.count == 1 })
    #expect(errors.values.isEmpty && model.error == nil)
    #expect(try model.view(at: path(0))?.players.sum { $0.score } == 3)
  }

  @Test func `F2, F7: an included value that comes or goes beyond Int is an update`() throws {
    let store = try TestStorage.memory.makeLeague()
    try store.commit { try $0.insert(Team(id: 1, name: "", league: nil)) }
    let query = Query<Team>().including { $0.players.average { $0.score } }
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    // The average is nil before and after.
    try store.commit { draft in
      for (id, score) in [(1, Int.max), (2, 1)] {
        try draft.insert(Player(id: id, name: "", score: score, rating: nil, team: Ref(1)))
      }
    }
    try store.commit { draft in for id in 1...2 { try draft.delete(Player.self, id) } }
    #expect(events.values.map(\.changes.updates.count) == [1, 1])
    #expect(model.error == nil)
  }
}
