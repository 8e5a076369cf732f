@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

private let longText = String(repeating: "long ", count: 50)

@Suite struct `Values of several related objects` {
  private func makeStore(_ storage: TestStorage = .memory) throws -> Store {
    let store = try storage.makeLeague()
    try store.commit { draft in
      try draft.insert(League(id: 1, name: "A"))
      for (id, name) in [(1, "Owls"), (2, "Bears"), (3, "Crabs")] {
        try draft.insert(Team(id: id, name: name, league: Ref(1)))
      }
      for (id, name, score, rating, team) in [
        (1, "Ann", 10, 1.5, 1), (2, "Bob", 20, 2.5, 1), (3, "Cid", 5, nil, 2),
        (4, "Dan", nil, 0.25, nil),
      ] as [(Int, String, Int?, Double?, Int?)] {
        try draft.insert(
          Player(id: id, name: name, score: score, rating: rating, team: team.map { Ref($0) }))
      }
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `S7, S8: they are conditions, orders and sections`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    func names(_ query: Query<Team>) throws -> [String] { try store.fetch(query).map(\.name) }
    let teams = Query<Team>()
    #expect(try names(teams.filter { $0.players.sum { $0.score } > 5 }) == ["Owls"])
    #expect(try names(teams.filter { $0.players.sum { $0.score } == 0 }) == ["Crabs"])
    #expect(try names(teams.filter { $0.players.max { $0.score } <= 5 }) == ["Bears"])
    #expect(try names(teams.filter { ($0.players.min { $0.score }).isNil }) == ["Crabs"])
    #expect(try names(teams.filter { $0.players.average { $0.score } == 15 }) == ["Owls"])
    #expect(try names(teams.filter { $0.players.average { $0.rating } == 2 }) == ["Owls"])
    #expect(try names(teams.filter { ($0.players.average { $0.rating }).isNil }).count == 2)
    #expect(
      try names(teams.sorted { [$0.players.sum { $0.rating }.descending] })
        == ["Owls", "Bears", "Crabs"])
    #expect(
      try names(teams.sorted { [$0.players.max { $0.name }.descending.nilsLast] })
        == ["Bears", "Owls", "Crabs"])
    #expect(
      try names(
        teams.filter { $0.players.filter { $0.score > 15 }.sum { $0.score } == 20 }) == ["Owls"])
    #expect(try names(teams.filter { $0.players.filter { $0.score > 5 }.isEmpty }).count == 2)
    #expect(
      try names(
        teams.filter { $0.players.filter { $0.score > 5 }.all { $0.rating > 1 } }
      ).count == 3)
    // Of the object that a reference names, and one over another.
    #expect(
      try store.fetch(Query<Player>().filter { $0.team.players.sum { $0.score } == 30 }).map(\.id)
        == [1, 2])
    #expect(
      try store.fetch(Query<Player>().filter { $0.team.players.sum { $0.score } == 0 }).map(\.id)
        == [4])
    #expect(
      try store.fetch(
        Query<League>().filter { $0.teams.max { $0.players.sum { $0.score } } == 30 }
      ).count == 1)
    let sectioned = try FetchedObjectsModel(
      teams.sectioned { $0.players.max { $0.score } }, in: store)
    #expect(sectioned.snapshot.sections.map(\.name) == ["", "5", "20"])
  }

  @Test(arguments: TestStorage.withServer)
  func `F5: rows that include them are updated when one of them changes, and not otherwise`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let teams = try FetchedObjectsModel(
      Query<Team>().sorted { [$0.name.ascending] }.including {
        $0.players.count
        $0.players.sum { $0.score }
        $0.players.filter { $0.rating > 2 }.count
        $0.players.values(by: { [$0.name.descending] }) { $0.name }
        $0.players.max { $0.rating }
      }, in: store)
    let events = Recorder(teams.didChange)
    let owls = { teams.snapshot.rows[2] }
    #expect(owls().players.count == 2)
    #expect(owls().players.sum { $0.score } == 30)
    #expect(owls().players.count { $0.rating > 2 } == 1)
    #expect(owls().players.values(by: { [$0.name.descending] }) { $0.name } == ["Bob", "Ann"])
    #expect(owls().players.max { $0.rating } == 2.5)
    #expect(teams.snapshot.rows[1].players.isEmpty)
    #expect(teams.snapshot.rows[1].players.max { $0.rating } == nil)

    try store.commit { try $0.update(Player.self, 1) { $0.score = 11 } }
    #expect(events.values.count == 1)
    #expect(events.values[0].changes.updates.map(\.old) == [ListPath(section: 0, row: 2)])
    #expect(owls().players.sum { $0.score } == 31)
    // A player without a team, and a value that nothing shows.
    try store.commit { try $0.update(Player.self, 4) { $0.score = 1 } }
    try store.commit { try $0.update(Player.self, 1) { $0.rating = 1.25 } }
    #expect(events.values.count == 1)
    // From one team to another.
    try store.commit { try $0.update(Player.self, 1) { $0.team = Ref(3) } }
    #expect(events.values.count == 2)
    #expect(events.values[1].changes.updates.count == 2)
    #expect(owls().players.values(by: { [$0.name.descending] }) { $0.name } == ["Bob"])
    #expect(teams.snapshot.rows[1].players.sum { $0.score } == 11)
  }

  @Test func `F5: they can be included of an object that a reference names`() throws {
    let store = try makeStore()
    let players = try FetchedObjectsModel(
      Query<Player>().including { $0.team.players.count }, in: store)
    #expect(players.snapshot.rows.map { $0.team?.players.count } == [2, 2, 1, nil])
    try store.commit { try $0.update(Player.self, 4) { $0.team = Ref(1) } }
    #expect(players.snapshot.rows.map { $0.team?.players.count } == [3, 3, 1, 3])
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: windows show them, and are updated`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let query = Query<Team>().sorted { [$0.name.ascending] }.limit(2, offset: 1).including {
      $0.players.sum { $0.score }
    }
    let window = try FetchedObjectsModel(query, in: store)
    let events = Recorder(window.didChange)
    #expect(window.snapshot.rows.map { $0.players.sum { $0.score } } == [0, 30])
    try store.commit { try $0.update(Player.self, 3) { $0.score = 6 } }
    #expect(events.values.isEmpty)
    try store.commit { try $0.update(Player.self, 3) { $0.team = Ref(3) } }
    #expect(window.snapshot.rows.map { $0.players.sum { $0.score } } == [6, 30])
    #expect(events.values.map { $0.changes.updates.count } == [1])
  }

  @Test(arguments: TestStorage.withServer)
  func `F5, F7: a window's included value may change while its order reads the same attribute`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let byMax = try FetchedObjectsModel(
      Query<Team>().sorted { [$0.players.max { $0.score }.descending] }.including {
        $0.players.sum { $0.score }
      }.limit(2), in: store)
    let byAge = try FetchedObjectsModel(
      Query<Player>().filter { $0.team.players.any { $0.score > 15 } }.including {
        $0.team.players.count
      }.limit(1), in: store)
    let events = Recorder(byMax.didChange)
    #expect(byMax.snapshot.rows.map { $0.players.sum { $0.score } } == [30, 5])
    #expect(byAge.snapshot.rows.map { $0.team?.players.count } == [2])
    try store.commit { try $0.update(Player.self, 1) { $0.score = 11 } }
    #expect(byMax.snapshot.rows.map { $0.players.sum { $0.score } } == [31, 5])
    #expect(events.values.map { $0.changes.updates.count } == [1])
    try store.commit {
      try $0.insert(Player(id: 9, name: "New", score: 0, rating: nil, team: Ref(1)))
    }
    #expect(byAge.snapshot.rows.map { $0.team?.players.count } == [3])
  }

  @Test func `F8: a deleted object stays deleted, whatever refers to it`() throws {
    struct Club: Entity {
      let id: Int
      var name: String
      static let attributes = Attributes(.id(\Club.id), .attribute("name", \.name))
      static let schema = Schema(attributes, Club.init)
      var fans: Many<Club, Fan> { Many(\.club) }
    }
    struct Fan: Entity {
      let id: Int
      var club: Ref<Club>?
      static let attributes = Attributes(
        .id(\Fan.id), .one("club", \.club, inverse: \.fans, lateBound: true))
      static let schema = Schema(attributes, Fan.init)
    }
    let store = try Store(.inMemory, entities: [Club.self, Fan.self])
    try store.commit { try $0.insert(Club(id: 1, name: "A")) }
    let club = try ObservedEntity<Club>(1, in: store) { $0.fans.count }
    try store.commit { try $0.delete(Club.self, 1) }
    let events = Recorder(club.didChange)
    try store.commit { try $0.insert(Fan(id: 1, club: Ref(1))) }
    #expect(club.isDeleted && events.values.isEmpty)
    try store.commit { try $0.insert(Club(id: 1, name: "B")) }
    #expect(!club.isDeleted && club.fans.count == 1 && events.values.count == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: infinities of both signs have no sum`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    try store.commit { draft in
      try draft.update(Player.self, 1) { $0.rating = .infinity }
      try draft.update(Player.self, 2) { $0.rating = -.infinity }
    }
    let teams = try FetchedObjectsModel(
      Query<Team>().sorted { [$0.players.sum { $0.rating }.ascending] }.including {
        $0.players.sum { $0.rating }
      }, in: store)
    #expect(teams.snapshot.rows.map(\.id) == [1, 2, 3])
    #expect(teams.snapshot.rows[0].players.sum { $0.rating }.isNaN)
    let none = Query<Team>().filter { ($0.players.sum { $0.rating }).isNil }
    #expect(try store.fetch(none).map(\.id) == [1])
    #expect(
      try store.fetch(Query<Team>().filter { ($0.players.average { $0.rating }).isNil }).count == 3)
    let events = Recorder(teams.didChange)
    try store.commit { try $0.update(Player.self, 1) { $0.score = 7 } }
    #expect(events.values.isEmpty)
  }

  @Test func `Rows are equal whatever the way to them`() throws {
    struct Port: Entity {
      let id: Int
      static let attributes = Attributes(.id(\Port.id))
      static let schema = Schema(attributes, Port.init)
      var arrivals: Many<Port, Trip> { Many(\.to) }
    }
    struct Trip: Entity {
      let id: Int
      var from: Ref<Port>?
      var to: Ref<Port>?
      static let attributes = Attributes(
        .id(\Trip.id), .one("from", \.from), .one("to", \.to, inverse: \.arrivals))
      static let schema = Schema(attributes, Trip.init)
    }
    let store = try Store(.inMemory, entities: [Port.self, Trip.self])
    try store.commit { draft in
      try draft.insert(Port(id: 1))
      try draft.insert(Trip(id: 1, from: Ref(1), to: Ref(1)))
    }
    let query = Query<Trip>().including {
      $0.from.arrivals.count
      $0.to.arrivals.count
    }
    let row = try ListSnapshot(query, in: store).rows[0]
    #expect(row.from != nil && row.from == row.to && row.from?.arrivals.count == 1)
  }

  @Test func `Rows are equal if they show equal values`() throws {
    let store = try makeStore()
    func rows(_ query: Query<Team>) throws -> [EntityView<Team>] {
      try ListSnapshot(query, in: store).rows
    }
    let counted = Query<Team>().including { $0.players.count }
    let before = try rows(counted)
    let maxima = try rows(Query<Team>().including { $0.players.max { $0.score } })
    #expect(try rows(counted) == before)
    #expect(before[0] != maxima[0])
    try store.commit { try $0.update(Player.self, 1) { $0.team = Ref(3) } }
    let after = try rows(counted)
    #expect(before[0] != after[0] && before[1] == after[1] && before[2] != after[2])
    #expect(try rows(Query<Team>()) == rows(Query<Team>()))
  }

  @Test func `F14: a feed has them by their names`() throws {
    let store = try makeStore()
    let teams = try FetchedObjectsModel(
      Query<Team>().including {
        $0.players.count
        $0.players.values { $0.name }
        $0.players.values(by: { [$0.name.descending] }) { $0.name }
        $0.players.filter { $0.name != longText + "1" }.count
        $0.players.filter { $0.name != longText + "2" }.count
      }, in: store)
    let page = teams.feed(after: nil)
    var list = FeedList<FeedValues>()
    try list.apply(page)
    let owls = try #require(list.sections.first?.rows.first?.content)
    #expect(owls["Team[Player.team].count"] == .integer(2))
    let names = owls["Team[Player.team].values { Player.name }"]
    #expect(names == .list([.text("Ann"), .text("Bob")]))
    let byName = owls["Team[Player.team].values(by: Player.name descending) { Player.name }"]
    #expect(byName == .list([.text("Bob"), .text("Ann")]))
    // The attributes of a team, and a value for each line.
    #expect(owls.values.count == 3 + 5)
  }

  @Test func `F5: a condition and an order of the objects are followed, too`() throws {
    let store = try makeStore()
    let teams = try FetchedObjectsModel(
      Query<Team>().including {
        $0.players.filter { $0.rating > 2 }.sum { $0.score }
        $0.players.values(by: { [$0.name.ascending] }) { $0.score }
      }, in: store)
    let owls = { teams.snapshot.rows[0] }
    #expect(owls().players.filter { $0.rating > 2 }.sum { $0.score } == 20)
    try store.commit { try $0.update(Player.self, 1) { $0.rating = 3 } }
    #expect(owls().players.filter { $0.rating > 2 }.sum { $0.score } == 30)
    #expect(owls().players.values(by: { [$0.name.ascending] }) { $0.score } == [10, 20])
    try store.commit { try $0.update(Player.self, 1) { $0.name = "Zoe" } }
    #expect(owls().players.values(by: { [$0.name.ascending] }) { $0.score } == [20, 10])
  }

  @Test func `F8, F11: observed objects of several inclusions recover from errors`() throws {
    let storage = ProbedStorage()
    let store = try Store(
      .custom { storage }, entities: [League.self, Team.self, Player.self])
    try store.commit { draft in
      try draft.insert(Team(id: 1, name: "Owls", league: nil))
      try draft.insert(Player(id: 1, name: "Ann", score: 1, rating: nil, team: Ref(1)))
    }
    let sum = try ObservedEntity<Team>(1, in: store) { $0.players.sum { $0.score } }
    let count = try ObservedEntity<Team>(1, in: store) { $0.players.count }
    #expect(sum.players.sum { $0.score } == 1 && count.players.count == 1)
    storage.isFailing.store(1)
    try store.commit { try $0.update(Player.self, 1) { $0.score = 2 } }
    #expect(sum.error != nil && sum.players.sum { $0.score } == 1)
    storage.isFailing.store(0)
    for score in 3...4 {
      try store.commit { try $0.update(Player.self, 1) { $0.score = score } }
      #expect(sum.error == nil && sum.players.sum { $0.score } == score)
    }
  }

  @Test func `S6: reading a value that isn't included traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStorage.memory.makeLeague()
      try store.commit { try $0.insert(Team(id: 1, name: "Owls", league: nil)) }
      let teams = try ListSnapshot(Query<Team>().including { $0.players.count }, in: store)
      _ = teams.rows[0].players.sum { $0.score }
    }
    let said = String(decoding: trap.standardErrorContent, as: UTF8.self)
    #expect(said.contains("Team[Player.team].sum { Player.score } isn't included"))
  }

  @Test func `Conditions that are always or never true`() throws {
    let store = try makeStore()
    #expect(try store.count(Query<Team>().filter { _ in .always }) == 3)
    #expect(try store.count(Query<Team>().filter { _ in .never }) == 0)
    #expect(try store.count(Query<Team>().filter { $0.id == 1 || .never }) == 1)
    #expect("\(Query<Team>().filter { _ in .never })" == "Team where false")
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: an observed object includes them`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let team = try ObservedEntity<Team>(1, in: store) {
      $0.players.sum { $0.score }
      $0.players.values { $0.name }
      $0.league.teams.count
    }
    let events = Recorder(team.didChange.map { event in event.after.players.sum { $0.score } })
    #expect(
      team.players.sum { $0.score } == 30 && team.players.values { $0.name } == ["Ann", "Bob"])
    #expect(team.league?.teams.count == 3)
    try store.commit { try $0.update(Player.self, 2) { $0.score = 21 } }
    #expect(events.values == [31])
    try store.commit { draft in
      try draft.update(Player.self, 3) { $0.score = 1 }
      try draft.update(Player.self, 1) { $0.rating = 9 }
    }
    #expect(events.values == [31])
    try store.commit { try $0.update(Player.self, 2) { $0.team = nil } }
    #expect(events.values == [31, 10])
    try store.commit { try $0.delete(Team.self, 3) }
    #expect(events.values == [31, 10, 10] && team.league?.teams.count == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `S6, F11: a sum beyond Int is an error, and the model keeps its result`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let model = try FetchedObjectsModel(
      Query<Team>().sorted { [$0.players.sum { $0.score }.ascending] }, in: store)
    let names = { model.fetchedObjects.map(\.name) }
    #expect(names() == ["Crabs", "Bears", "Owls"])
    try store.commit { try $0.update(Player.self, 1) { $0.score = .max } }
    #expect(model.error as? StoreError == .overflow(entity: "Player"))
    #expect(names() == ["Crabs", "Bears", "Owls"])
    #expect(throws: StoreError.overflow(entity: "Player")) {
      try store.fetch(Query<Team>().filter { $0.players.sum { $0.score } > 0 })
    }
    try store.commit { try $0.update(Player.self, 2) { $0.score = -1 } }
    #expect(model.error == nil && names().last == "Owls")
  }

  @Test func `A query is described with them`() {
    let query = Query<Team>()
      .filter { $0.players.filter { $0.score > 1 }.sum { $0.score } > 2 }
      .including { $0.players.values { $0.name } }
    #expect(
      "\(query)"
        == "Team where Team[Player.team].filter { Player.score > 1 }.sum { Player.score } > 2 "
        + "with Team[Player.team].values { Player.name }")
  }
}
