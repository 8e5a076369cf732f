import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `The next id is one that no object has had` {
  private struct Refused: Error {}

  private func add(_ store: Store, _ name: String = "") throws -> Int {
    try store.commit { draft in
      let id = try draft.nextID(Owner.self)
      try draft.insert(Owner(id: id, name: name))
      return id
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: the id of a deleted object isn't given again`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    #expect(try add(store) == 1)
    #expect(try add(store) == 2)
    try store.commit { try $0.delete(Owner.self, 2) }
    #expect(try add(store) == 3)
    try store.commit { try $0.deleteAll(Owner.self) }
    #expect(try add(store) == 4)
    // In one commit, too.
    try store.commit { draft in
      #expect(try draft.nextID(Owner.self) == 5)
      try draft.insert(Owner(id: 5))
      try draft.delete(Owner.self, 5)
      #expect(try draft.nextID(Owner.self) == 6)
    }
    #expect(try add(store) == 7)
    // Each entity has its own.
    #expect(try store.commit { try $0.nextID(Pet.self) } == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: nor is that of an object which was deleted before an id was asked for`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(contentsOf: (1...5).map { Owner(id: $0) }) }
    try store.commit { draft in
      try draft.delete(Owner.self, 2)
      try draft.delete(Owner.self, 5)
    }
    #expect(try add(store) == 6)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: ids chosen by hand are respected`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(Owner(id: -7)) }
    #expect(try add(store) == 1)
    try store.commit { try $0.insert(Owner(id: 10)) }
    #expect(try add(store) == 11)
    try store.commit { draft in
      try draft.insert(Owner(id: 20))
      #expect(try draft.nextID(Owner.self) == 21)
      try draft.upsert(Owner(id: 30))
      try draft.delete(Owner.self, 30)
      #expect(try draft.nextID(Owner.self) == 31)
    }
    #expect(try add(store) == 32)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: ids that a commit took stay taken, also where it inserted nothing`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    let commits = Recorder(store.commits)
    let taken = try (1...3).map { _ in try store.commit { try $0.nextID(Owner.self) } }
    #expect(taken == [1, 2, 3])
    #expect(commits.values.isEmpty)
    #expect(throws: Refused.self) {
      try store.commit { draft in
        #expect(try draft.nextID(Owner.self) == 4)
        throw Refused()
      }
    }
    // Of a commit that threw the ids may be given again, of a nested one they aren't in this commit.
    try store.commit { draft in
      #expect(try draft.nextID(Owner.self) == 4)
      #expect(throws: Refused.self) {
        try store.commit { inner in
          #expect(try inner.nextID(Owner.self) == 5)
          throw Refused()
        }
      }
      let id = try draft.nextID(Owner.self)
      #expect(id == 6)
      try draft.insert(Owner(id: id))
    }
    #expect(try add(store) == 7)
    #expect(commits.values.count == 2)
    #expect(
      commits.values.allSatisfy { $0.isComplete && $0.changes(of: Owner.self).inserted.count == 1 })
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an insert that was undone and made again is respected`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Owner.self)
    try store.commit { draft in
      #expect(throws: Refused.self) {
        try store.commit { inner in
          try inner.insert(Owner(id: 7))
          throw Refused()
        }
      }
      try draft.insert(Owner(id: 7))
      expectEqual(try draft.nextID(Owner.self), 8)
    }
    #expect(try add(store) == 9)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: an insert that was undone uses no ids up`(_ storage: TestStorage) throws {
    let store = try storage.makeStore(Owner.self, Pet.self, Small.self)
    try store.commit { draft in
      expectEqual(try draft.nextID(Owner.self), 1)
      // An id is asked for before, afterwards and in between.
      #expect(throws: Refused.self) {
        try store.commit { inner in
          try inner.insert(Owner(id: .max))
          try inner.insert(Pet(id: .max))
          try inner.insert(Small(id: 127))
          #expect(throws: StoreError.noNextID(entity: "Small")) { try inner.nextID(Small.self) }
          throw Refused()
        }
      }
      expectEqual(try draft.nextID(Owner.self), 2)
      expectEqual(try draft.nextID(Pet.self), 1)
      expectEqual(try draft.nextID(Small.self), 1)
    }
    #expect(try add(store) == 3)
    try store.commit { draft in
      #expect(throws: StoreError.alreadyExists(ObjectID(Owner.self, 3))) {
        try draft.insert(contentsOf: [Owner(id: .max), Owner(id: 3)])
      }
      #expect(throws: Refused.self) {
        try draft.update(Owner.self, 3) { _ in
          try store.commit { try $0.insert(Owner(id: .max)) }
          throw Refused()
        }
      }
      #expect(try draft.nextID(Owner.self) == 4)
      // The insert before stays, and so does an id that was returned.
      try draft.insert(Owner(id: 10))
      #expect(throws: Refused.self) {
        try store.commit { inner in
          try inner.delete(Owner.self, 10)
          try inner.insert(Owner(id: 20))
          #expect(try inner.nextID(Owner.self) == 21)
          try inner.insert(Owner(id: .max))
          throw Refused()
        }
      }
      #expect(try draft.nextID(Owner.self) == 22)
    }
    #expect(try store.all(Owner.self).map(\.id) == [3, 10])
    #expect(try add(store) == 23)
  }

  @Test(arguments: TestStorage.withServer)
  func `S4: undoing and doing again gives no id back`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    store.historyLimit = 10
    try store.commit(named: "Add") { draft in
      try draft.insert(Owner(id: try draft.nextID(Owner.self)))
    }
    try store.undo()
    #expect(try add(store) == 2)
    try store.redo()
    #expect(try store.all(Owner.self).map(\.id) == [1, 2])
    #expect(try add(store) == 3)
  }

  private struct Small: Entity {
    let id: Int8
    static let attributes = Attributes(.id(\Small.id))
    static let schema = Schema(attributes, Small.init)
  }

  private struct Named: Entity {
    struct ID: RawRepresentable, Hashable, Storable { var rawValue: Int32 }
    let id: ID
    static let attributes = Attributes(.id(\Named.id))
    static let schema = Schema(attributes, Named.init)
  }

  @Test(arguments: TestStorage.withServer)
  func `S6: after the highest number there is none, and the commit can continue`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Small.self, Named.self, Owner.self)
    try store.commit { draft in
      #expect(try draft.nextID(Named.self) == Named.ID(rawValue: 1))
      try draft.insert(Small(id: 127))
      try draft.insert(Named(id: Named.ID(rawValue: .max)))
      try draft.insert(Owner(id: .max))
      #expect(throws: StoreError.noNextID(entity: "Small")) { try draft.nextID(Small.self) }
      #expect(throws: StoreError.noNextID(entity: "Named")) { try draft.nextID(Named.self) }
      #expect(throws: StoreError.noNextID(entity: "Owner")) { try draft.nextID(Owner.self) }
    }
    #expect(try store.all(Small.self).map(\.id) == [127])
    #expect(throws: StoreError.unknownEntity("Pet")) {
      try store.commit { _ = try $0.nextID(Pet.self) }
    }
  }
}
