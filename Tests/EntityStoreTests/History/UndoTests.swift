import EntityStore
import Fixtures
import TestSupport
import Testing

@Suite struct `Commits with names are undone and redone` {
  private func makeHousehold(_ storage: TestStorage) throws -> Store {
    let store = try storage.makeStore(
      Owner.self, Pet.self, License.self, Passport.self, Visa.self, Stamp.self, Letter.self,
      Seat.self, Measure.self)
    store.historyLimit = 100
    return store
  }

  private func rename(_ store: Store, _ id: Int, _ name: String, named: String? = nil) throws {
    try store.commit(named: named) { draft in try draft.update(Owner.self, id) { $0.name = name } }
  }

  @Test(arguments: TestStorage.withServer)
  func `S9: names say what is undone next, and a further one forgets what was`(
    _ storage: TestStorage
  ) throws {
    let store = try makeHousehold(storage)
    let commits = Recorder(store.commits)
    try store.commit(named: "Insert") { try $0.insert(Owner(id: 1, name: "a")) }
    try rename(store, 1, "b", named: "Rename")
    try rename(store, 1, "c", named: "")
    #expect(store.undoNames == ["Insert", "Rename", ""])
    #expect(try store.undo() == "")
    #expect(try store.undo() == "Rename")
    #expect(try store.find(Owner.self, 1)?.name == "a")
    #expect(store.undoNames == ["Insert"])
    #expect(store.redoNames == ["", "Rename"])
    #expect(try store.redo() == "Rename")
    #expect(store.undoNames == ["Insert", "Rename"])
    #expect(store.redoNames == [""])
    // A commit without a name forgets nothing, and one with a name what was to be done again.
    try store.commit { try $0.insert(Owner(id: 2)) }
    #expect(store.redoNames == [""])
    #expect(try store.redo() == "")
    #expect(try store.undo() == "")
    try store.commit(named: "Nothing") { _ in }
    #expect(store.redoNames == [""])
    try store.commit(named: "Other") { try $0.insert(Owner(id: 3)) }
    #expect(store.undoNames == ["Insert", "Rename", "Other"])
    #expect(store.redoNames.isEmpty)
    #expect(try store.redo() == nil)
    // Each step is a commit like any other, with a version of its own.
    #expect(commits.values.map(\.version) == Array(1...10))
    #expect(store.history.map(\.version) == Array(1...10))
    #expect(
      commits.values.map(\.name) == ["Insert", "Rename", "", nil, nil, nil, nil, nil, nil, "Other"])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: undoing a delete gives back what its rules deleted and changed`(_ storage: TestStorage)
    throws
  {
    let store = try makeHousehold(storage)
    try store.commit { draft in
      for id in 1...2 {
        try draft.insert(Owner(id: id, name: "o\(id)"))
        try draft.insert(Passport(id: id, owner: Ref(id)))
        try draft.insert(Stamp(id: id, passport: Ref(id), owner: Ref(id)))
        try draft.insert(Letter(id: id, receiver: Ref(id)))
      }
      for id in 1...4 { try draft.insert(Pet(id: id, owner: Ref(id % 2 + 1))) }
    }
    let before = try store.contents()
    try store.commit(named: "Delete") { try $0.delete(Owner.self, 1) }
    let after = try store.contents()
    #expect(after.count == before.count - 3)
    for _ in 0..<3 {
      #expect(try store.undo() == "Delete")
      #expect(try store.contents() == before)
      #expect(try store.redo() == "Delete")
      #expect(try store.contents() == after)
    }
    // What came meanwhile follows the rules when it is done again, and comes back.
    try store.undo()
    try store.commit { draft in
      try draft.insert(Passport(id: 9, owner: Ref(1)))
      try draft.insert(Pet(id: 9, owner: Ref(1)))
    }
    let more = try store.contents()
    try store.redo()
    #expect(try store.find(Passport.self, 9) == nil)
    #expect(try store.find(Pet.self, 9)?.owner == nil)
    try store.undo()
    #expect(try store.contents() == more)
  }

  @Test(arguments: TestStorage.withServer)
  func `S9: what refers by now to an object that an undo deletes follows the delete rules`(
    _ storage: TestStorage
  ) throws {
    let store = try makeHousehold(storage)
    try store.commit(named: "Insert") { try $0.insert(Owner(id: 1)) }
    try store.commit { draft in
      try draft.insert(Passport(id: 1, owner: Ref(1)))
      try draft.insert(Pet(id: 1, owner: Ref(1)))
    }
    let before = try store.contents()
    #expect(try store.undo() == "Insert")
    #expect(try store.find(Owner.self, 1) == nil)
    #expect(try store.find(Passport.self, 1) == nil)
    #expect(EntityDump(try store.find(Pet.self, 1)) == EntityDump(Pet(id: 1, owner: nil)))
    #expect(try store.redo() == "Insert")
    #expect(try store.contents() == before)
  }

  @Test(arguments: TestStorage.withServer)
  func `S9: attributes that the commit didn't change stay as they are now`(_ storage: TestStorage)
    throws
  {
    let store = try makeHousehold(storage)
    try store.commit { try $0.insert(Seat(id: 1, code: "a", row: 1, number: 1)) }
    try store.commit(named: "Move") { draft in
      try draft.update(Seat.self, 1) { seat in
        seat.row = 2
        seat.number = nil
      }
    }
    try store.commit { draft in try draft.update(Seat.self, 1) { $0.code = "b" } }
    try store.undo()
    #expect(
      EntityDump(try store.find(Seat.self, 1))
        == EntityDump(Seat(id: 1, code: "b", row: 1, number: 1)))
    try store.commit { draft in try draft.update(Seat.self, 1) { $0.code = nil } }
    try store.redo()
    #expect(
      EntityDump(try store.find(Seat.self, 1))
        == EntityDump(Seat(id: 1, code: nil, row: 2, number: nil)))
  }

  @Test(arguments: TestStorage.withServer)
  func `S9: what has changed since is named, nothing happens, and it can be undone later`(
    _ storage: TestStorage
  ) throws {
    let store = try makeHousehold(storage)
    try store.commit { draft in
      for id in 1...3 { try draft.insert(Owner(id: id, name: "a")) }
    }
    func expectStuck(_ error: StoreError, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
      try store.expectRefusal(error, sourceLocation: sourceLocation) { _ = try store.undo() }
    }
    try store.commit(named: "Rename") { draft in
      for id in 1...3 { try draft.update(Owner.self, id) { $0.name = "b" } }
    }
    try rename(store, 2, "c")
    try expectStuck(
      .changedSince(
        ObjectID(Owner.self, 2), attribute: "name", expected: .text("b"), found: .text("c")))
    try store.commit { try $0.delete(Owner.self, 2) }
    try expectStuck(.notFound(ObjectID(Owner.self, 2)))
    try store.commit { try $0.insert(Owner(id: 2, name: "b")) }
    #expect(try store.undo() == "Rename")
    #expect(try store.all(Owner.self).map(\.name) == ["a", "a", "a"])

    try store.commit(named: "Delete") { try $0.delete(Owner.self, 1) }
    try store.commit { try $0.insert(Owner(id: 1, name: "new")) }
    try expectStuck(.alreadyExists(ObjectID(Owner.self, 1)))
    try store.commit { try $0.delete(Owner.self, 1) }
    #expect(try store.undo() == "Delete")

    try store.commit(named: "Insert") { draft in
      try draft.insert(Seat(id: 7, code: "x", row: 1, number: nil))
    }
    try store.commit { draft in try draft.update(Seat.self, 7) { $0.number = 3 } }
    try expectStuck(
      .changedSince(
        ObjectID(Seat.self, 7), attribute: "number", expected: .null, found: .integer(3)))
    try store.commit { draft in try draft.update(Seat.self, 7) { $0.number = nil } }
    #expect(try store.undo() == "Insert")
    #expect(try store.find(Seat.self, 7) == nil)
    try store.commit { try $0.insert(Seat(id: 7)) }
    try store.expectRefusal(.alreadyExists(ObjectID(Seat.self, 7))) { _ = try store.redo() }
    #expect(store.redoNames == ["Insert"])
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: what would break a rule isn't undone, nothing happens, and it can be undone later`(
    _ storage: TestStorage
  ) throws {
    let store = try makeHousehold(storage)
    func expectStuck(
      _ error: StoreError, until remedy: (inout Draft) throws -> Void,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for _ in 0..<2 {
        try store.expectRefusal(error, sourceLocation: sourceLocation) { _ = try store.undo() }
      }
      try store.commit(remedy)
      #expect(try store.undo() != nil, sourceLocation: sourceLocation)
    }
    // An object that another keeps from going.
    try store.commit(named: "Insert") { try $0.insert(Owner(id: 1)) }
    try store.commit { try $0.insert(License(id: 1, owner: Ref(1))) }
    try expectStuck(
      .deleteDenied(
        ObjectID(Owner.self, 1), referrer: ObjectID(License.self, 1), attribute: "owner")
    ) { try $0.delete(License.self, 1) }
    // A key that another has taken.
    try store.commit { try $0.insert(Seat(id: 1, code: "a")) }
    try store.commit(named: "Change") { draft in try draft.update(Seat.self, 1) { $0.code = "b" } }
    try store.commit { try $0.insert(Seat(id: 2, code: "a")) }
    try expectStuck(
      .notUnique(
        [ObjectID(Seat.self, 1), ObjectID(Seat.self, 2)], attributes: ["code"],
        values: [.text("a")])
    ) { draft in try draft.update(Seat.self, 2) { $0.code = nil } }
    // A reference to an object that has gone.
    try store.commit { draft in
      try draft.insert(Owner(id: 5))
      try draft.insert(Pet(id: 5, owner: Ref(5)))
    }
    try store.commit(named: "Delete") { try $0.delete(Pet.self, 5) }
    try store.commit { try $0.delete(Owner.self, 5) }
    try expectStuck(
      .missingReference(
        ObjectID(Pet.self, 5), attribute: "owner", target: ObjectID(Owner.self, 5))
    ) { try $0.insert(Owner(id: 5, name: "again")) }
  }

  @Test(arguments: TestStorage.withServer)
  func `S9: no more can be undone than the limit says, also after redo or a new limit`(
    _ storage: TestStorage
  ) throws {
    let store = try makeHousehold(storage)
    try store.commit { try $0.insert(Owner(id: 1)) }
    store.historyLimit = 4
    for name in ["a", "b", "c", "d", "e"] { try rename(store, 1, name, named: name) }
    #expect(store.undoNames == ["b", "c", "d", "e"])
    try store.undo()
    try store.undo()
    store.historyLimit = 2
    #expect(store.undoNames == ["b", "c"])
    #expect(store.redoNames == ["e", "d"])
    try store.redo()
    #expect(store.undoNames == ["c", "d"])
    try store.redo()
    #expect(store.undoNames == ["d", "e"])
    #expect(try store.find(Owner.self, 1)?.name == "e")
    #expect(store.history.count == 2)
    store.historyLimit = 1
    #expect(store.undoNames == ["e"])
    #expect(try store.undo() == "e")
    #expect(try store.undo() == nil)
    #expect(try store.find(Owner.self, 1)?.name == "d")
  }

  @Test(arguments: TestStorage.withServer)
  func `S8: a number that changes to its twin has not changed since`(_ storage: TestStorage) throws
  {
    let store = try makeHousehold(storage)
    try store.commit { try $0.insert(Measure(id: 1, value: 1)) }
    try store.commit(named: "Zero") { draft in
      try draft.update(Measure.self, 1) { $0.value = 0 }
    }
    try store.commit { draft in try draft.update(Measure.self, 1) { $0.value = -0.0 } }
    #expect(try store.undo() == "Zero")
    // Text of other bytes has.
    try store.commit { try $0.insert(Owner(id: 1, name: "a")) }
    try rename(store, 1, "e\u{301}", named: "Accent")
    try rename(store, 1, "\u{E9}")
    #expect(throws: StoreError.self) { try store.undo() }
  }
}
