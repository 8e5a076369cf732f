@_spi(Storage) @testable import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `A store remembers its last commits` {
  @Test(arguments: TestStorage.withServer)
  func `S1: none, unless it is asked to`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    #expect(store.historyLimit == 0)
    try store.commit(named: "Insert") { try $0.insert(Owner(id: 1)) }
    #expect(store.history.isEmpty)
    #expect(store.undoNames.isEmpty)
    #expect(store.redoNames.isEmpty)
    #expect(try store.undo() == nil)
    #expect(try store.redo() == nil)
    #expect(try store.version == 1)
    #expect(try store.count(Query<Owner>()) == 1)
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: a cleared history continues with the next commit`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    store.historyLimit = 10
    try store.commit { try $0.insert(Owner(id: 1)) }
    for name in ["a", "b", "c"] {
      try store.commit(named: name) { draft in
        try draft.update(Owner.self, 1) { $0.name = name }
      }
    }
    try store.undo()
    try store.commit { draft in try draft.update(Owner.self, 1) { $0.name = "other" } }
    #expect(throws: StoreError.self) { try store.undo() }
    #expect(store.undoNames == ["a", "b"] && store.redoNames == ["c"])
    let version = try store.version
    try store.clearHistory()
    #expect(store.undoNames.isEmpty && store.redoNames.isEmpty && store.history.isEmpty)
    #expect(store.historyLimit == 10)
    #expect(try store.undo() == nil)
    #expect(try store.redo() == nil)
    #expect(try store.version == version)
    try store.commit(named: "d") { draft in try draft.update(Owner.self, 1) { $0.name = "d" } }
    #expect(store.undoNames == ["d"] && store.history.count == 1)
    #expect(try store.undo() == "d")
    #expect(try store.find(Owner.self, 1)?.name == "other")
  }

  @Test func `What a cleared history held is freed`() throws {
    let store = try TestStorage.memory.makeHousehold()
    store.historyLimit = 10
    try store.commit(named: "a") { try $0.insert(Owner(id: 1)) }
    try store.commit(named: "b") { try $0.delete(Owner.self, 1) }
    weak var row: RowBox?
    row = store.history.last?.changes[Owner.schema.entity]?.all.first?.old?.box
    #expect(row != nil)
    try store.clearHistory()
    #expect(row == nil)
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: as many as the limit says, the oldest first`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    var names: [String] = []
    func commit(_ count: Int) throws {
      for _ in 0..<count {
        let version = try store.version + 1
        let name = version % 3 == 0 ? nil : "\(version)"
        if let name { names.append(name) }
        try store.commit(named: name) { try $0.upsert(Owner(id: 1, name: "\(version)")) }
      }
    }
    func expect(_ limit: Int, _ versions: ClosedRange<Int64>, undo: Int) {
      #expect(store.historyLimit == limit)
      #expect(store.history.map(\.version) == Array(versions))
      #expect(store.undoNames == names.suffix(undo))
      for commit in store.history {
        #expect(commit.name == (commit.version % 3 == 0 ? nil : "\(commit.version)"))
        #expect(
          commit.changes(of: Owner.self).updated.first?.new.name
            ?? commit.changes(of: Owner.self).inserted.first?.name == "\(commit.version)")
      }
    }
    store.historyLimit = 3
    try commit(2)
    expect(3, 1...2, undo: 2)
    try commit(200)
    expect(3, 200...202, undo: 3)
    store.historyLimit = 50
    expect(50, 200...202, undo: 3)
    try commit(300)
    expect(50, 453...502, undo: 50)
    store.historyLimit = 2
    expect(2, 501...502, undo: 2)
    store.historyLimit = 0
    #expect(store.history.isEmpty)
    #expect(store.undoNames.isEmpty)
    try commit(3)
    #expect(store.history.isEmpty)
    names = []
    store.historyLimit = 1
    try commit(1)
    #expect(store.history.map(\.version) == [506])
  }

  @Test func `S1: the kept ones are the last, whatever is added, taken back and cut`() {
    withEvery("seed", in: seeds(100)) { seed in
      var random = SeededGenerator(seed: seed)
      var recent = Fifo<Int>()
      var plain: [Int] = []
      for step in 0..<400 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: expectEqual(recent.popLast(), plain.popLast())
        case 1:
          let count = Int.random(in: 0...(step % 100 == 99 ? 0 : 50), using: &random)
          let gone = plain.dropLast(count)
          expectEqual(recent.keep(count), Array(gone))
          plain = plain.suffix(count)
        default:
          recent.append(step)
          plain.append(step)
        }
        expectEqual(recent.array, plain)
        expectEqual(recent.last, plain.last)
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S1: only those that were made and changed something`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    store.historyLimit = 10
    let commits = Recorder(store.commits)
    try store.commit(named: "Nothing") { _ in }
    try store.commit(named: "Nothing on net") { draft in
      try draft.insert(Owner(id: 1))
      try draft.delete(Owner.self, 1)
    }
    #expect(throws: Refusal()) {
      try store.commit(named: "Refused") { draft in
        try draft.insert(Owner(id: 1))
        throw Refusal()
      }
    }
    #expect(throws: StoreError.self) {
      try store.commit(named: "Broken") { try $0.insert(Pet(id: 1, owner: Ref(1))) }
    }
    #expect(store.history.isEmpty && store.undoNames.isEmpty)
    try store.commit(named: "Outer") { draft in
      try store.commit(named: "Inner") { try $0.insert(Owner(id: 1)) }
    }
    try store.commit { draft in
      try store.commit(named: "Inner") { try $0.insert(Owner(id: 2)) }
    }
    #expect(store.history.map(\.name) == ["Outer", nil])
    #expect(store.undoNames == ["Outer"])
    #expect(commits.values.map(\.name) == ["Outer", nil])
  }

  @Test(arguments: TestStorage.withServer, TestStorage.withServer)
  func `S1: replaying them on another store gives the same objects`(
    _ source: TestStorage, _ target: TestStorage
  ) throws {
    try withEvery("seed", in: seeds(8)) { seed in
      var random = RandomHousehold(seed: seed)
      let store = try source.makeHousehold()
      let other = try target.makeHousehold()
      store.historyLimit = 1000
      other.historyLimit = 1000
      for _ in 0..<30 { random.commit(store, named: random.chance(0.5) ? "named" : nil) }
      for commit in store.history { try other.replay(commit) }
      expectEqual(try other.contents(), try store.contents())
      expectEqual(try other.version, Int64(store.history.count))
      expectEqual(other.undoNames, store.undoNames)
      for (a, b) in zip(store.history, other.history) { expectEqual(a.objectIDs, b.objectIDs) }
      // What doesn't fit is refused, and changes nothing.
      if let last = store.history.last {
        try other.expectRefusal { try other.replay(last) }
      }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S2: applying or reverting a commit in a body is all or nothing`(_ storage: TestStorage)
    throws
  {
    let store = try storage.makeHousehold()
    store.historyLimit = 10
    try store.commit { draft in
      for id in 1...3 { try draft.insert(Owner(id: id, name: "a")) }
    }
    try store.commit { draft in
      try draft.delete(Owner.self, 1)
      try draft.update(Owner.self, 2) { $0.name = "b" }
      try draft.update(Owner.self, 3) { $0.name = "b" }
      try draft.insert(Owner(id: 4))
    }
    let commit = try #require(store.history.last)
    try store.commit { draft in
      try draft.update(Owner.self, 3) { $0.name = "c" }
      #expect(
        throws: StoreError.changedSince(
          ObjectID(Owner.self, 3), attribute: "name", expected: .text("b"), found: .text("c"))
      ) { try draft.revert(commit) }
      #expect(try draft.fetch(Query<Owner>()).map(\.name) == ["b", "c", ""])
      #expect(throws: StoreError.notFound(ObjectID(Owner.self, 1))) { try draft.apply(commit) }
      #expect(try draft.fetch(Query<Owner>()).map(\.name) == ["b", "c", ""])
      try draft.update(Owner.self, 3) { $0.name = "b" }
      try draft.revert(commit)
      #expect(try draft.fetch(Query<Owner>()).map(\.name) == ["a", "a", "a"])
      try draft.apply(commit)
      #expect(try draft.fetch(Query<Owner>()).map(\.name) == ["b", "b", ""])
    }
    #expect(try store.version == 2)
  }

  @Test func `S6: a commit whose changes aren't all known is refused, and nothing is written`()
    throws
  {
    let store = try Store(.inMemory, entities: [Owner.self])
    try store.commit { try $0.insert(Owner(id: 1)) }
    let ranges: [(ClosedRange<Int64>, String)] = [
      (3...3, "version 3 aren't"), (3...7, "versions 3 to 7 aren't"),
    ]
    for (versions, words) in ranges {
      let commit = Commit(
        versions: versions, changes: NetChanges([]), isExternal: true, isComplete: false)
      func expectFault(_ body: (borrowing Draft) throws -> Void) throws {
        do {
          try store.commit { draft in
            try draft.insert(Owner(id: 2))
            try body(draft)
          }
          recordIssue("\(commit) is accepted")
        } catch StoreError.storage(let fault) {
          #expect(fault.message.contains(words), "\(fault)")
          #expect(fault.message.contains("fetch the objects"), "\(fault)")
        }
      }
      try expectFault { try $0.apply(commit) }
      try expectFault { try $0.revert(commit) }
      try expectFault { _ in try store.replay(commit) }
    }
    #expect(try store.version == 1)
    #expect(try store.count(Query<Owner>()) == 1)
    // A commit of a store's own has all its changes, also after a version that was skipped.
    try store.replay(Commit(versions: 9...9, changes: NetChanges([]), followsUnknown: true))
  }

  @Test func `S6: a negative limit and an undo inside a body trap`() async throws {
    let limit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent])
    {
      try Store(.inMemory, entities: [Owner.self]).historyLimit = -1
    }
    limit.expectMessage("A history of -1 commits; use 0 or more")
    let undo = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Owner.self])
      try store.commit { _ in try store.undo() }
    }
    undo.expectMessage("Undo is a commit of its own; call it outside the body of another one")
    let redo = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(.inMemory, entities: [Owner.self])
      try store.commit { _ in try store.redo() }
    }
    redo.expectMessage("call it outside the body of another one")
  }

  @Test(.serialized, arguments: [false, true])
  func `S1: a history that is cut while something is undone forgets it`(_ isRedo: Bool) throws {
    let store = try Store(.inMemory, entities: [Watched.self])
    store.historyLimit = 5
    try store.commit(named: "Insert") { try $0.insert(Watched(id: 1, value: 1)) }
    try store.commit(named: "Change") { draft in try draft.update(Watched.self, 1) { $0.value = 2 }
    }
    if isRedo { try store.undo() }
    // A check stands here for another thread that sets the limit meanwhile.
    Watched.whenChecked.withLock { action in
      action = {
        store.historyLimit = 0
        store.historyLimit = 5
      }
    }
    defer { Watched.whenChecked.withLock { $0 = {} } }
    #expect(try (isRedo ? store.redo() : store.undo()) == "Change")
    #expect(try store.find(Watched.self, 1)?.value == (isRedo ? 2 : 1))
    #expect(store.undoNames.isEmpty)
    #expect(store.redoNames.isEmpty)
  }

  @Test func `S1: an undo that runs again and then finds nothing says so`() throws {
    let storage = FlakyStorage(attempts: 2)
    let store = try Store(.custom { storage }, entities: [Yielding.self])
    store.historyLimit = 5
    try store.commit(named: "Insert") { try $0.insert(Yielding(id: 1, value: 1)) }
    try store.commit(named: "Change") { draft in
      try draft.update(Yielding.self, 1) { $0.value = 2 }
    }
    // The check stands for another thread.
    Yielding.whenChecked.withLock { action in
      action = {
        store.historyLimit = 0
        store.historyLimit = 5
      }
    }
    defer { Yielding.whenChecked.withLock { $0 = {} } }
    storage.conflicts.store(1)
    #expect(try store.undo() == nil)
    #expect(try store.find(Yielding.self, 1)?.value == 2)
  }
}

/// Another object whose check does something.
private struct Yielding: Entity {
  let id: Int
  var value: Int
  static let whenChecked = Locked<@Sendable () -> Void>({})
  static let attributes = Attributes(.id(\Yielding.id), .attribute("value", \.value))
  static let schema = Schema(
    attributes, Yielding.init,
    rules: [
      .check("something is done") { _ in
        whenChecked.withLock { $0 }()
        return true
      }
    ])
}

/// An object whose check does something.
private struct Watched: Entity {
  let id: Int
  var value: Int
  static let whenChecked = Locked<@Sendable () -> Void>({})
  static let attributes = Attributes(.id(\Watched.id), .attribute("value", \.value))
  static let schema = Schema(
    attributes, Watched.init,
    rules: [
      .check("something is done") { _ in
        whenChecked.withLock { $0 }()
        return true
      }
    ])
}
