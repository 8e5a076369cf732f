@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `A draft writes many objects all or none` {
  private func makeSeats(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(Seat.self, Owner.self, Pet.self, Passport.self)
    try store.commit { draft in
      for id in 1...6 {
        try draft.insert(Seat(id: id, code: "c\(id)", row: id % 2, number: id))
      }
    }
    return store
  }

  /// What a draft shows, by every way to it.
  private func seats(_ draft: borrowing Draft) throws -> [[StoredValue]] {
    let all = try draft.fetch(Query<Seat>())
    expectEqual(try draft.count(Query<Seat>()), all.count)
    for seat in all {
      expectEqual(EntityDump(try draft.find(Seat.self, seat.id)), EntityDump(seat))
      if let code = seat.code {
        expectTrue(try draft.find(Seat.self, by: (\.code, code)) != nil, code)
      }
      expectEqual(
        try draft.fetch(Query<Seat>().filter { $0.id == seat.id }).map(\.id), [seat.id])
    }
    return all.map { EntityRow($0).values }
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: upserting many takes the last of each id, or none and undoes nothing else`(
    _ storage: TestStorage
  ) throws {
    let store = try makeSeats(storage)
    try store.commit { draft in
      try draft.upsert(contentsOf: [Seat]())
      try draft.upsert(
        contentsOf: [
          Seat(id: 1, code: "one"), Seat(id: 7, code: "x"), Seat(id: 7, code: "seven"),
        ].lazy.map(\.self))
      let before = try seats(draft)
      #expect(before.count == 7)
    }
    let measures = try storage.makeStore(Measure.self)
    try measures.commit { draft in
      try draft.insert(Measure(id: 1, value: 1))
      #expect(throws: StoreError.self) {
        try draft.upsert(contentsOf: [Measure(id: 1, value: 2), Measure(id: 2, value: .nan)])
      }
      #expect(try draft.fetch(Query<Measure>()).map(\.value) == [1])
    }
    #expect(
      try store.fetch(Query<Seat>().filter { $0.id.in([1, 7]) }).map(\.code) == ["one", "seven"])
    #expect(try store.count(Query<Seat>()) == 7)
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: inserting many inserts all of them, or none and undoes nothing else`(
    _ storage: TestStorage
  ) throws {
    let store = try makeSeats(storage)
    try store.commit { draft in
      try draft.insert(contentsOf: [Seat]())
      try draft.insert(contentsOf: (10..<13).lazy.map { Seat(id: $0) })
      try draft.update(Seat.self, 10) { $0.code = "ten" }
      try draft.delete(Seat.self, 1)
      let before = try seats(draft)
      for taken in [2, 10, 21] {
        #expect(throws: StoreError.alreadyExists(ObjectID(Seat.self, taken))) {
          try draft.insert(
            contentsOf: [Seat(id: 1), Seat(id: 20, code: "c20"), Seat(id: 21), Seat(id: taken)])
        }
        #expect(try seats(draft) == before)
      }
      try draft.insert(contentsOf: [Seat(id: 1, code: "again")])
    }
    #expect(try store.all(Seat.self).map(\.id) == [1, 2, 3, 4, 5, 6, 10, 11, 12])
    #expect(try store.find(Seat.self, by: (\.code, "again"))?.id == 1)
    #expect(try store.find(Seat.self, by: (\.code, "ten"))?.id == 10)
    #expect(try store.find(Seat.self, by: (\.code, "c1")) == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an upsert by a key keeps the id of the object that has it`(_ storage: TestStorage)
    throws
  {
    let store = try makeSeats(storage)
    let commits = Recorder(store.commits)
    try store.commit { draft in
      let stored = try draft.upsert(Seat(id: 99, code: "c3", row: 9, number: 9), by: \.code)
      #expect(stored.id == 3)
      #expect(stored.row == 9)
      #expect(try draft.find(Seat.self, 99) == nil)
      // The key's attributes may stand in any order.
      let moved = try draft.upsert(Seat(id: 98, code: "x", row: 0, number: 4), by: \.number, \.row)
      #expect(moved.id == 4)
      let new = try draft.upsert(Seat(id: 97, code: "new"), by: \.code)
      #expect(new.id == 97)
      // One that the draft has just written is found, too.
      #expect(try draft.upsert(Seat(id: 96, code: "new", row: 5), by: \.code).id == 97)
      // One that it has deleted, or given another key, isn't.
      try draft.delete(Seat.self, 1)
      #expect(try draft.upsert(Seat(id: 95, code: "c1"), by: \.code).id == 95)
      try draft.update(Seat.self, 2) { $0.code = "other" }
      #expect(try draft.upsert(Seat(id: 94, code: "c2"), by: \.code).id == 94)
    }
    #expect(try store.all(Seat.self).map(\.id) == [2, 3, 4, 5, 6, 94, 95, 97])
    #expect(
      try store.all(Seat.self).map(\.code) == ["other", "c3", "x", "c5", "c6", "c2", "c1", "new"])
    let changes = try #require(commits.values.first).changes(of: Seat.self)
    #expect(changes.inserted.map(\.id) == [94, 95, 97])
    #expect(changes.updated.map(\.attributes) == [["code"], ["row", "number"], ["code"]])
  }

  private struct Tide: Entity, Equatable {
    let id: Int
    var place: String?
    var height: Double?
    static let attributes = Attributes(
      .id(\Tide.id), .attribute("place", \.place), .attribute("height", \.height))
    static let schema = Schema(attributes, Tide.init, rules: [.unique(\.place)])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: of many that are upserted by a key none takes another's place by its id`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Tide.self)
    try store.commit { try $0.insert(Tide(id: 1, place: "a", height: 1)) }
    let mistakes = [
      // The first one is written under 1, where the object with its key is.
      (1, [Tide(id: 7, place: "a", height: 2), Tide(id: 1, place: "b", height: 3)]),
      (0, [Tide(id: 0, place: "p", height: 2), Tide(id: 0, place: "q", height: 3)]),
      (0, [Tide(id: 0, place: nil, height: 2), Tide(id: 0, place: nil, height: 3)]),
    ]
    for (id, tides) in mistakes {
      try store.commit { draft in
        #expect(throws: StoreError.alreadyExists(ObjectID(Tide.self, id))) {
          try draft.upsert(contentsOf: tides, by: \.place)
        }
      }
      #expect(try store.all(Tide.self) == [Tide(id: 1, place: "a", height: 1)])
    }
    try store.commit { draft in
      try draft.upsert(
        contentsOf: [
          Tide(id: 2, place: nil, height: 2), Tide(id: 3, place: nil, height: 3),
          Tide(id: 1, place: "c", height: 4),
        ], by: \.place)
    }
    #expect(try store.all(Tide.self).map(\.place) == ["c", nil, nil])
    #expect(try store.all(Tide.self).map(\.height) == [4, 2, 3])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: many are upserted by a key, all or none`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Tide.self)
    try store.commit { try $0.insert(Tide(id: 1, place: "a", height: 1)) }
    try store.commit { draft in
      try draft.upsert(
        contentsOf: [
          Tide(id: 7, place: "a", height: 2), Tide(id: 8, place: "b", height: 3),
          Tide(id: 9, place: "b", height: 4),
        ], by: \.place)
      #expect(throws: StoreError.notANumber(ObjectID(Tide.self, 1), attribute: "height")) {
        try draft.upsert(
          contentsOf: [Tide(id: 8, place: "b", height: 5), Tide(id: 1, place: "a", height: .nan)],
          by: \.place)
      }
    }
    #expect(try store.all(Tide.self).map(\.id) == [1, 8])
    #expect(try store.all(Tide.self).map(\.height) == [2, 4])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a reference names what is changed or deleted`(_ storage: TestStorage) throws {
    let store = try makeSeats(storage)
    let row = try store.commit { draft in
      try draft.delete(Ref<Seat>(2))
      #expect(throws: StoreError.notFound(ObjectID(Seat.self, 2))) {
        try draft.delete(Ref<Seat>(2))
      }
      #expect(throws: StoreError.notFound(ObjectID(Seat.self, 2))) {
        try draft.update(Ref<Seat>(2)) { $0.row = 1 }
      }
      return try draft.update(Ref<Seat>(1)) { seat in
        seat.code = "one"
        return 5
      }
    }
    #expect(row == 5)
    #expect(try store.find(Seat.self, 1)?.code == "one")
    #expect(try store.find(Seat.self, 2) == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an upsert by a key that is nil, or by its own, is one by id`(_ storage: TestStorage)
    throws
  {
    let store = try makeSeats(storage)
    try store.commit { draft in
      try draft.insert(Seat(id: 7))
      #expect(try draft.upsert(Seat(id: 8), by: \.code).id == 8)
      #expect(try draft.upsert(Seat(id: 8, row: 5), by: \.row, \.number).id == 8)
      #expect(try draft.find(Seat.self, 8)?.row == 5)
      #expect(try draft.upsert(Seat(id: 5, code: "c5", row: 50), by: \.code).id == 5)
      #expect(try draft.upsert(Seat(id: 6, code: nil), by: \.code).id == 6)
    }
    #expect(try store.all(Seat.self).map(\.code) == ["c1", "c2", "c3", "c4", "c5", nil, nil, nil])
    #expect(try store.find(Seat.self, 5)?.row == 50)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: while two objects of a draft have one key, an upsert goes to itself, or the first`(
    _ storage: TestStorage
  ) throws {
    let store = try makeSeats(storage)
    try store.commit { draft in
      try draft.update(Seat.self, 5) { $0.code = "c2" }
      #expect(try draft.upsert(Seat(id: 5, code: "c2", row: 55), by: \.code).id == 5)
      #expect(try draft.upsert(Seat(id: 77, code: "c2", row: 22), by: \.code).id == 2)
      #expect(try draft.find(Seat.self, 5)?.row == 55)
      try draft.update(Seat.self, 5) { $0.code = "c5" }
    }
    #expect(try store.find(Seat.self, 2)?.row == 22)
    #expect(try store.find(Seat.self, 77) == nil)
    try store.expectRefusal(
      .notUnique(
        [ObjectID(Seat.self, 2), ObjectID(Seat.self, 5)], attributes: ["code"],
        values: [.text("c2")])
    ) { draft in
      try draft.update(Seat.self, 5) { $0.code = "c2" }
      try draft.upsert(Seat(id: 77, code: "c2"), by: \.code)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: updating all changes each object once, or none`(_ storage: TestStorage) throws {
    let store = try makeSeats(storage)
    let even = Query<Seat>().filter { $0.row == 0 }.sorted { [$0.number.descending] }
    try store.commit { draft in
      var order: [Int] = []
      // What no longer belongs after its change is changed all the same, and once.
      let count = try draft.updateAll(even) { seat in
        order.append(seat.id)
        seat.row = 1
        seat.number = (seat.number ?? 0) + 100
      }
      #expect(count == 3)
      #expect(order == [6, 4, 2])
      #expect(try draft.count(even) == 0)
      #expect(try draft.updateAll(even) { $0.code = nil } == 0)
      #expect(try draft.updateAll(Query<Seat>().limit(2, offset: 1)) { $0.code = nil } == 2)
      let before = try seats(draft)
      #expect(throws: Refusal()) {
        try draft.updateAll(Query<Seat>()) { seat in
          seat.code = "undone \(seat.id)"
          if seat.id == 5 { throw Refusal() }
        }
      }
      #expect(try seats(draft) == before)
      #expect(throws: StoreError.notFound(ObjectID(Seat.self, 3))) {
        try draft.updateAll(Query<Seat>()) { seat in
          seat.code = "undone"
          // The others that are to come may go meanwhile.
          if seat.id == 2 { try store.commit { try $0.delete(Seat.self, 3) } }
        }
      }
      #expect(try seats(draft) == before)
    }
    #expect(try store.all(Seat.self).map(\.number) == [1, 102, 3, 104, 5, 106])
    #expect(try store.all(Seat.self).map(\.code) == ["c1", nil, nil, "c4", "c5", "c6"])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: deleting all deletes what a query gives, or everything`(_ storage: TestStorage) throws {
    let store = try makeSeats(storage)
    try store.commit { draft in
      for id in 1...3 {
        try draft.insert(Owner(id: id))
        try draft.insert(Pet(id: id, owner: Ref(id)))
        try draft.insert(Passport(id: id, owner: Ref(id)))
      }
    }
    try store.commit { draft in
      try draft.insert(Seat(id: 10, row: 0))
      #expect(try draft.deleteAll(Query<Seat>().filter { $0.row == 0 }) == 4)
      #expect(try draft.deleteAll(Query<Seat>().filter { $0.row == 0 }) == 0)
      #expect(
        try draft.deleteAll(Query<Seat>().sorted { [$0.number.descending] }.limit(1, offset: 1))
          == 1)
      #expect(try draft.fetch(Query<Seat>()).map(\.id) == [1, 5])
      // A filter that reads related objects, and delete rules at the end.
      #expect(try draft.deleteAll(Query<Owner>().filter { $0.pets.any { $0.id > 1 } }) == 2)
      #expect(try draft.count(Query<Passport>()) == 3)
    }
    #expect(try store.all(Seat.self).map(\.id) == [1, 5])
    #expect(try store.all(Passport.self).map(\.id) == [1])
    #expect(try store.all(Pet.self).map(\.owner) == [Ref(1), nil, nil])
    try store.commit { draft in
      #expect(try draft.deleteAll(Seat.self) == 2)
      #expect(try draft.deleteAll(Seat.self) == 0)
      #expect(try draft.deleteAll(Owner.self) == 1)
      try draft.insert(Seat(id: 1, code: "c1"))
    }
    #expect(try store.all(Seat.self).map(\.id) == [1])
    #expect(try store.count(Query<Passport>()) == 0)
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: nested commits that throw undo their many writes only`(_ storage: TestStorage) throws {
    let store = try makeSeats(storage)
    try withEvery("depth", in: 1...3) { depth in
      let before = try store.contents()
      try store.commit { draft in
        try draft.update(Seat.self, 1) { $0.row = 7 }
        let written = try seats(draft)
        func nest(_ level: Int) throws {
          try store.commit { inner in
            try inner.insert(contentsOf: [Seat(id: 100 + level), Seat(id: 200 + level)])
            try inner.updateAll(Query<Seat>()) { $0.code = "level \(level) \($0.id)" }
            try inner.deleteAll(Query<Seat>().filter { $0.id == level + 1 })
            try inner.upsert(Seat(id: 300, code: "level \(level) 6"), by: \.code)
            if level < depth { try nest(level + 1) }
            throw Refusal()
          }
        }
        #expect(throws: Refusal()) { try nest(1) }
        #expect(try seats(draft) == written)
        try draft.update(Seat.self, 1) { $0.row = 1 }
      }
      #expect(try store.contents() == before)
    }
    #expect(try store.version == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S7: updating the last objects of a query changes them in its order`(
    _ storage: TestStorage
  ) throws {
    let store = try makeSeats(storage)
    try store.commit { draft in
      var order: [Int] = []
      try draft.updateAll(Query<Seat>().last(3)) { seat in
        order.append(seat.id)
        seat.number = 100 + order.count
      }
      #expect(order == [4, 5, 6])
      let numbers = try draft.fetch(Query<Seat>().last(3)).map(\.number)
      #expect(numbers == [101, 102, 103])
    }
  }
}
