@testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// An object whose id has parts, and may be an attribute's value as well.
private struct Berth: Entity {
  let id: DeckNumber
  var opposite: DeckNumber
  static let attributes = Attributes(
    .id(\Berth.id, DeckNumber.init(deck:number:), .part("deck", \.deck), .part("number", \.number)),
    .attribute("opposite", \.opposite))
  static let schema = Schema(attributes, Berth.init)
}

private struct Sleeper: Entity {
  let id: Int
  var berth: Ref<Berth>?
  var lastBerth: DeckNumber
  static let attributes = Attributes(
    .id(\Sleeper.id), .one("berth", \.berth), .attribute("lastBerth", \.lastBerth))
  static let schema = Schema(attributes, Sleeper.init)
}

@Suite struct `References to objects whose ids have several parts` {
  private static let a1 = Cabin.ID(deck: "A", number: 1)
  private static let a2 = Cabin.ID(deck: "A", number: 2)
  private static let b1 = Cabin.ID(deck: "B", number: 1)

  private func makeFerry(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeFerry()
    try store.commit { draft in
      for id in [Self.a1, Self.a2, Self.b1] { try draft.insert(Cabin(id: id)) }
    }
    return store
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a reference is missing unless all parts are those of an object`(
    _ storage: TestStorage
  ) throws {
    let store = try makeFerry(storage)
    // Each part is that of a cabin, and both together are of none.
    let b2 = Cabin.ID(deck: "B", number: 2)
    try store.expectRefusal(
      .missingReference(
        ObjectID(Guest.self, 1), attribute: "cabin", target: ObjectID(Cabin.self, b2))
    ) { try $0.insert(Guest(id: 1, cabin: Ref(b2))) }
    try store.expectRefusal(
      .missingReference(
        ObjectID(Cabin.self, Self.a1), attribute: "next", target: ObjectID(Cabin.self, b2))
    ) { draft in try draft.update(Cabin.self, Self.a1) { $0.next = Ref(b2) } }
    let key = CabinKey(id: .init(ring: 1, hook: 1), cabin: Ref(b2))
    try store.expectRefusal(
      .missingReference(ObjectID(key), attribute: "cabin", target: ObjectID(Cabin.self, b2))
    ) { try $0.insert(key) }
    try store.commit { draft in
      try draft.insert(Guest(id: 1, cabin: Ref(b2)))
      try draft.insert(key)
      try draft.insert(Cabin(id: b2, next: Ref(b2)))
      try draft.insert(Wish(id: 1, cabin: Ref(.init(deck: "C", number: 1))))
      try draft.insert(Guest(id: 2))
    }
    #expect(try store.find(Guest.self, 1)?.cabin == Ref(b2))
    #expect(try store.find(Cabin.self, b2)?.next == Ref(b2))
    #expect(try store.find(CabinKey.self, key.id)?.cabin == Ref(b2))
    #expect(try store.find(Guest.self, 2) != nil)
    #expect(try store.find(Guest.self, 2)?.cabin == nil)
    #expect(try store.find(Wish.self, 1)?.cabin == Ref(.init(deck: "C", number: 1)))
    #expect(try store.count(Query<Wish>().filter { $0.cabin.id.isNil }) == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a reference has the parts of an id that can be stored as one value, too`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Berth.self, Sleeper.self)
    let (one, other) = (DeckNumber(deck: 1, number: 2), DeckNumber(deck: 2, number: 1))
    try store.commit { draft in
      try draft.insert(Berth(id: one, opposite: other))
      try draft.insert(Berth(id: other, opposite: one))
      try draft.insert(Sleeper(id: 1, berth: Ref(one), lastBerth: other))
      try draft.insert(Sleeper(id: 2, berth: nil, lastBerth: one))
    }
    func ids(_ query: Query<Sleeper>) throws -> [Int] { try store.fetch(query).map(\.id) }
    #expect(try store.all(Sleeper.self).map(\.berth) == [Ref(one), nil])
    #expect(try ids(Query().filter { $0.berth == Ref(one) }) == [1])
    #expect(try ids(Query().filter { $0.berth.id == one }) == [1])
    #expect(try ids(Query().filter { $0.berth.id.number == 2 }) == [1])
    // An attribute has the one value.
    #expect(try store.all(Sleeper.self).map(\.lastBerth) == [other, one])
    #expect(try ids(Query().filter { $0.lastBerth == one }) == [2])
    #expect(try ids(Query().filter { $0.lastBerth != one }) == [1])
    #expect(try ids(Query().filter { $0.lastBerth.in([one]) }) == [2])
    #expect(try store.fetch(Query<Berth>().filter { $0.opposite == one }).map(\.id) == [other])
    try store.commit { try $0.delete(Berth.self, one) }
    #expect(try store.all(Sleeper.self).map(\.berth) == [nil, nil])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: delete rules reach the objects that refer by all parts`(_ storage: TestStorage) throws {
    let store = try makeFerry(storage)
    try store.commit { draft in
      var number = 0
      for id in [Self.a1, Self.a2, Self.b1] {
        number += 1
        try draft.insert(Guest(id: number, cabin: Ref(id)))
        try draft.insert(CabinKey(id: .init(ring: 1, hook: number), cabin: Ref(id)))
        try draft.insert(Wish(id: number, cabin: Ref(id)))
      }
      try draft.update(Cabin.self, Self.b1) { $0.next = Ref(Self.a1) }
      try draft.insert(Repair(id: 1, cabin: Ref(Self.a2), key: Ref(.init(ring: 1, hook: 1))))
      try draft.insert(Repair(id: 2, cabin: Ref(Self.b1), key: nil))
    }
    try store.expectRefusal(
      .deleteDenied(
        ObjectID(Cabin.self, Self.a2), referrer: ObjectID(Repair.self, 1), attribute: "cabin")
    ) { try $0.delete(Cabin.self, Self.a2) }
    let commits = Recorder(store.commits)
    try store.commit { try $0.delete(Cabin.self, Self.a1) }
    let commit = try #require(commits.values.first)
    // The key goes with the cabin, and the repair with the key.
    #expect(
      commit.objectIDs == [
        ObjectID(Cabin.self, Self.a1), ObjectID(Cabin.self, Self.b1),
        ObjectID(CabinKey.self, .init(ring: 1, hook: 1)), ObjectID(Guest.self, 1),
        ObjectID(Repair.self, 1),
      ])
    #expect(commit.changes(of: Guest.self).updated.map(\.attributes) == [["cabin"]])
    #expect(commit.changes(of: Cabin.self).updated.map(\.attributes) == [["next"]])
    #expect(commit.changes(of: Repair.self).deleted.map(\.id) == [1])
    #expect(try store.all(Guest.self).map(\.cabin) == [nil, Ref(Self.a2), Ref(Self.b1)])
    #expect(try store.all(CabinKey.self).map(\.id.hook) == [2, 3])
    #expect(try store.find(Cabin.self, Self.b1)?.next == nil)
    #expect(try store.find(Wish.self, 1)?.cabin == Ref(Self.a1))
    try store.commit { try $0.delete(Cabin.self, Self.a2) }
    #expect(try store.all(Guest.self).map(\.cabin) == [nil, nil, Ref(Self.b1)])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: keys and indexes may include such a reference`(_ storage: TestStorage) throws {
    let store = try makeFerry(storage)
    func key(_ hook: Int, _ cabin: Cabin.ID, _ copy: Int?) -> CabinKey {
      CabinKey(id: .init(ring: 0, hook: hook), cabin: Ref(cabin), copy: copy)
    }
    try store.commit { draft in
      try draft.insert(key(1, Self.a1, 1))
      try draft.insert(key(2, Self.a1, 2))
      try draft.insert(key(3, Self.a2, 1))
      try draft.insert(key(4, Self.a2, nil))
      try draft.insert(key(5, Self.a2, nil))
      for id in 0..<40 {
        let cabin = [Self.a1, Self.a2, Self.b1][id % 3]
        try draft.insert(Repair(id: id, cabin: Ref(cabin), day: id % 7))
      }
    }
    try store.expectRefusal(
      .notUnique(
        [2, 3].map { ObjectID(CabinKey.self, .init(ring: 0, hook: $0)) },
        attributes: ["cabin", "copy"],
        values: [.list([.text("A"), .integer(1)]), .integer(2)])
    ) { draft in
      try draft.update(CabinKey.self, .init(ring: 0, hook: 3)) {
        $0.cabin = Ref(Self.a1)
        $0.copy = 2
      }
    }
    func hook(_ cabin: Cabin.ID, _ copy: Int) throws -> Int? {
      try store.find(CabinKey.self, by: (\.copy, copy), (\.cabin, Ref(cabin)))?.id.hook
    }
    #expect(try hook(Self.a1, 2) == 2)
    #expect(try hook(Self.a2, 1) == 3)
    #expect(try hook(Self.b1, 1) == nil)
    // Three keys pass their places round.
    try store.commit { draft in
      try draft.update(CabinKey.self, .init(ring: 0, hook: 1)) { $0.copy = 2 }
      try draft.update(CabinKey.self, .init(ring: 0, hook: 2)) { $0.cabin = Ref(Self.a2) }
      try draft.update(CabinKey.self, .init(ring: 0, hook: 2)) { $0.copy = 1 }
      try draft.update(CabinKey.self, .init(ring: 0, hook: 3)) { $0.cabin = Ref(Self.a1) }
    }
    #expect(try hook(Self.a1, 2) == 1)
    #expect(try hook(Self.a2, 1) == 2)
    #expect(try hook(Self.a1, 1) == 3)
    let onThird = Query<Repair>().filter {
      $0.day == 3
      $0.cabin == Ref(Self.a1)
    }
    let expected = (0..<40).filter { $0 % 7 == 3 && $0 % 3 == 0 }
    #expect(try store.fetch(onThird).map(\.id) == expected)
    try store.commit { draft in
      try draft.delete(Repair.self, 3)
      try draft.insert(Repair(id: 45, cabin: Ref(Self.a1), day: 3))
      #expect(try draft.fetch(onThird).map(\.id) == [24, 45])
      let upserted = try draft.upsert(key(9, Self.a1, 2), by: \.cabin, \.copy)
      #expect(upserted.id.hook == 1)
    }
    #expect(try store.fetch(onThird).map(\.id) == [24, 45])
    #expect(try store.count(Query<CabinKey>()) == 5)
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: queries step through such a reference, both ways`(_ storage: TestStorage) throws {
    let store = try makeFerry(storage)
    let guests = (0..<12).map { id in
      Guest(
        id: id, name: "\(id * 5 % 12)",
        cabin: id % 4 == 3 ? nil : Ref([Self.a1, Self.a2, Self.b1][id % 4]))
    }
    func check(_ reading: borrowing some StoreReading & ~Copyable) throws {
      func ids(_ query: Query<Guest>) throws -> [Int] {
        expectEqual(try reading.count(query), try reading.fetch(query).count)
        return try reading.fetch(query).map(\.id)
      }
      expectEqual(try ids(Query().filter { $0.cabin == Ref(Self.a2) }), [1, 5, 9])
      expectEqual(
        try ids(Query().filter { $0.cabin != Ref(Self.a2) }), [0, 2, 3, 4, 6, 7, 8, 10, 11])
      expectEqual(try ids(Query().filter { $0.cabin.isNil }), [3, 7, 11])
      expectEqual(try ids(Query().filter { !$0.cabin.isNil }), [0, 1, 2, 4, 5, 6, 8, 9, 10])
      expectEqual(try ids(Query().filter { $0.cabin.id.deck == "A" }), [0, 1, 4, 5, 8, 9])
      expectEqual(try ids(Query().filter { $0.cabin.id.deck != "A" }), [2, 3, 6, 7, 10, 11])
      expectEqual(try ids(Query().filter { $0.cabin.id.number >= 2 }), [1, 5, 9])
      expectEqual(try ids(Query().filter { $0.cabin.id.number == nil }), [3, 7, 11])
      expectEqual(try ids(Query().filter { $0.cabin.id.in([Self.b1]) }), [2, 6, 10])
      expectEqual(
        try ids(Query().filter { !$0.cabin.id.in([Self.b1]) }), [0, 1, 3, 4, 5, 7, 8, 9, 11])
      expectEqual(try ids(Query().filter { $0.cabin.next.id == Self.b1 }), [0, 4, 8])
      expectEqual(try ids(Query().filter { $0.cabin.guests.any { $0.id == 9 } }), [1, 5, 9])
      expectEqual(
        try ids(Query().sorted { [$0.cabin.id.descending] }),
        [2, 6, 10, 1, 5, 9, 0, 4, 8, 3, 7, 11])
      expectEqual(
        try ids(Query().sorted { [$0.cabin.id.ascending.nilsLast] }),
        [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11])
      expectEqual(
        try ids(Query().sorted { [$0.cabin.id.number.ascending, $0.cabin.id.deck.descending] }),
        [3, 7, 11, 2, 6, 10, 0, 4, 8, 1, 5, 9])
      expectEqual(
        try reading.fetch(Query<Cabin>().filter { $0.guests.count == 3 }).map(\.id.number),
        [1, 2, 1])
      expectEqual(
        try reading.fetch(Query<Cabin>().filter { $0.previous.any { $0.id.deck == "A" } })
          .map(\.id.deck), ["B"])
      // The order that the relationship names: by name, descending.
      expectEqual(
        try reading.fetch(\.guests, of: Ref<Cabin>(Self.a1)).map(\.name), ["8", "4", "0"])
      expectEqual(
        try reading.fetch(\.guests, of: Cabin(id: Self.b1)).map(\.name), ["6", "2", "10"])
      expectEqual(
        try reading.fetch(\.guests, of: Ref<Cabin>(.init(deck: "C", number: 1))).count, 0)
      let counts = try reading.counts(of: Query<Guest>()) { $0.cabin.id.deck }
      expectEqual(counts.map { $0.value ?? "-" }, ["-", "A", "B"])
      expectEqual(counts.map(\.count), [3, 6, 3])
    }
    try store.commit { draft in
      for guest in guests { try draft.insert(guest) }
      try draft.update(Cabin.self, Self.a1) { $0.next = Ref(Self.b1) }
      try check(draft)
    }
    try check(store)
    try store.read { try check($0) }
    try store.commit { draft in
      for guest in guests where guest.id % 2 == 0 {
        try draft.delete(Guest.self, guest.id)
        try draft.insert(guest)
      }
      try draft.update(Cabin.self, Self.a2) { $0.beds = 2 }
      try check(draft)
    }
  }
}
