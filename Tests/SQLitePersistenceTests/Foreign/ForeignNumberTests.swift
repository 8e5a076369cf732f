import EntityStore
import FetchedObjects
import ListDiffing
import SQLitePersistence
import TestSupport
import Testing

private struct Player: Entity {
  let id: Int
  var points: Int
  static let attributes = Attributes(.id(\Player.id), .attribute("points", \.points))
  static let schema = Schema(attributes, Player.init)
}

private struct Match: Entity {
  let id: Int
  var winner: Ref<Player>?
  static let attributes = Attributes(
    .id(\Match.id), .one("winner", \.winner, inverse: \.matches))
  static let schema = Schema(attributes, Match.init)
}

extension Player { fileprivate var matches: Many<Player, Match> { Many(\.winner) } }

private struct Prize: Entity {
  let id: Int
  var points: Int
  var match: Ref<Match>?
  static let attributes = Attributes(
    .id(\Prize.id), .attribute("points", \.points), .one("match", \.match, inverse: \.prizes))
  static let schema = Schema(attributes, Prize.init)
}

extension Match { fileprivate var prizes: Many<Match, Prize> { Many(\.match) } }

@Suite struct `Whole numbers in whose place another tool has written something else` {
  private let path = temporaryPath()

  private func open() throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none),
      entities: [Player.self, Match.self, Prize.self])
  }

  /// Makes tables that take values of any type, and fills them.
  private func prepare() throws {
    do { _ = try open() }
    try editSchema(
      path,
      [
        "UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') "
          + "WHERE name IN ('Player', 'Prize')"
      ])
    try open().commit { draft in
      for id in 1...20 { try draft.insert(Player(id: id, points: id)) }
      try draft.insert(Match(id: 1, winner: Ref(1)))
      try draft.insert(Prize(id: 1, points: 2, match: Ref(1)))
    }
  }

  @Test func `P6: a number that is computed from one with a fraction is an error, and no trap`()
    throws
  {
    try prepare()
    let store = try open()
    let included = Query<Match>().including { $0.winner.points + 1 }
    let aggregated = Query<Match>().aggregating { $0.winner.points * 2 }
    let greatest = Query<Match>().including { $0.prizes.max { $0.points - 1 } }
    #expect(
      try FetchedObjectsModel(included, in: store).snapshot.rows[0]
        .computed { $0.winner.points + 1 } == 2)
    #expect(try ListSnapshot(aggregated, in: store).max { $0.winner.points * 2 } == 2)
    #expect(try ListSnapshot(greatest, in: store).rows[0].prizes.max { $0.points - 1 } == 1)
    try edit(path, "UPDATE Player SET points = 2.5 WHERE id = 1", "UPDATE Prize SET points = 1.5")
    let error = #expect(throws: StoreError.self) {
      let matches = try FetchedObjectsModel(included, in: store)
      _ = matches.snapshot.rows[0].computed { $0.winner.points + 1 }
    }
    #expect(
      error
        == .unreadable(
          ObjectID(entityName: "Player", id: .null), attribute: "points", found: .real(3.5)))
    #expect(throws: StoreError.self) {
      _ = try ListSnapshot(aggregated, in: store).max { $0.winner.points * 2 }
    }
    #expect(throws: StoreError.self) {
      _ = try ListSnapshot(greatest, in: store).rows[0].prizes.max { $0.points - 1 }
    }
  }

  @Test(arguments: [true, false])
  func `F3, F7: a list that keeps only positions finds its rows, and inserts in order`(
    _ isAscending: Bool
  ) throws {
    try prepare()
    // More rows than numbers, so that each search meets one.
    try edit(
      path,
      """
      WITH RECURSIVE numbers (n) AS (SELECT 101 UNION ALL SELECT n + 1 FROM numbers WHERE n < 160)
      INSERT INTO Player (id, points) SELECT n, 'many' FROM numbers
      """, "INSERT INTO Player (id, points) VALUES (200, 2.5)")
    let store = try open()
    let query = Query<Player>()
      .sorted { [isAscending ? $0.points.ascending : $0.points.descending] }
    let model = try IndexedObjectsModel(query, in: store)
    let events = Recorder(model.didChange)
    #expect(model.count == 81)
    func place(_ row: Int) -> ListPath {
      ListPath(section: 0, row: isAscending ? row : model.count - 1 - row)
    }
    for id in 4...20 { expectEqual(try model.path(for: id), place(id), "\(id)") }
    #expect(try model.path(for: 1) == place(0))
    try store.commit { try $0.insert(Player(id: 21, points: 0)) }
    #expect(events.values.map(\.changes.inserts) == [[place(0)]])
    try store.commit { try $0.insert(Player(id: 22, points: 30)) }
    #expect(events.values.last?.changes.inserts == [place(22)])
    #expect(model.error == nil)
  }
}
