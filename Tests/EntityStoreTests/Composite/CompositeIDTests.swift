@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `An id of several parts works like any other id` {
  private static let decks = [
    "", "A", "a", "e\u{301}", "\u{E9}", "aaaaaaaa", "aaaaaaaab", "a\(nul)b",
  ]
  private static let numbers = [Int.min, -1, 0, 1, .max]
  private static let ids = decks.flatMap { deck in
    numbers.map { Cabin.ID(deck: deck, number: $0) }
  }

  @Test(.oneThread, arguments: TestStorage.withServer)
  func `S8: objects are found, changed and deleted by all parts of their ids`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeFerry()
    let ids = Self.ids
    try store.commit { draft in
      for (index, id) in ids.enumerated() { try draft.insert(Cabin(id: id, beds: index)) }
      for (index, id) in ids.enumerated() {
        expectEqual(try draft.find(Cabin.self, id)?.beds, index, "in the draft")
      }
    }
    for (index, id) in ids.enumerated() {
      let cabin = try #require(try store.find(Cabin.self, id))
      #expect(cabin.beds == index)
      #expect(ObjectID(cabin) == ObjectID(Cabin.self, id))
      #expect(try store.find(Ref<Cabin>(id))?.beds == index)
      try store.expectRefusal(.alreadyExists(ObjectID(cabin))) { try $0.insert(Cabin(id: id)) }
    }
    for missing in [Cabin.ID(deck: "b", number: 0), Cabin.ID(deck: "a", number: 2)] {
      #expect(try store.find(Cabin.self, missing) == nil)
      let missingName = ObjectID(Cabin.self, missing)
      try store.expectRefusal(.notFound(missingName)) { try $0.delete(Cabin.self, missing) }
      try store.expectRefusal(.notFound(missingName)) {
        try $0.update(Cabin.self, missing) { $0.beds = 1 }
      }
    }
    for (index, id) in ids.enumerated() where index % 2 == 0 {
      try store.commit { draft in try draft.update(Cabin.self, id) { $0.beds += 1000 } }
    }
    for (index, id) in ids.enumerated() where index % 3 == 0 {
      try store.commit { try $0.delete(Cabin.self, id) }
    }
    for (index, id) in ids.enumerated() {
      expectEqual(
        try store.find(Cabin.self, id)?.beds,
        index % 3 == 0 ? nil : index % 2 == 0 ? index + 1000 : index)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: objects are in the order of the first part, then the second`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeFerry()
    var generator = SeededGenerator(number: 1)
    try store.commit { draft in
      for id in Self.ids.shuffled(using: &generator) { try draft.insert(Cabin(id: id)) }
    }
    let sorted = Self.ids.sorted(by: Cabin.ID.precedes)
    func ids(_ query: Query<Cabin>) throws -> [Cabin.ID] { try store.fetch(query).map(\.id) }
    #expect(try ids(Query()) == sorted)
    #expect(try ids(Query().sorted { [$0.id.ascending] }) == sorted)
    #expect(try ids(Query().sorted { [$0.id.descending] }) == sorted.reversed())
    #expect(try ids(Query().sorted { [$0.beds.descending] }) == sorted)
    #expect(
      try ids(Query().sorted { [$0.id.number.descending, $0.id.deck.ascending] })
        == sorted.sorted { a, b in
          a.number == b.number ? Cabin.ID.precedes(a, b) : a.number > b.number
        })
    try store.commit { draft in
      try draft.delete(Cabin.self, sorted[3])
      try draft.insert(Cabin(id: Cabin.ID(deck: "a", number: 77)))
      let expected =
        (sorted[..<3] + sorted[4...] + [Cabin.ID(deck: "a", number: 77)])
        .sorted(by: Cabin.ID.precedes)
      #expect(try draft.fetch(Query<Cabin>()).map(\.id) == expected)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: queries read parts and whole ids`(_ storage: TestStorage) throws {
    let store = try storage.makeFerry()
    let ids = Self.ids.sorted(by: Cabin.ID.precedes)
    func expect(
      _ expected: (Cabin.ID) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
      @Condition<Cabin>.Builder _ condition: (Row<Cabin, Cabin>) -> Condition<Cabin>
    ) throws {
      let query = Query<Cabin>().filter(condition)
      let opposite = Query<Cabin>().filter { !condition($0) }
      func check(_ reading: borrowing some StoreReading & ~Copyable) throws {
        expectEqual(
          try reading.fetch(query).map { ObjectID($0) },
          ids.filter(expected).map { ObjectID(Cabin.self, $0) }, sourceLocation: sourceLocation)
        expectEqual(
          try reading.count(query), ids.count(where: expected), sourceLocation: sourceLocation)
        expectEqual(
          try reading.fetch(opposite).map { ObjectID($0) },
          ids.filter { !expected($0) }.map { ObjectID(Cabin.self, $0) }, "negated",
          sourceLocation: sourceLocation)
        expectEqual(
          try reading.count(opposite), ids.count { !expected($0) }, "negated",
          sourceLocation: sourceLocation)
      }
      try store.commit { draft in
        for id in Self.ids { try draft.upsert(Cabin(id: id)) }
        try check(draft)
      }
      try check(store)
      try store.commit { draft in
        try draft.delete(Cabin.self, ids[0])
        try draft.insert(Cabin(id: ids[0]))
        try draft.update(Cabin.self, ids[5]) { $0.beds += 1 }
        try check(draft)
      }
    }
    let one = Cabin.ID(deck: "e\u{301}", number: -1)
    let none = Cabin.ID(deck: "none", number: 0)
    try expect({ $0.number == 1 }) { $0.id.number == 1 }
    try expect({ $0.number > 0 }) { $0.id.number > 0 }
    try expect({ $0.deck.utf8.elementsEqual("\u{E9}".utf8) }) { $0.id.deck == "\u{E9}" }
    try expect({ $0.deck.utf8.starts(with: "a".utf8) }) { $0.id.deck.hasPrefix("a") }
    try expect({ $0.deck.utf8.elementsEqual(one.deck.utf8) && $0.number == -1 }) { $0.id == one }
    try expect({ !($0.deck.utf8.elementsEqual(one.deck.utf8) && $0.number == -1) }) {
      $0.id != one
    }
    try expect({ _ in false }) { $0.id == none }
    try expect({ _ in true }) { $0.id != none }
    try expect({ _ in false }) { $0.id.in([]) }
    try expect({ $0 == ids[2] || $0 == ids[9] }) { $0.id.in([none, ids[9], ids[2], ids[2]]) }
    try expect({ $0 == ids[2] || $0 == ids[9] }) { [none, ids[9], ids[2]].contains($0.id) }
    try expect({ [-1, 1].contains($0.number) }) { [-1, 1, 5].contains($0.id.number) }
    try expect({ (-1...0).contains($0.number) && $0.deck.isEmpty }) {
      $0.id.number.in(-1...0)
      $0.id.deck == ""
    }
    // Conditions are values too, which may be compared, looked for and be nil for nobody.
    try expect({ _ in false }) { (cabin: Row<Cabin, Cabin>) in (cabin.id != one).isNil }
    try expect({ _ in true }) { (cabin: Row<Cabin, Cabin>) in (cabin.id != one).in([true, false]) }
    try expect({ _ in false }) { (cabin: Row<Cabin, Cabin>) in (cabin.id == one).isNil }
    try expect({ ($0.number == 1) == !($0.deck.isEmpty && $0.number == 1) }) { cabin in
      (cabin.id.number == 1) == (cabin.id != Cabin.ID(deck: "", number: 1))
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: an id of one part is asked for like any other`(_ storage: TestStorage) throws {
    let store = try storage.makeFerry()
    try store.commit { draft in
      for number in [3, 1, 2] {
        try draft.insert(
          Lifeboat(id: .init(number: number), spare: number == 1 ? nil : Ref(.init(number: 1))))
      }
    }
    func numbers(_ query: Query<Lifeboat>) throws -> [Int] {
      expectEqual(try store.count(query), try store.fetch(query).count)
      return try store.fetch(query).map(\.id.number)
    }
    #expect(try numbers(Query()) == [1, 2, 3])
    #expect(try numbers(Query().sorted { [$0.id.descending] }) == [3, 2, 1])
    #expect(try numbers(Query().filter { $0.id == .init(number: 2) }) == [2])
    #expect(try numbers(Query().filter { $0.id != .init(number: 2) }) == [1, 3])
    #expect(
      try numbers(Query().filter { $0.id.in([.init(number: 2), .init(number: 3)]) }) == [2, 3])
    #expect(try numbers(Query().filter { !$0.id.in([.init(number: 2)]) }) == [1, 3])
    #expect(try numbers(Query().filter { $0.id.number < 3 }) == [1, 2])
    #expect(try numbers(Query().filter { $0.spare == Ref(.init(number: 1)) }) == [2, 3])
    #expect(try numbers(Query().filter { $0.spare.id.in([.init(number: 1)]) }) == [2, 3])
    #expect(try numbers(Query().filter { $0.spare.isNil }) == [1])
    #expect(try numbers(Query().filter { $0.spared.count == 2 }) == [1])
    #expect(try store.find(Lifeboat.self, .init(number: 2))?.spare == Ref(.init(number: 1)))
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: the value of a whole id is the list of its parts`(_ storage: TestStorage) throws {
    let store = try storage.makeFerry()
    try store.commit { draft in
      try draft.insert(Lifeboat(id: .init(number: 1)))
      try draft.insert(Lifeboat(id: .init(number: 2), spare: Ref(.init(number: 1))))
      try draft.insert(Cabin(id: .init(deck: "A", number: 1)))
      try draft.insert(
        Cabin(id: .init(deck: "A", number: 2), next: Ref(.init(deck: "A", number: 1))))
    }
    func values(_ entity: EntityDescription, _ column: Int, _ steps: [ReferenceStep] = []) throws
      -> [StoredValue]
    {
      let path = AttributePath(root: entity, steps: steps, column: column)
      let plan = FetchPlan(QueryDescription(entity: entity), values: [.attribute(path)])
      return try store.withStorageReader { try $0.fetch(plan).map { $0.values[0] } }
    }
    let cabin = Cabin.schema.entity
    let boat = Lifeboat.schema.entity
    let first: StoredValue = .list([.text("A"), .integer(1)])
    #expect(try values(cabin, 0) == [first, .list([.text("A"), .integer(2)])])
    #expect(try values(cabin, 2) == [.null, first])
    #expect(try values(cabin, 0, [ReferenceStep(source: cabin, column: 2)]) == [.null, first])
    #expect(try values(boat, 0) == [.list([.integer(1)]), .list([.integer(2)])])
    #expect(try values(boat, 1) == [.null, .list([.integer(1)])])
    #expect(
      try values(boat, 0, [ReferenceStep(source: boat, column: 1)])
        == [.null, .list([.integer(1)])])
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: changes of such objects are reported by name, undone, done again and replayed`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeFerry()
    let other = try storage.makeFerry()
    store.historyLimit = 10
    let a1 = Cabin.ID(deck: "A", number: 1)
    let told = Recorder(store.changes(of: Cabin.self, a1))
    let onDeckB = Recorder(store.changes(of: Cabin.self) { $0.id.deck == "B" })
    let named = Recorder(store.changes(of: Cabin.self) { $0.id.in([a1]) })
    try store.commit { draft in
      for number in 1...3 { try draft.insert(Cabin(id: .init(deck: "A", number: number))) }
      try draft.insert(Guest(id: 1, cabin: Ref(a1)))
      try draft.insert(CabinKey(id: .init(ring: 1, hook: 1), cabin: Ref(a1)))
    }
    let before = try store.contents()
    try store.commit(named: "Delete") { draft in
      try draft.delete(Cabin.self, a1)
      try draft.insert(Cabin(id: .init(deck: "B", number: 1)))
    }
    let after = try store.contents()
    for _ in 0..<2 {
      try store.undo()
      #expect(try store.contents() == before)
      try store.redo()
      #expect(try store.contents() == after)
    }
    for commit in store.history { try other.replay(commit) }
    #expect(try other.contents() == after)
    #expect(told.values.map(\.version) == Array(1...6))
    #expect(named.values.map(\.version) == Array(1...6))
    #expect(told.values.map(\.deleted.count) == [0, 1, 0, 1, 0, 1])
    #expect(onDeckB.values.map(\.version) == Array(2...6))
    #expect(onDeckB.values.map(\.inserted.count) == [1, 0, 1, 0, 1])
  }
}
