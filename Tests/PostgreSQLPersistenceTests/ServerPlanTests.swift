#if PostgreSQL
@_spi(Inspection) import EntityStore
import Fixtures
import PostgreSQLPersistence
import TestSupport
import Testing

private struct Post: Entity {
  let id: Int
  var sent: Double
  var due: Double?
  var deleted: Double?
  var isFlagged: Bool
  var title: String?
  var answers: Ref<Post>?
  static let attributes = Attributes(
    .id(\Post.id), .attribute("sent", \.sent), .attribute("due", \.due),
    .attribute("deleted", \.deleted), .attribute("isFlagged", \.isFlagged),
    .attribute("title", \.title), .one("answers", \.answers, lateBound: true))
  static let schema = Schema(
    attributes, Post.init,
    rules: [
      .index(\.sent), .index(\.due), .index(\.deleted), .index(\.isFlagged), .index(\.title),
    ])
}

@Suite struct `The plan of a query on a server` {
  private static let count = 10_000
  private let place: ToolPlace
  private let store: Store

  init() throws {
    place = try ToolPlace()
    store = try place.open([Post.self])
    try store.commit { draft in
      try draft.insert(
        contentsOf: (0..<Self.count).map { id in
          Post(
            id: id, sent: Double(id), due: id % 10 == 0 ? nil : Double(id),
            deleted: id % 500 == 0 ? Double(id) : nil, isFlagged: id % 1000 == 0,
            title: id % 7 == 0 ? nil : "tea \(id)",
            answers: id % 1000 == 1 ? nil : Ref(id % 300))
        })
    }
    #expect(place.psql(#"ANALYZE "Post""#))
  }

  private func expectIndex(
    _ query: Query<Post>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let plan = try query.plan(in: store)
    #expect(plan.isWhollySaid, "\(plan)", sourceLocation: sourceLocation)
    #expect(
      plan.steps.contains { $0.contains("Index") }, "\(plan)", sourceLocation: sourceLocation)
    #expect(
      !plan.steps.contains { $0.contains("Seq Scan") }, "\(plan)", sourceLocation: sourceLocation)
  }

  @Test func `S7: the first objects of an order are read along its index, in both directions`()
    throws
  {
    let all = Query<Post>()
    try expectIndex(all.limit(5))
    try expectIndex(all.last(5))
    try expectIndex(all.sorted { [$0.id.descending] }.limit(5))
    try expectIndex(all.sorted { [$0.sent.ascending] }.limit(5))
    try expectIndex(all.sorted { [$0.sent.descending] }.limit(5))
    try expectIndex(all.sorted { [$0.due.ascending] }.limit(5))
    try expectIndex(all.sorted { [$0.due.descending] }.limit(5))
    #expect(
      try store.fetch(all.sorted { [$0.sent.descending] }.limit(2)).map(\.id) == [9999, 9998])
    #expect(try store.fetch(all.sorted { [$0.due.ascending] }.limit(2)).map(\.id) == [0, 10])
    #expect(
      try store.fetch(all.sorted { [$0.due.descending] }.limit(2)).map(\.id) == [9999, 9998])
    let last = all.sorted { [$0.due.ascending.nilsLast] }.limit(2)
    #expect(try store.fetch(last).map(\.id) == [1, 2])
    let first = all.sorted { [$0.due.descending.nilsFirst] }.limit(2)
    #expect(try store.fetch(first).map(\.id) == [0, 10])
  }

  @Test func `S7: truths, nil and the start of a text are found by an index`() throws {
    let all = Query<Post>()
    try expectIndex(all.filter { $0.isFlagged })
    try expectIndex(all.filter { $0.deleted != nil })
    try expectIndex(all.filter { !$0.deleted.isNil })
    try expectIndex(all.filter { $0.answers.isNil })
    try expectIndex(all.filter { $0.title.hasPrefix("tea 12") })
    try expectIndex(all.filter { $0.title.hasPrefix("tea 12\u{10FFFF}") })
    #expect(try store.count(all.filter { $0.isFlagged }) == 10)
    #expect(try store.count(all.filter { !$0.isFlagged }) == 9990)
    #expect(try store.count(all.filter { $0.deleted != nil }) == 20)
    #expect(try store.count(all.filter { $0.answers.isNil }) == 10)
    #expect(try store.count(all.filter { $0.title.isNil }) == 1429)
    #expect(
      try store.fetch(all.filter { $0.title.hasPrefix("tea 12") }).map(\.id)
        == (0..<Self.count).filter { "\($0)".hasPrefix("12") && $0 % 7 != 0 })
    #expect(try store.count(all.filter { $0.title.hasPrefix("") }) == 8571)
    #expect(try store.count(all.filter { $0.title.hasPrefix("tea \0") }) == 0)
    #expect(try store.count(all.filter { $0.title.hasPrefix("\u{10FFFF}") }) == 0)
    // A server takes no NUL in a text, so there is no range.
    #expect(try all.filter { $0.title.hasPrefix("tea \0") }.plan(in: store).isWhollySaid)
  }

  /// Returns true if a store's last statement on the table has read a part of a cursor.
  private func readsInParts() -> Bool {
    place.psql(
      """
      SELECT 1 / (count(*) = 1)::int FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE relation = '"Post"'::regclass AND query LIKE 'FETCH %'
      """)
  }

  @Test func `S7: a search with a limit, and a count, don't keep all rows in memory`() throws {
    // The server can't ignore case.
    let all = Query<Post>().filter { $0.title.contains("TEA", ignoring: .case) }
    let rare = Query<Post>().filter { $0.title.hasSuffix("999", ignoring: .case) }
    try store.read { reader in
      expectEqual(try reader.fetch(all.limit(3)).map(\.id), [1, 2, 3])
      expectTrue(readsInParts(), "a search")
    }
    try store.read { reader in
      expectEqual(try reader.count(all), 8571)
      expectTrue(readsInParts(), "a count")
    }
    let expected = (0..<Self.count).filter { "\($0)".hasSuffix("999") && $0 % 7 != 0 }
    #expect(try store.fetch(rare.limit(9)).map(\.id) == Array(expected.prefix(9)))
    #expect(try store.fetch(rare.limit(3, offset: 2)).map(\.id) == Array(expected[2..<5]))
    #expect(try store.fetch(rare.limit(0)).isEmpty)
    #expect(try store.fetch(rare.limit(100)).map(\.id) == expected)
    #expect(try store.count(rare) == expected.count)
    // What a search has left unread is no part of what comes next.
    try store.commit { draft in
      expectEqual(try draft.fetch(all.limit(2)).map(\.id), [1, 2])
      try draft.update(Post.self, 1) { $0.title = nil }
      expectEqual(try draft.fetch(all.limit(2)).map(\.id), [2, 3])
    }
    #expect(try store.count(all) == 8570)
  }
}
#endif
