import EntityStore
import Fixtures
import TestSupport
import Testing

/// An object whose id has parts, and can be stored as one value, too.
private struct Bunk: Entity {
  let id: DeckNumber
  var side = 0
  static let attributes = Attributes(
    .id(\Bunk.id, DeckNumber.init(deck:number:), .part("deck", \.deck), .part("number", \.number)),
    .attribute("side", \.side))
  static let schema = Schema(attributes, Bunk.init, rules: [.unique(\.side, \.id)])
}

private struct Sleeper: Entity {
  let id: Int
  var bunk: Ref<Bunk>?
  var lastBunk: DeckNumber
  static let attributes = Attributes(
    .id(\Sleeper.id), .one("bunk", \.bunk, inverse: \.sleepers),
    .attribute("lastBunk", \.lastBunk))
  static let schema = Schema(attributes, Sleeper.init)
}

extension Bunk {
  var sleepers: Many<Bunk, Sleeper> { Many(\.bunk) }
}

@Suite struct `A whole id that is storable, too` {
  @Test(arguments: TestStorage.withServer)
  func `S4: a key that contains the id finds its object`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Bunk.self, Sleeper.self)
    let id = DeckNumber(deck: 1, number: 2)
    func check(_ reading: borrowing some StoreReading & ~Copyable) throws {
      expectEqual(try reading.find(Bunk.self, by: (\.side, 7), (\.id, id))?.id, id)
      expectEqual(try reading.find(Bunk.self, by: (\.id, id), (\.side, 7))?.id, id)
      expectEqual(try reading.find(Bunk.self, by: (\.side, 8), (\.id, id))?.id, nil)
    }
    try store.commit { draft in
      try draft.insert(Bunk(id: id, side: 7))
      try draft.insert(Bunk(id: DeckNumber(deck: 2, number: 1), side: 7))
      try check(draft)
    }
    try check(store)
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: the values of an attribute that has such an id are read`(_ storage: TestStorage) throws
  {
    let store = try storage.makeStore(Bunk.self, Sleeper.self)
    let (one, other) = (DeckNumber(deck: 1, number: 2), DeckNumber(deck: 2, number: 1))
    try store.commit { draft in
      try draft.insert(Bunk(id: one))
      try draft.insert(Sleeper(id: 1, bunk: Ref(one), lastBunk: other))
      try draft.insert(Sleeper(id: 2, bunk: nil, lastBunk: other))
    }
    let all = Query<Sleeper>()
    let last = try store.counts(of: all) { $0.lastBunk }
    #expect(last.map(\.value) == [other] && last.map(\.count) == [2])
    let now = try store.counts(of: all) { $0.bunk }
    #expect(now.map(\.value) == [nil, Ref(one)] && now.map(\.count) == [1, 1])
    #expect(try store.count(all.filter { $0.bunk.id.isNil }) == 1)
  }

  @Test(arguments: mistakes)
  func `S6: a query that names it as one value traps, and names the parts`(
    _ mistake: Mistake
  ) async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [name = mistake.name as String] in
      try mistakes.first { $0.name == name }?.make()
    }
    trap.expectMessage(mistake.words)
  }
}

private let advice = "Bunk.id has parts, and a query names it as one value; name its parts"

private let mistakes: [Mistake] = [
  Mistake("counts by the id", advice) {
    let store = try Store(.inMemory, entities: [Bunk.self, Sleeper.self])
    _ = try store.counts(of: Query<Bunk>()) { $0.id }
  },
  Mistake("the least id", advice) {
    let store = try Store(.inMemory, entities: [Bunk.self, Sleeper.self])
    _ = try store.min(of: Query<Bunk>()) { $0.id }
  },
  Mistake("ids of a path in a comparison with an attribute", advice) {
    _ = Query<Sleeper>().filter { $0.bunk.id == $0.lastBunk }
  },
  Mistake("the id in an order of its own", advice) {
    let order = ValueComparator<DeckNumber>("deck") { $0.deck < $1.deck }
    _ = Query<Bunk>().sorted { [$0.id.ascending(by: order)] }
  },
]
