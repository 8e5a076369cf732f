@_spi(Storage) @_spi(Inspection) @testable import EntityStore
import TestSupport
import Testing

private struct Room: Entity {
  let id: Int
  static let attributes = Attributes(.id(\Room.id))
  static let schema = Schema(attributes, Room.init)
}

private struct Message: Entity {
  let id: Int
  var room: Ref<Room>
  var sent: Int
  var serial: Int
  var url: String
  var state: String
  var isRead: Bool
  var read: Int?
  static let attributes = Attributes(
    .id(\Message.id), .one("room", \.room, inverse: \.messages), .attribute("sent", \.sent),
    .attribute("serial", \.serial), .attribute("url", \.url), .attribute("state", \.state),
    .attribute("isRead", \.isRead), .attribute("read", \.read))
  static let schema = Schema(
    attributes, Message.init,
    rules: [
      .unique(\.serial), .unique(\.state, \.serial), .index(\.room, \.sent), .index(\.url),
      .index(\.isRead), .index(\.read), .fullText(\.url),
    ])
}

extension Room { fileprivate var messages: Many<Room, Message> { Many(\.room) } }

@Suite struct `A store in memory takes the shortest way to its rows` {
  private let store: Store

  init() throws {
    store = try Store(.inMemory, entities: [Room.self, Message.self])
    try store.commit { draft in
      for id in 1...2 { try draft.insert(Room(id: id)) }
      for id in 0..<2000 {
        try draft.insert(
          Message(
            id: id, room: Ref(id % 4 == 0 ? 1 : 2), sent: id, serial: 5000 - id,
            url: "https://example.org/\(id)", state: "s\(id % 50)", isRead: id % 20 != 0,
            read: id % 100 == 0 ? id : nil))
      }
    }
  }

  private func visits(_ query: Query<Message>) throws -> String {
    try query.plan(in: store).steps.joined(separator: "; ")
  }

  @Test func `Lists of ids are looked up, and lists of values by an index, however long`() throws {
    let all = Query<Message>()
    expectEqual(
      try visits(all.filter { $0.id.in([1, 2, 2, 9999]) }),
      "through 2 of 2000 objects, by their ids")
    #expect(try store.fetch(all.filter { $0.id.in([1, 2, 2, 9999]) }).map(\.id) == [1, 2])
    expectEqual(
      try visits(all.filter { $0.serial.in(Array(0..<60)) }),
      "through 0 of 2000 objects, by an index")
    // As many look-ups take longer than a visit of all rows.
    expectEqual(
      try visits(all.filter { $0.serial.in(Array(0..<1000)) }), "through all 2000 objects")
  }

  @Test func `The first attributes of an index are enough, and a range of the next`() throws {
    let all = Query<Message>()
    expectEqual(
      try visits(all.filter { $0.state == "s7" }), "through 40 of 2000 objects, by an index")
    let recent = all.filter {
      $0.room == Ref(1)
      $0.sent >= 1900
      $0.sent < 1950
    }
    expectEqual(try visits(recent), "through 13 of 2000 objects, by an index")
    #expect(try store.fetch(recent).map(\.id) == stride(from: 1900, to: 1950, by: 4).map(\.self))
    expectEqual(
      try visits(
        all.filter {
          $0.room.id == 1
          $0.sent > 1990
        }), "through 2 of 2000 objects, by an index")
  }

  @Test func `Of several keys, that with the fewest rows is taken`() throws {
    let all = Query<Message>()
    expectEqual(
      try visits(
        all.filter {
          $0.room == Ref(1)
          $0.serial == 4992
        }), "through 1 of 2000 objects, by an index")
    expectEqual(
      try visits(
        all.filter {
          $0.room == Ref(1)
          $0.read > 1850
        }), "through 1 of 2000 objects, by an index")
    expectEqual(
      try visits(all.filter { $0.room == Ref(1) }.matching("1996")),
      "through 1 of 2000 objects, by the index of words")
  }

  @Test func `Truths, values that are there, beginnings and chains find by an index`() throws {
    let all = Query<Message>()
    expectEqual(
      try visits(all.filter { !$0.isRead }), "through 100 of 2000 objects, by an index")
    // Most are read.
    expectEqual(try visits(all.filter { $0.isRead }), "through all 2000 objects")
    expectEqual(
      try visits(all.filter { $0.read != nil }), "through 20 of 2000 objects, by an index")
    expectEqual(
      try visits(all.filter { $0.url.hasPrefix("https://example.org/19") }),
      "through 111 of 2000 objects, by an index")
    expectEqual(
      try visits(all.filter { $0.serial == 5000 || $0.serial == 4999 || $0.serial.in([1, 4998]) }),
      "through 3 of 2000 objects, by an index")
  }

  /// Returns the number of rows that a fetch of the first two in an order tests.
  private func tested(_ key: SortKey, where condition: QueryExpression? = nil) throws -> Int {
    let count = Counter()
    let entity = Message.schema.entity
    let counting = CustomComputation(name: "counted", identity: 1) {
      count.add()
      return $0
    }
    var query = QueryDescription(entity: entity)
    let all = QueryExpression.comparison(
      .greaterOrEqual, .computed(.custom(counting), [.column(0, of: entity)]),
      .constant(.integer(0)))
    query.filter = condition.map { .and([$0, all]) } ?? all
    query.orderings = [key]
    query.limit = 2
    let first = query
    let rows = try store.withStorageReader { try $0.rows(FetchPlan(first)) }
    let counted = count.value
    query.limit = nil
    let everything = query
    let expected = try store.withStorageReader { try $0.rows(FetchPlan(everything)).prefix(2) }
    #expect(rows.map(\.id) == expected.map(\.id))
    return counted
  }

  @Test func `The first rows of an order are found where its index begins or ends`() throws {
    let entity = Message.schema.entity
    func key(_ name: String, ascending: Bool) throws -> SortKey {
      let column = try #require(entity.columns.firstIndex { $0.name == name })
      return SortKey(
        .column(column, of: entity), isAscending: ascending, nilsFirst: ascending)
    }
    // Texts that begin alike, an attribute that may be nil, and the second attribute of an index.
    for (name, ascending) in [("url", true), ("url", false), ("read", false)] {
      let visited = try tested(key(name, ascending: ascending))
      #expect(visited <= 3, "\(name) \(ascending): \(visited)")
    }
    let room = try #require(entity.columns.firstIndex { $0.name == "room" })
    let inRoom = QueryExpression.comparison(
      .equal, .column(room, of: entity), .constant(.integer(2)))
    for ascending in [true, false] {
      let visited = try tested(key("sent", ascending: ascending), where: inRoom)
      #expect(visited <= 3, "sent \(ascending): \(visited)")
    }
    // Rows without the value come first, so all have to be looked at.
    #expect(try tested(key("read", ascending: true)) == 2000)
    // The index ends before enough rows are found.
    let rare = QueryExpression.comparison(
      .less, .column(0, of: entity), .constant(.integer(50)))
    #expect(try tested(key("read", ascending: false), where: rare) >= 50)
  }

  @Test func `An index is also taken when most rows have been deleted`() throws {
    try store.commit { draft in
      for id in 0..<2000 where id >= 8 { try draft.delete(Message.self, id) }
    }
    expectEqual(
      try visits(Query<Message>().filter { $0.serial >= 4999 }),
      "through 2 of 8 objects, by an index")
  }
}
