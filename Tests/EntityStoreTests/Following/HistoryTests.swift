import EntityStore
import TestSupport
import Testing

@Suite struct `Commits are remembered and undone` {
  private func makeStore() throws -> Store {
    let store = try TestStorage.memory.makeHousehold()
    store.historyLimit = 10
    try store.commit { draft in
      try draft.insert(Owner(id: 1, name: "Ann"))
      try draft.insert(Pet(id: 1, owner: Ref(1)))
      try draft.insert(Passport(id: 1, owner: Ref(1)))
    }
    return store
  }

  @Test func `Undo gives back what the commit changed, and nothing else`() throws {
    let store = try makeStore()
    try store.commit(named: "Rename") { try $0.update(Owner.self, 1) { $0.name = "Bob" } }
    try store.commit { try $0.update(Pet.self, 1) { $0.owner = nil } }
    #expect(store.undoNames == ["Rename"])
    #expect(try store.undo() == "Rename")
    #expect(try store.find(Owner.self, 1)?.name == "Ann")
    #expect(try store.find(Pet.self, 1)?.owner == nil)
    #expect(store.undoNames.isEmpty && store.redoNames == ["Rename"])
    #expect(try store.redo() == "Rename")
    #expect(try store.find(Owner.self, 1)?.name == "Bob")
    #expect(try store.redo() == nil)
  }

  @Test func `Undo of a deletion brings back what went with it`() throws {
    let store = try makeStore()
    try store.commit(named: "Delete Ann") { try $0.delete(Owner.self, 1) }
    #expect(try store.find(Passport.self, 1) == nil)
    #expect(try store.find(Pet.self, 1)?.owner == nil)
    try store.undo()
    #expect(try store.find(Passport.self, 1)?.owner == Ref(1))
    #expect(try store.find(Pet.self, 1)?.owner == Ref(1))
  }

  @Test func `S1: what has changed since is named, and nothing happens`() throws {
    let store = try makeStore()
    try store.commit(named: "Rename") { try $0.update(Owner.self, 1) { $0.name = "Bob" } }
    try store.commit { try $0.update(Owner.self, 1) { $0.name = "Cid" } }
    let version = try store.version
    #expect(
      throws: StoreError.changedSince(
        ObjectID(Owner.self, 1), attribute: "name", expected: .text("Bob"), found: .text("Cid"))
    ) { try store.undo() }
    #expect(try store.version == version)
    #expect(store.undoNames == ["Rename"])
    try store.commit { try $0.update(Owner.self, 1) { $0.name = "Bob" } }
    #expect(try store.undo() == "Rename")
    try store.commit { try $0.delete(Owner.self, 1) }
    #expect(throws: StoreError.notFound(ObjectID(Owner.self, 1))) { try store.redo() }
    #expect(store.redoNames == ["Rename"])
  }

  @Test func `A commit with a name forgets what could be done again`() throws {
    let store = try makeStore()
    for name in ["b", "c"] {
      try store.commit(named: name) { try $0.update(Owner.self, 1) { $0.name = name } }
    }
    try store.undo()
    try store.commit { try $0.insert(Owner(id: 2)) }
    #expect(store.redoNames == ["c"])
    try store.commit(named: "d") { try $0.update(Owner.self, 1) { $0.name = "d" } }
    #expect(store.undoNames == ["b", "d"] && store.redoNames.isEmpty)
  }

  @Test func `As many commits are remembered as the limit says, none at first`() throws {
    let store = try TestStorage.memory.makeHousehold()
    try store.commit(named: "a") { try $0.insert(Owner(id: 0)) }
    #expect(store.history.isEmpty && store.undoNames.isEmpty)
    #expect(try store.undo() == nil)
    store.historyLimit = 3
    for id in 1...200 {
      try store.commit(named: "\(id)") { try $0.insert(Owner(id: id)) }
      #expect(
        store.history.map(\.version).suffix(3) == Array(Int64(max(2, id - 1))...Int64(id + 1))[...])
    }
    #expect(store.undoNames == ["198", "199", "200"])
    store.historyLimit = 1
    #expect(store.history.map(\.version) == [201] && store.undoNames == ["200"])
    store.historyLimit = 0
    #expect(store.history.isEmpty && store.undoNames.isEmpty)
  }

  @Test func `A commit of a store is replayed in another, or refused as a whole`() throws {
    let store = try makeStore()
    try store.commit { draft in
      try draft.update(Owner.self, 1) { $0.name = "Bob" }
      try draft.insert(Owner(id: 2))
    }
    let other = try TestStorage.file.makeHousehold()
    for commit in store.history { try other.replay(commit) }
    #expect(try other.fetch(Query<Owner>()).map(\.name) == ["Bob", ""])
    let last = try #require(store.history.last)
    #expect(throws: StoreError.self) { try other.replay(last) }
    #expect(try other.version == 2)
  }
}
