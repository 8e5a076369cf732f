@_spi(Storage) import EntityStore
@_spi(Inspection) @testable import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Relays
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `Windows beside rows that can't be read` {
  private static let sums = Query<Team>().including { $0.players.sum { $0.score } }
  private let overflow = StoreError.overflow(entity: "Player")

  /// Returns a store of 200 teams.
  ///
  /// The first three, and each tenth, have no players, so that they can be deleted.
  private func makeStore(_ storage: TestStorage = .memory) throws -> Store {
    let store = try storage.makeLeague()
    try store.commit { draft in
      for id in 1...200 {
        try draft.insert(Team(id: id, name: "team \(id)", league: nil))
        if id > 3, id % 10 != 9 { try draft.insert(player(id, 1, of: id)) }
      }
    }
    return store
  }

  private func player(_ id: Int, _ score: Int, of team: Int) -> Player {
    Player(id: id, name: "", score: score, rating: nil, team: Ref(team))
  }

  /// Makes the sum of a team's scores greater than `Int`.
  private func overfill(_ team: Int, in store: Store) throws {
    try store.commit { draft in
      try draft.insert(player(1000 + team, .max, of: team))
      try draft.insert(player(2000 + team, 1, of: team))
    }
  }

  private func rename(_ teams: Int..., in store: Store) throws {
    try store.commit { draft in
      for id in teams { try draft.update(Team.self, id) { $0.name += " again" } }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: a window opens beside a sum beyond Int, and follows commits`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    for id in [2, 199] { try overfill(id, in: store) }
    let first = try FetchedObjectsModel(Self.sums.limit(1), in: store)
    let last = try FetchedObjectsModel(Self.sums.last(1), in: store)
    let events = [first, last].map { Recorder($0.didChange) }
    for id in [1, 200] { try rename(id, in: store) }
    for event in events { #expect(event.values.map(\.changes.updates.count) == [1]) }
    #expect(first.error == nil && last.error == nil)
    // It is an error where it is shown.
    #expect(throws: overflow) { try first.setWindow(offset: 0, limit: 2) }
    #expect(first.fetchedObjects.map(\.id) == [1])
    #expect(throws: overflow) { try FetchedObjectsModel(Self.sums.limit(2), in: store) }
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: windows stay exact when a sum that none of them shows goes beyond Int`(
    _ storage: TestStorage
  ) throws {
    let store = try makeStore(storage)
    let small = try FetchedObjectsModel(Self.sums.limit(1), in: store)
    let large = try FetchedObjectsModel(Self.sums.limit(20, offset: 5), in: store)
    #expect(store.liveResults.map(\.kind) == [.nearRows])
    let events = [small, large].map { Recorder($0.didChange) }
    try overfill(30, in: store)
    #expect(events.allSatisfy { $0.values.isEmpty })
    #expect(small.keptRows == 25 && large.snapshot.totalCount == 200)
    try rename(1, 10, in: store)
    for event in events { #expect(event.values.map(\.changes.updates.count) == [1]) }
    // A window that needs more of the rows gets others.
    try small.setWindow(offset: 0, limit: 26)
    #expect(small.fetchedObjects.map(\.id) == Array(1...26))
    #expect(throws: overflow) { try small.setWindow(offset: 0, limit: 30) }
    try store.commit { try $0.delete(Team.self, 1) }
    #expect(small.fetchedObjects.map(\.id) == Array(2...27))
    #expect(large.fetchedObjects.map(\.id) == Array(7...26))
    #expect(large.keptRows == 25 && large.snapshot.totalCount == 199)
    // Once all can be read, there is a reserve again.
    try store.commit { try $0.delete(Player.self, 1030) }
    try store.commit { try $0.delete(Team.self, 2) }
    #expect(large.fetchedObjects.map(\.id) == Array(8...27))
    #expect(large.keptRows == 128)
    #expect(small.error == nil && large.error == nil)
  }

  @Test func `F7: a request whose rows a commit drops just then gets others`() throws {
    let store = try makeStore()
    let follower = try ResultFollower(
      Self.sums.limit(10).description, in: store, delivery: .immediate, policy: nil,
      FollowerReceiver())
    var calls = 0
    try follower.setQuery(
      Self.sums.limit(20).description,
      unless: {
        calls += 1
        // The rows that the follower has are found to be enough, and aren't shown yet.
        if calls == 2 { try? overfill(60, in: store) }
        return false
      }, noting: {})
    #expect(calls == 2)
    #expect(throws: overflow) { try FetchedObjectsModel(Self.sums.limit(60), in: store) }
    #expect(follower.shown.count == 20 && follower.shown.totalCount == 200)
    try store.commit { try $0.delete(Team.self, 1) }
    let ids = (0..<20).map { follower.shown.row($0).id }
    #expect(ids == (Int64(2)...21).map { StoredValue.integer($0) })
  }

  @Test func `F7: a row before a window is an error of it until its next request`() throws {
    let store = try makeStore()
    let model = try FetchedObjectsModel(Self.sums.limit(20, offset: 5), in: store)
    try overfill(4, in: store)
    #expect(model.error as? StoreError == overflow)
    try model.setWindow(offset: 10, limit: 20)
    #expect(model.error == nil && model.fetchedObjects.map(\.id) == Array(11...30))
    let events = Recorder(model.didChange)
    try rename(12, in: store)
    #expect(model.error == nil && events.values.map(\.changes.updates.count) == [1])
  }

  @Test func `F11: a sum beyond Int that a window shows is an error until it can be read`() throws {
    let store = try makeStore()
    let model = try FetchedObjectsModel(Self.sums.limit(1), in: store)
    let events = Recorder(model.didChange)
    try overfill(1, in: store)
    #expect(model.error as? StoreError == overflow)
    #expect(model.fetchedObjects.map(\.id) == [1] && events.values.isEmpty)
    try store.commit { try $0.delete(Player.self, 1001) }
    #expect(model.error == nil && events.values.map(\.changes.updates.count) == [1])
    #expect(model.snapshot.rows[0].players.sum { $0.score } == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `F7: a window around a row is exact beside sums beyond Int`(_ storage: TestStorage) throws {
    let store = try makeStore(storage)
    let model = try FetchedObjectsModel(Self.sums.limit(0), in: store)
    try model.setWindow(around: 100, before: 2, after: 2)
    let events = Recorder(model.didChange)
    for id in [90, 110] { try overfill(id, in: store) }
    #expect(events.values.isEmpty && model.keptRows == 5)
    #expect(model.snapshot.rowsBefore == 97 && model.snapshot.totalCount == 200)
    try rename(101, in: store)
    #expect(events.values.map(\.changes.updates.count) == [1])
    try store.commit { try $0.delete(Team.self, 99) }
    #expect(events.values.count == 2)
    #expect(model.fetchedObjects.map(\.id) == [97, 98, 100, 101, 102])
    #expect(model.snapshot.rowsBefore == 96 && model.snapshot.totalCount == 199)
    // The rows beside the window can't be read when it is set, either.
    for id in [147, 153] { try overfill(id, in: store) }
    try model.setWindow(around: 150, before: 2, after: 2)
    #expect(model.fetchedObjects.map(\.id) == Array(148...152))
    #expect(model.snapshot.rowsBefore == 146 && model.snapshot.rowsAfter == 48)
    try model.setWindow(around: 154, before: 0, after: 1)
    #expect(model.fetchedObjects.map(\.id) == [154, 155])
    #expect(model.snapshot.rowsBefore == 152 && model.snapshot.rowsAfter == 45)
    #expect(throws: overflow) { try model.setWindow(around: 154, before: 1, after: 1) }
    #expect(model.windowAnchor == 154 && model.error == nil)
  }

  @Test func `P5, F7: an unreadable value is no error of a window that doesn't show it`() throws {
    let path = temporaryPath("lifts")
    func open() throws -> Store {
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none), entities: [Lift.self])
    }
    let (here, there) = (try open(), try open())
    try here.commit { draft in
      try draft.insert(contentsOf: (0..<100).map { Lift(id: $0, level: Level(1)) })
    }
    let query = Query<Lift>().limit(10)
    let before = try FetchedObjectsModel(query, in: here)
    try there.commit { try $0.update(Lift.self, 50) { $0.level = Level(99) } }
    try here.refresh()
    let after = try FetchedObjectsModel(query, in: here)
    let events = [before, after].map { Recorder($0.didChange) }
    try here.commit { try $0.update(Lift.self, 5) { $0.level = Level(2) } }
    for event in events { #expect(event.values.map(\.changes.updates.count) == [1]) }
    #expect(before.error == nil && after.error == nil)
    #expect(before.snapshot.totalCount == 100 && after.snapshot.totalCount == 100)
    for model in [before, after] {
      #expect(throws: Lift.unreadable(50, level: 99)) {
        try model.setWindow(offset: 45, limit: 10)
      }
      #expect(model.fetchedObjects.map(\.id) == Array(0..<10))
    }
  }
}
