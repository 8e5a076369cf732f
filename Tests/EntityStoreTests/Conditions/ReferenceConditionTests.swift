@_spi(Storage) @testable import EntityStore
import Fixtures
import TestSupport
import Testing

/// A condition on a reference is about what is stored; a step through it is about the object.
@Suite struct `A reference is compared as it is stored` {
  private func ids(
    _ reader: borrowing some StoreReading & ~Copyable,
    @Condition<Letter>.Builder _ condition: (Row<Letter, Letter>) -> Condition<Letter>
  ) throws -> [Int] {
    let query = Query<Letter>().filter(condition)
    #expect(try reader.count(query) == reader.fetch(query).count)
    return try reader.fetch(query).map(\.id)
  }

  /// Letters 1 and 2 wait for 7, who isn't there, 3 is for 8, who is, and 4 for nobody.
  private func expectStored(_ reader: borrowing some StoreReading & ~Copyable) throws {
    #expect(try ids(reader) { $0.receiver == Ref(7) } == [1, 2])
    #expect(try ids(reader) { $0.receiver != Ref(7) } == [3, 4])
    #expect(try ids(reader) { $0.receiver == nil } == [4])
    #expect(try ids(reader) { $0.receiver != nil } == [1, 2, 3])
    #expect(try ids(reader) { $0.receiver.isNil } == [4])
    #expect(try ids(reader) { !$0.receiver.isNil } == [1, 2, 3])
    #expect(try ids(reader) { $0.receiver.in([Ref(7), Ref(9)]) } == [1, 2])
    #expect(try ids(reader) { !$0.receiver.in([Ref(7)]) } == [3, 4])
    #expect(try ids(reader) { [Ref<Owner>(8)].contains($0.receiver) } == [3])
    #expect(try ids(reader) { $0.receiver.in([]) }.isEmpty)
    // The object itself is missing.
    #expect(try ids(reader) { $0.receiver.id == 7 }.isEmpty)
    #expect(try ids(reader) { $0.receiver.id == nil } == [1, 2, 4])
    #expect(try ids(reader) { $0.receiver.id.isNil } == [1, 2, 4])
    #expect(try ids(reader) { $0.receiver.name == nil } == [1, 2, 4])
    #expect(try ids(reader) { $0.receiver.name != "" } == [1, 2, 3, 4].filter { $0 != 3 })
    let counts = try reader.counts(of: Query<Letter>()) { $0.receiver }
    #expect(counts.map(\.value) == [nil, Ref(7), Ref(8)] && counts.map(\.count) == [1, 2, 1])
  }

  private func fill(_ draft: borrowing Draft) throws {
    try draft.insert(Owner(id: 8))
    for (id, receiver) in [(1, 7), (2, 7), (3, 8), (4, nil)] {
      try draft.insert(Letter(id: id, receiver: receiver.map { Ref($0) }))
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4 S7: a late-bound one whose object is missing`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    try store.commit { try fill($0) }
    try expectStored(store)
    try store.read { try expectStored($0) }
    try store.commit { draft in
      try expectStored(draft)
      try draft.insert(Owner(id: 7, name: "Ann"))
      #expect(try ids(draft) { $0.receiver == Ref(7) } == [1, 2])
      #expect(try ids(draft) { $0.receiver.id == 7 } == [1, 2])
      try draft.delete(Owner.self, 7)
      try expectStored(draft)
    }
    try expectStored(store)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4 S7: one whose object the draft has deleted`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      for id in 1...3 { try draft.insert(License(id: id, owner: Ref(1))) }
    }
    try store.commit { draft in
      try draft.delete(Owner.self, 1)
      #expect(try draft.count(Query<License>().filter { $0.owner.id == 1 }) == 0)
      #expect(try draft.deleteAll(Query<License>().filter { $0.owner == Ref(1) }) == 3)
    }
    #expect(try store.count(Query<License>()) == 0)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4 S7: at the end of a step, and of an id with several parts`(_ storage: TestStorage) throws
  {
    let store = try storage.makeFerry()
    let (here, gone) = (Cabin.ID(deck: "A", number: 1), Cabin.ID(deck: "C", number: 1))
    try store.commit { draft in
      try draft.insert(Cabin(id: here))
      for (id, cabin) in [(1, here), (2, gone), (3, nil)] {
        try draft.insert(Wish(id: id, cabin: cabin.map { Ref($0) }))
      }
      try draft.insert(Guest(id: 1, cabin: Ref(here)))
    }
    func ids(@Condition<Wish>.Builder _ condition: (Row<Wish, Wish>) -> Condition<Wish>) throws
      -> [Int]
    { try store.fetch(Query<Wish>().filter(condition)).map(\.id) }
    #expect(try ids { $0.cabin == Ref(gone) } == [2])
    #expect(try ids { $0.cabin != Ref(gone) } == [1, 3])
    #expect(try ids { $0.cabin.in([Ref(gone), Ref(here)]) } == [1, 2])
    #expect(try ids { $0.cabin.isNil } == [3])
    #expect(try ids { $0.cabin.id.isNil } == [2, 3])
    #expect(try ids { $0.cabin.id == gone }.isEmpty)
    #expect(try ids { $0.cabin.next == nil } == [1, 2, 3])
    #expect(try store.count(Query<Guest>().filter { $0.cabin.next == Ref(gone) }) == 0)
    try store.commit { draft in
      try draft.update(Cabin.self, here) { $0.next = Ref(here) }
    }
    #expect(try ids { $0.cabin.next == Ref(here) } == [1])
    #expect(try ids { $0.cabin.next.isNil } == [2, 3])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a change reaches subscriptions with a condition on a reference`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeHousehold()
    let told = Recorder(store.changes(of: Letter.self) { $0.receiver == Ref(7) })
    let nobody = Recorder(store.changes(of: Letter.self) { $0.receiver.isNil })
    try store.commit { try fill($0) }
    try store.commit { draft in try draft.update(Letter.self, 2) { $0.receiver = Ref(8) } }
    try store.commit { try $0.insert(Owner(id: 7)) }
    #expect(told.values.map { $0.inserted.map(\.id) } == [[1, 2], []])
    #expect(told.values.last?.updated.map(\.new.id) == [2])
    #expect(nobody.values.map { $0.inserted.map(\.id) } == [[4]])
  }

  @Test func `It is looked up in its index, reads no other object and is said so`() {
    let query = Query<Letter>().filter { $0.receiver == Ref(7) }
    let filter = query.description.filter
    let column = Letter.schema.entity.column(\Letter.receiver)
    #expect(filter?.fixedValues == [column: .integer(7)])
    #expect(Letter.schema.entity.lookup(filter)?.columns == [column])
    #expect(
      Query<Letter>().filter { $0.receiver.in([Ref(7)]) }.description.filter?.lists
        == [column: [.integer(7)]])
    #expect(filter.map { RelationshipDependency.all(in: [$0]) } == [])
    #expect("\(query)" == "Letter where Letter.receiver == 7")
    #expect(
      "\(Query<Letter>().filter { $0.receiver.id == 7 })" == "Letter where Letter.receiver.id == 7")
    #expect(
      "\(Query<Visa>().filter { $0.passport.owner != nil })"
        == "Visa where Visa.passport.owner != nil")
  }
}
