import EntityStore
import Fixtures
import ListFixtures
import TestSupport
import Testing

@Suite struct `Sums of related objects in a draft` {
  @Test(arguments: TestStorage.withServer)
  func `S7: a draft that mends a sum beyond Int can be asked about it`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeLeague()
    try store.commit { draft in
      try draft.insert(League(id: 1, name: "A"))
      for id in 1...2 { try draft.insert(Team(id: id, name: "\(id)", league: Ref(1))) }
      for (id, score, team) in [(1, 10, 1), (2, 20, 1), (3, 5, 2)] {
        try draft.insert(Player(id: id, name: "", score: score, rating: nil, team: Ref(team)))
      }
    }
    let scored = Query<Team>().filter { $0.players.sum { $0.score } > 0 }
    for id in [1, 3] { try store.commit { try $0.update(Player.self, id) { $0.score = .max } } }
    #expect(throws: StoreError.self) { try store.fetch(scored) }
    try store.commit { draft in
      try draft.update(Player.self, 1) { $0.score = 1 }
      let found = try draft.fetch(scored).map(\.id)
      let count = try draft.count(scored)
      #expect(found == [1, 2] && count == 2)
    }
    // An object that the draft has deleted has no sum.
    try store.commit { try $0.update(Player.self, 1) { $0.score = .max } }
    try store.commit { draft in
      try draft.update(Player.self, 1) { $0.team = Ref(2) }
      try draft.update(Player.self, 3) { $0.team = nil }
      try draft.delete(Team.self, 1)
      let found = try draft.fetch(scored).map(\.id)
      #expect(found == [2])
    }
  }
}
