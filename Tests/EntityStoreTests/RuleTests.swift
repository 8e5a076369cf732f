@_spi(Storage) import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `Rules are validated once, on the net change` {
  // MARK: Uniqueness

  @Test(arguments: TestStorage.withServer)
  func `S4: two objects can't share the values of a unique key`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Seat.self)
    try store.commit { try $0.insert(Seat(id: 1, code: "a", row: 1, number: 1)) }
    #expect(
      throws: StoreError.notUnique(
        [ObjectID(Seat.self, 1), ObjectID(Seat.self, 2)], attributes: ["code"],
        values: [.text("a")])
    ) {
      try store.commit { try $0.insert(Seat(id: 2, code: "a")) }
    }
    #expect(
      throws: StoreError.notUnique(
        [ObjectID(Seat.self, 1), ObjectID(Seat.self, 2)], attributes: ["row", "number"],
        values: [.integer(1), .integer(1)])
    ) {
      try store.commit { try $0.insert(Seat(id: 2, code: "b", row: 1, number: 1)) }
    }
    #expect(
      throws: StoreError.notUnique(
        [ObjectID(Seat.self, 3), ObjectID(Seat.self, 4)], attributes: ["code"],
        values: [.text("x")])
    ) {
      try store.commit { draft in
        try draft.insert(Seat(id: 4, code: "x"))
        try draft.insert(Seat(id: 3, code: "x"))
      }
    }
    try store.commit { try $0.insert(Seat(id: 2, code: "A", row: 1, number: 2)) }
    #expect(try store.count(Query<Seat>()) == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a unique key says nothing where a part of it is nil`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Seat.self)
    try store.commit { draft in
      for id in 1...3 { try draft.insert(Seat(id: id)) }
      for id in 4...5 { try draft.insert(Seat(id: id, row: 1)) }
      for id in 6...7 { try draft.insert(Seat(id: id, number: 1)) }
    }
    try store.commit { draft in try draft.insert(Seat(id: 8, row: 1, number: 1)) }
    #expect(throws: StoreError.self) {
      try store.commit { draft in try draft.update(Seat.self, 4) { $0.number = 1 } }
    }
    try store.commit { draft in
      try draft.update(Seat.self, 8) { $0.row = nil }
      try draft.update(Seat.self, 4) { $0.number = 1 }
    }
    #expect(try store.count(Query<Seat>()) == 8)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: objects permute their unique values in one commit`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Seat.self)
    try store.commit { draft in
      for id in 0..<4 { try draft.insert(Seat(id: id, code: "\(id)", row: 1, number: id)) }
    }
    try withEvery("order", in: permutations(of: [0, 1, 2, 3])) { order in
      try store.commit { draft in
        for (id, value) in order.enumerated() {
          try draft.update(Seat.self, id) {
            $0.code = "\(value)"
            $0.number = value
          }
        }
      }
      expectEqual(try store.all(Seat.self).map { $0.number ?? -1 }, order)
      expectEqual(try store.all(Seat.self).map { $0.code ?? "" }, order.map(String.init))
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a unique value passes on from a deleted object to an inserted one`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Seat.self)
    try store.commit { try $0.insert(Seat(id: 1, code: "a")) }
    try store.commit { draft in
      try draft.insert(Seat(id: 2, code: "a"))
      try draft.delete(Seat.self, 1)
    }
    try store.commit { draft in
      try draft.insert(Seat(id: 3, code: "a"))
      try draft.update(Seat.self, 2) { $0.code = "b" }
    }
    #expect(try store.all(Seat.self).map(\.code) == ["b", "a"])
  }

  // MARK: References

  @Test(arguments: TestStorage.withServer)
  func `S4: a reference to an object that isn't there is refused when the commit ends`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    func missing(_ id: Int) -> StoreError {
      .missingReference(
        ObjectID(Pet.self, id), attribute: "owner", target: ObjectID(Owner.self, 7))
    }
    #expect(throws: missing(1)) {
      try store.commit { try $0.insert(Pet(id: 1, owner: Ref(7))) }
    }
    #expect(throws: missing(1)) {
      try store.commit { draft in
        try draft.insert(Owner(id: 7))
        try draft.insert(Pet(id: 1, owner: Ref(7)))
        try draft.delete(Owner.self, 7)
      }
    }
    try store.commit { draft in
      try draft.insert(Pet(id: 1, owner: Ref(7)))
      try draft.insert(Owner(id: 7))
    }
    try store.commit { try $0.insert(Pet(id: 2, owner: nil)) }
    #expect(throws: missing(2).self) {
      try store.commit { draft in
        try draft.delete(Owner.self, 7)
        try draft.update(Pet.self, 2) { $0.owner = Ref(7) }
        try draft.delete(Pet.self, 2)
        try draft.insert(Pet(id: 2, owner: Ref(7)))
        throw missing(2)
      }
    }
    #expect(try store.count(Query<Pet>().filter { $0.owner == Ref(7) }) == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an object may refer to itself, and is deleted with itself`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeStore(Folder.self)
    try store.commit { try $0.insert(Folder(id: 1, parent: Ref(1))) }
    #expect(try store.count(Query<Folder>().filter { $0.children.count == 1 }) == 1)
    #expect(try store.count(Query<Folder>().filter { $0.parent.parent.parent.id == 1 }) == 1)
    try store.commit { try $0.delete(Folder.self, 1) }
    #expect(try store.count(Query<Folder>()) == 0)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: a late-bound reference dangles, and waits again when its target is deleted`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    let named = Query<Letter>().filter { $0.receiver.name == "Ann" }
    try store.commit { try $0.insert(Letter(id: 1, receiver: Ref(7))) }
    #expect(try store.count(named) == 0)
    #expect(try store.count(Query<Letter>().filter { $0.receiver.id.isNil }) == 1)
    let commits = Recorder(store.commits)
    try store.commit { draft in
      try draft.insert(Owner(id: 7, name: "Ann"))
      #expect(try draft.count(named) == 1)
    }
    #expect(try store.count(named) == 1)
    try store.commit { try $0.delete(Owner.self, 7) }
    #expect(try store.count(named) == 0)
    #expect(try store.find(Letter.self, 1)?.receiver == Ref(7))
    #expect(commits.values.allSatisfy { $0.changes(of: Letter.self).isEmpty })
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an id never changes`(_ storage: TestStorage) throws {
    struct Renamed: Entity {
      var id: Int
      var name: String
      static let attributes = Attributes(.id(\Renamed.id), .attribute("name", \.name))
      static let schema = Schema(attributes, Renamed.init)
    }
    let store = try storage.makeStore(Renamed.self)
    try store.commit { try $0.insert(Renamed(id: 1, name: "a")) }
    try store.commit { draft in
      #expect(
        throws: StoreError.idChanged(
          ObjectID(Renamed.self, 1), to: ObjectID(Renamed.self, 2))
      ) {
        try draft.update(Renamed.self, 1) { object in
          object.id = 2
          object.name = "b"
        }
      }
    }
    #expect(try store.all(Renamed.self).map(\.name) == ["a"])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: inserting twice, and changing what isn't there, is refused and undoes nothing else`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    let name = ObjectID(Owner.self, 1)
    try store.commit { draft in
      #expect(throws: StoreError.notFound(name)) { try draft.delete(Owner.self, 1) }
      #expect(throws: StoreError.notFound(name)) { try draft.update(Owner.self, 1) { _ in } }
      try draft.insert(Owner(id: 1, name: "Ann"))
      #expect(throws: StoreError.alreadyExists(name)) { try draft.insert(Owner(id: 1)) }
      #expect(throws: Refusal()) {
        try draft.update(Owner.self, 1) { owner in
          owner.name = "Bob"
          throw Refusal()
        }
      }
    }
    try store.commit { draft in
      #expect(throws: StoreError.alreadyExists(name)) { try draft.insert(Owner(id: 1)) }
      try draft.delete(Owner.self, 1)
      #expect(throws: StoreError.notFound(name)) { try draft.delete(Owner.self, 1) }
      try draft.insert(Owner(id: 1, name: "Cid"))
    }
    #expect(try store.all(Owner.self).map(\.name) == ["Cid"])
  }

  // MARK: Delete rules

  @Test(arguments: TestStorage.withServer)
  func `S4: a parent that is deleted and inserted again keeps its children`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeHousehold()
    try store.commit { draft in
      try draft.insert(Owner(id: 1, name: "Ann"))
      try draft.insert(Pet(id: 1, owner: Ref(1)))
      try draft.insert(Passport(id: 1, owner: Ref(1)))
      try draft.insert(License(id: 1, owner: Ref(1)))
    }
    let commits = Recorder(store.commits)
    try store.commit { draft in
      try draft.delete(Owner.self, 1)
      try draft.insert(Owner(id: 1, name: "Ann B."))
    }
    #expect(commits.values.first?.changes.count == 1)
    #expect(try store.find(Pet.self, 1)?.owner == Ref(1))
    #expect(try store.find(Passport.self, 1) != nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: nullify clears the reference and cascade deletes, in the same commit`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      try draft.insert(Owner(id: 2))
      for id in 1...3 { try draft.insert(Pet(id: id, owner: Ref(id % 2 + 1))) }
      for id in 1...3 { try draft.insert(Passport(id: id, owner: Ref(id % 2 + 1))) }
    }
    let commits = Recorder(store.commits)
    try store.commit { draft in
      // What comes and changes in the commit follows the rules too.
      try draft.insert(Pet(id: 4, owner: Ref(2)))
      try draft.insert(Passport(id: 4, owner: Ref(2)))
      try draft.update(Pet.self, 1) { $0.owner = Ref(1) }
      try draft.delete(Owner.self, 2)
    }
    let commit = try #require(commits.values.first)
    #expect(commit.changes(of: Owner.self).deleted.map(\.id) == [2])
    #expect(commit.changes(of: Passport.self).deleted.map(\.id) == [1, 3])
    #expect(commit.changes(of: Passport.self).inserted.isEmpty)
    #expect(commit.changes(of: Pet.self).inserted.map(\.owner) == [nil])
    #expect(commit.changes(of: Pet.self).updated.map(\.new.id) == [1, 3])
    #expect(try store.all(Pet.self).map(\.owner) == [Ref(1), Ref(1), nil, nil])
    #expect(try store.all(Passport.self).map(\.id) == [2])
  }

  @Test(.oneThread, arguments: TestStorage.withServer)
  func `S4: cascades close over levels and cycles`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Folder.self)
    // Every graph of four folders, each in one or in none: what goes is what can reach the deleted.
    try withEvery("parents", in: sequences(of: [-1, 0, 1, 2, 3], upTo: 4)) { parents in
      guard parents.count == 4 else { return }
      try store.commit { draft in
        for (id, parent) in parents.enumerated() {
          try draft.upsert(Folder(id: id, parent: parent < 0 ? nil : Ref(parent)))
        }
      }
      try store.commit { try $0.delete(Folder.self, 0) }
      let left = (0..<4).filter { start in
        var at = start
        for _ in 0..<4 where at > 0 { at = parents[at] }
        return at != 0
      }
      expectEqual(try store.all(Folder.self).map(\.id), left)
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: deny is judged after the cascades, and nothing has happened if it holds`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      try draft.insert(Passport(id: 1, owner: Ref(1)))
      try draft.insert(Stamp(id: 1, passport: Ref(1), owner: Ref(1)))
      try draft.insert(Pet(id: 1, owner: Ref(1)))
      try draft.insert(Owner(id: 2))
      try draft.insert(Passport(id: 2, owner: Ref(2)))
      try draft.insert(Visa(id: 2, passport: Ref(2)))
    }
    let commits = Recorder(store.commits)
    #expect(
      throws: StoreError.deleteDenied(
        ObjectID(Passport.self, 2), referrer: ObjectID(Visa.self, 2), attribute: "passport")
    ) {
      try store.commit { draft in
        try draft.delete(Owner.self, 1)
        try draft.delete(Owner.self, 2)
      }
    }
    #expect(commits.values.isEmpty)
    #expect(try store.count(Query<Owner>()) == 2)
    // The stamp denies, but goes with the passport, which goes with the owner.
    try store.commit { try $0.delete(Owner.self, 1) }
    #expect(commits.values.first?.changes.count == 4)
    // The visa denies, but is deleted besides, or refers to something else by then.
    try store.commit { draft in
      try draft.delete(Owner.self, 2)
      try draft.update(Visa.self, 2) { $0.passport = nil }
    }
    #expect(try store.count(Query<Passport>()) == 0)
    try store.commit { draft in
      try draft.insert(Owner(id: 3))
      try draft.insert(License(id: 3, owner: Ref(3)))
    }
    #expect(throws: StoreError.self) { try store.commit { try $0.delete(Owner.self, 3) } }
    try store.commit { draft in
      try draft.delete(Owner.self, 3)
      try draft.delete(License.self, 3)
    }
    #expect(try store.count(Query<Owner>()) == 0)
  }

  // MARK: Entities

  @Test(arguments: TestStorage.withServer)
  func `S4: an entity may have nothing but an id`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Tag.self)
    try store.commit { draft in
      try draft.insert(Tag(id: "a"))
      try draft.insert(Tag(id: "b"))
    }
    try store.commit { draft in
      try draft.update(Tag.self, "a") { _ in }
      try draft.delete(Tag.self, "b")
    }
    #expect(try store.all(Tag.self).map(\.id) == ["a"])
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: a store of more than sixteen entities finds each one's objects`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(
      Owner.self, Pet.self, License.self, Passport.self, Visa.self, Stamp.self, Letter.self,
      Folder.self, Seat.self, Tag.self, Measure.self, Article.self, Leaf.self, Blob.self, Lift.self,
      Person.self, Car.self)
    try store.commit { draft in
      try draft.insert(Owner(id: 1))
      try draft.insert(Tag(id: "t"))
      try draft.insert(Blob(id: 3, bytes: [1]))
    }
    #expect(try store.find(Owner.self, 1) != nil)
    #expect(try store.find(Tag.self, "t") != nil)
    #expect(try store.all(Blob.self).map(\.id) == [3])
    #expect(try store.count(Query<Car>()) == 0)
    #expect(throws: StoreError.unknownEntity("Account")) { try store.count(Query<Account>()) }
  }

  @Test(arguments: TestStorage.withServer)
  func `S6: an entity that the store doesn't know is refused by its name`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeStore(Owner.self)
    let unknown = StoreError.unknownEntity("Seat")
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(throws: unknown) { try store.commit { try $0.insert(Seat(id: 1)) } }
    #expect(throws: unknown) { try store.commit { _ = try $0.find(Seat.self, 1) } }
    #expect(throws: unknown) { try store.commit { _ = try $0.fetch(Query<Seat>()) } }
    #expect(throws: unknown) { try store.find(Seat.self, 1) }
    #expect(throws: unknown) { try store.fetch(Query<Seat>()) }
    #expect(throws: unknown) { try store.count(Query<Seat>()) }
    #expect(throws: StoreError.self) {
      try store.fetch(Query<Owner>().filter { $0.pets.isEmpty })
    }
  }
}
