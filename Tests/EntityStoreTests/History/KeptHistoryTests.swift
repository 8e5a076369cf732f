import EntityStore
import Fixtures
import SQLitePersistence
import TestSupport
import Testing

@Suite(.oneThread) struct `A history that a file keeps` {
  private let path = temporaryPath("history")

  private func open(_ limit: Int = 100, _ entities: [any Entity.Type] = household) throws -> Store {
    try Store(
      .sqlite(path: path, durability: .normal, watching: .none, historyLimit: limit),
      entities: entities)
  }

  private static let household: [any Entity.Type] = [
    Owner.self, Pet.self, License.self, Passport.self, Visa.self, Stamp.self, Letter.self,
    Seat.self, Measure.self,
  ]
  private static var plain: [any Entity.Type] { [Owner.self] }

  @Test func `S9: inserts, updates and deletes are undone and redone in the next run`() throws {
    var store: Store? = try open()
    var states: [[ObjectID: [StoredValue]]] = []
    func commit(_ name: String, _ body: (inout Draft) throws -> Void) throws {
      let store = try #require(store)
      states.append(try store.contents())
      try store.commit(named: name, body)
    }
    try commit("Insert") { draft in
      try draft.insert(Owner(id: 1, name: "a"))
      try draft.insert(Pet(id: 1, owner: Ref(1)))
      try draft.insert(Seat(id: 1, code: "a", row: 1, number: 1))
      try draft.insert(Seat(id: 2, code: nil, row: 2, number: nil))
    }
    try commit("Move") { draft in
      try draft.update(Seat.self, 1) {
        $0.row = 7
        $0.code = nil
      }
      try draft.update(Owner.self, 1) { $0.name = "b" }
    }
    try commit("Delete") { draft in
      try draft.delete(Owner.self, 1)
      try draft.delete(Seat.self, 1)
    }
    try commit("Again") { try $0.insert(Owner(id: 1, name: "c")) }
    let names = ["Insert", "Move", "Delete", "Again"]
    states.append(try #require(store).contents())

    for place in names.indices.reversed() {
      store = nil
      let open = try open()
      store = open
      #expect(open.historyLimit == 100)
      #expect(open.undoNames == Array(names[...place]))
      #expect(open.redoNames == names[(place + 1)...].reversed())
      #expect(try open.undo() == names[place])
      #expect(try open.contents() == states[place])
    }
    for place in names.indices {
      store = nil
      let open = try open()
      store = open
      #expect(try open.redo() == names[place])
      #expect(try open.contents() == states[place + 1])
    }
    #expect(try #require(store).redo() == nil)
  }

  @Test(arguments: seeds(12))
  func `S9: any walk with openings between is that of a list of states`(_ seed: Int) throws {
    var random = RandomHousehold(seed: 7000 + seed)
    try random.walk(60, in: open(1000)) { try open(1000) }
  }

  @Test(arguments: seeds(20))
  func `S9: with other commits between, each step is that of a history in memory`(
    _ seed: Int
  ) throws {
    var random = RandomHousehold(seed: 9000 + seed)
    var twin = random
    let memory = try TestStorage.memory.makeStore(Self.household)
    memory.historyLimit = 1000
    var store = try open(1000)
    var steps = 0
    for number in 0..<60 {
      if random.chance(0.15) { store = try open(1000) }
      expectEqual(store.undoNames, memory.undoNames)
      expectEqual(store.redoNames, memory.redoNames)
      let kind = random.number(4)
      twin = random
      switch kind {
      case 0 where !store.undoNames.isEmpty, 1 where !store.redoNames.isEmpty:
        func step(_ store: Store) throws -> (text: String, named: [ObjectID], isRefused: Bool) {
          do {
            let name = try kind == 0 ? store.undo() : store.redo()
            return (name ?? "nothing", [], false)
          } catch let error as StoreError {
            return ("\(error)", error.objects, true)
          }
        }
        let (kept, plain) = (try step(store), try step(memory))
        expectEqual(kept.isRefused, plain.isRefused)
        // If several objects forbid it, any of them may be named.
        if kept.named == plain.named { expectEqual(kept.text, plain.text) }
        steps += 1
      default:
        let name = random.chance(0.5) ? "\(number)" : nil
        _ = twin.chance(0.5)
        random.commit(store, named: name)
        twin.commit(memory, named: name)
      }
      expectEqual(try store.contents(), try memory.contents())
    }
    expectTrue(steps > 0)
  }

  @Test func `S9: as many commits are kept as the limit says, and a new one ends all redo`() throws
  {
    var store = try open(3, Self.plain)
    for id in 1...5 {
      try store.commit(named: "\(id)") { try $0.insert(Owner(id: id, name: "a")) }
    }
    store = try open(3, Self.plain)
    #expect(store.undoNames == ["3", "4", "5"])
    while try store.undo() != nil {}
    store = try open(2, Self.plain)
    #expect(store.redoNames == ["4", "3"])
    try store.redo()
    try store.commit(named: "6") { try $0.insert(Owner(id: 6, name: "a")) }
    try store.commit { try $0.insert(Owner(id: 7, name: "a")) }
    store = try open(3, Self.plain)
    #expect(store.undoNames == ["3", "6"])
    #expect(store.redoNames.isEmpty)
    store.historyLimit = 0
    try store.commit(named: "8") { try $0.insert(Owner(id: 8, name: "a")) }
    #expect(try open(3, Self.plain).undoNames.isEmpty)
  }

  @Test func `S9: a lower limit removes the oldest ones from the file with the next commit`() throws
  {
    let store = try open(9, Self.plain)
    for id in 1...5 {
      try store.commit(named: "\(id)") { try $0.insert(Owner(id: id, name: "a")) }
    }
    try store.undo()
    store.historyLimit = 2
    store.historyLimit = 9
    #expect(store.undoNames == ["3", "4"])
    try store.undo()
    var next = try open(9, Self.plain)
    #expect(next.undoNames == ["3"])
    #expect(next.redoNames == ["5", "4"])
    store.historyLimit = 0
    store.historyLimit = 9
    try store.commit(named: "6") { try $0.insert(Owner(id: 6, name: "a")) }
    next = try open(9, Self.plain)
    #expect(next.undoNames == ["6"])
  }

  @Test func `S9: a cleared history is cleared in the file, and nothing is kept unless asked for`()
    throws
  {
    var store = try open(5, Self.plain)
    for id in 1...3 {
      try store.commit(named: "\(id)") { try $0.insert(Owner(id: id, name: "a")) }
    }
    try store.undo()
    let version = try store.version
    try store.clearHistory()
    #expect(try store.version == version)
    #expect(store.undoNames.isEmpty && store.redoNames.isEmpty)
    store = try open(5, Self.plain)
    #expect(store.undoNames.isEmpty && store.redoNames.isEmpty)
    try store.commit(named: "4") { try $0.insert(Owner(id: 4, name: "a")) }

    let other = try open(0, Self.plain)
    #expect(other.historyLimit == 0 && other.undoNames.isEmpty)
    other.historyLimit = 5
    try other.commit(named: "5") { try $0.insert(Owner(id: 5, name: "a")) }
    #expect(other.undoNames == ["5"])
    #expect(try open(5, Self.plain).undoNames == ["4"])
  }

  @Test func `S9: what another program changes forbids an undo in the next run, too`() throws {
    var store = try open(9, Self.plain)
    try store.commit(named: "1") { draft in
      for id in 1...3 { try draft.insert(Owner(id: id, name: "a")) }
    }
    try store.commit(named: "2") { draft in try draft.update(Owner.self, 1) { $0.name = "b" } }
    try store.commit(named: "3") { draft in try draft.update(Owner.self, 2) { $0.name = "b" } }
    try store.commit(named: "4") { draft in try draft.update(Owner.self, 3) { $0.name = "b" } }
    let other = try open(0, Self.plain)
    try other.commit { draft in
      try draft.delete(Owner.self, 1)
      try draft.update(Owner.self, 2) { $0.name = "c" }
    }
    store = try open(9, Self.plain)
    #expect(store.undoNames == ["1", "2", "3", "4"])
    #expect(try store.undo() == "4")
    let id = ObjectID(Owner.self, 2)
    try store.expectRefusal(
      .changedSince(id, attribute: "name", expected: .text("b"), found: .text("c"))
    ) { _ = try store.undo() }
    try other.commit { draft in try draft.update(Owner.self, 2) { $0.name = "b" } }
    #expect(try store.undo() == "3")
    try store.expectRefusal(.notFound(ObjectID(Owner.self, 1))) { _ = try store.undo() }
    try other.commit { try $0.insert(Owner(id: 1, name: "b")) }
    #expect(try store.undo() == "2")
    #expect(try store.undo() == "1")
    #expect(try store.all(Owner.self).isEmpty)
  }

  @Test func `S9: a commit that another store has removed is left out`() throws {
    let first = try open(9, Self.plain)
    for id in 1...3 {
      try first.commit(named: "\(id)") { try $0.insert(Owner(id: id, name: "a")) }
    }
    let second = try open(9, Self.plain)
    try first.undo()
    try first.clearHistory()
    // Each call is for the name that the store shows.
    for names in [["1", "2", "3"], ["1", "2"], ["1"], []] {
      #expect(second.undoNames == names)
      #expect(try second.undo() == nil)
    }
    #expect(try second.all(Owner.self).count == 2)
  }

  @Test func `S9: what another store has undone isn't undone once more, nor redone`() throws {
    let first = try open(9, Self.plain)
    try first.commit(named: "Insert") { draft in
      for id in 1...2 { try draft.insert(Owner(id: id, name: "a")) }
    }
    for change in ["update", "delete", "insert"] {
      try first.commit(named: change) { draft in
        switch change {
        case "update": try draft.update(Owner.self, 1) { $0.name = "b" }
        case "delete": try draft.delete(Owner.self, 2)
        default: try draft.insert(Owner(id: 3, name: "a"))
        }
      }
      // Both have found it in the file.
      let (second, third) = (try open(9, Self.plain), try open(9, Self.plain))
      let done = try second.contents()
      #expect(try second.undo() == change)
      let undone = try second.contents()
      #expect(throws: StoreError.self) { try third.undo() }
      #expect(try third.contents() == undone)
      let (fourth, fifth) = (try open(9, Self.plain), try open(9, Self.plain))
      #expect(try fourth.redo() == change)
      #expect(throws: StoreError.self) { try fifth.redo() }
      #expect(try fifth.contents() == done)
      let last = try open(9, Self.plain)
      #expect(last.undoNames.last == change && last.redoNames.isEmpty)
      #expect(try last.undo() == change)
      #expect(try last.contents() == undone)
      try last.redo()
    }
  }

  @Test func `S9: a commit of more than 4 MB isn't kept, nor those before it`() throws {
    var store = try open(9, Self.plain)
    try store.commit(named: "1") { try $0.insert(Owner(id: 1, name: "a")) }
    try store.commit(named: "2") { draft in
      try draft.insert(Owner(id: 2, name: String(repeating: "x", count: 5 << 20)))
    }
    #expect(store.undoNames == ["1", "2"])
    store = try open(9, Self.plain)
    #expect(store.undoNames.isEmpty)
    try store.commit(named: "2b") { try $0.insert(Owner(id: 9, name: "a")) }
    store = try open(9, Self.plain)
    try store.commit(named: "large") { draft in
      try draft.update(Owner.self, 9) { $0.name = String(repeating: "x", count: 5 << 20) }
    }
    // "2b" was only in the file.
    #expect(store.undoNames == ["large"])
    #expect(try store.undo() == "large")
    #expect(try store.undo() == nil)
    try store.commit(named: "3") { try $0.insert(Owner(id: 3, name: "a")) }
    store = try open(9, Self.plain)
    #expect(store.undoNames == ["3"])
    try store.commit(named: "4") { draft in
      try draft.insert(Owner(id: 4, name: String(repeating: "x", count: 4_000_000)))
    }
    #expect(try open(9, Self.plain).undoNames == ["3", "4"])
  }

  @Test func `S9: two stores of a file keep one history, in the order of the commits`() throws {
    let first = try open(9, Self.plain)
    let second = try open(9, Self.plain)
    try first.commit(named: "1") { try $0.insert(Owner(id: 1, name: "a")) }
    try second.commit(named: "2") { try $0.insert(Owner(id: 2, name: "a")) }
    try first.commit(named: "3") { try $0.insert(Owner(id: 3, name: "a")) }
    #expect(first.undoNames == ["1", "3"])
    #expect(second.undoNames == ["2"])
    #expect(try second.undo() == "2")
    let third = try open(9, Self.plain)
    #expect(third.undoNames == ["1", "3"])
    #expect(third.redoNames == ["2"])
    while try third.undo() != nil {}
    #expect(try first.all(Owner.self).isEmpty)
  }

  @Test func `S9: a commit that two stores undo and redo is kept once`() throws {
    let first = try open(9, Self.plain)
    try first.commit(named: "1") { try $0.insert(Owner(id: 1, name: "a")) }
    try first.commit(named: "2") { draft in try draft.update(Owner.self, 1) { $0.name = "b" } }
    let second = try open(9, Self.plain)
    try second.undo()
    try second.redo()
    try first.undo()
    var third = try open(9, Self.plain)
    #expect(third.undoNames == ["1"] && third.redoNames == ["2"])
    // The second store doesn't know that the first one has undone it.
    #expect(throws: StoreError.self) { try second.undo() }
    try first.redo()
    try second.undo()
    try second.redo()
    third = try open(9, Self.plain)
    #expect(third.undoNames == ["1", "2"] && third.redoNames.isEmpty)
    #expect(try third.undo() == "2")
    #expect(try third.undo() == "1")
    #expect(try third.all(Owner.self).isEmpty)
  }
}
