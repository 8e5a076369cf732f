@_spi(Storage) @testable import EntityStore
import Locking
import TestSupport
import Testing

/// A row version that is looked at without holding it.
private final class WeakRow {
  private(set) weak var box: RowBox?

  init(_ row: EntityRow?) { box = row?.box }

  var isAlive: Bool { box != nil }
}

@Suite struct `A row version is released when nothing holds it` {
  private func makeStore() throws -> Store {
    let store = try Store(.inMemory, entities: [Owner.self, Pet.self])
    try store.commit { draft in
      for id in 0..<300 { try draft.insert(Owner(id: id, name: "\(id)")) }
    }
    return store
  }

  private func row(_ store: borrowing some StoreReading & ~Copyable, _ id: Int) throws -> WeakRow {
    try store.withStorageReader {
      WeakRow(try $0.row(of: Owner.schema.entity, id: .integer(Int64(id))))
    }
  }

  private func rename(_ store: Store, _ id: Int, _ name: String) throws {
    try store.commit { draft in try draft.update(Owner.self, id) { $0.name = name } }
  }

  @Test func `S5: at once, if it was only the store's`() throws {
    let store = try makeStore()
    let (changed, deleted, kept) = (try row(store, 1), try row(store, 2), try row(store, 3))
    try rename(store, 1, "new")
    #expect(!changed.isAlive)
    try store.commit { try $0.delete(Owner.self, 2) }
    #expect(!deleted.isAlive)
    #expect(kept.isAlive)
    // A commit of many goes another way.
    try store.commit { draft in
      for id in 3..<200 { try draft.update(Owner.self, id) { $0.name = "all" } }
    }
    #expect(!kept.isAlive)
    let last = try row(store, 250)
    try store.commit { try $0.deleteAll(Owner.self) }
    #expect(!last.isAlive)
  }

  @Test func `S5: with the last snapshot that has it`() throws {
    let store = try makeStore()
    var snapshots: [Store.Snapshot] = []
    var rows: [WeakRow] = []
    for round in 0..<5 {
      rows.append(try row(store, 1))
      snapshots.append(try store.snapshot())
      try rename(store, 1, "round \(round)")
    }
    #expect(rows.map(\.isAlive) == [true, true, true, true, true])
    snapshots.remove(at: 1)
    #expect(rows.map(\.isAlive) == [true, false, true, true, true])
    snapshots.removeFirst()
    #expect(rows.map(\.isAlive) == [false, false, true, true, true])
    let current = try row(store, 1)
    snapshots = []
    #expect(rows.map(\.isAlive) == [false, false, false, false, false])
    #expect(current.isAlive)
  }

  @Test func `S5: an object that stays is one row in all versions`() throws {
    let store = try makeStore()
    let first = try store.snapshot()
    try rename(store, 1, "new")
    let second = try store.snapshot()
    func box(_ reading: some StoreReading, _ id: Int64) throws -> RowBox? {
      try reading.withStorageReader { try $0.row(of: Owner.schema.entity, id: .integer(id))?.box }
    }
    for id in 0..<300 as Range<Int64> {
      let isSame = try box(first, id) === box(second, id)
      #expect(isSame == (id != 1))
      #expect(try box(second, id) === box(store, id))
    }
  }

  @Test func `S1: a commit that throws keeps none of its rows`() throws {
    let store = try makeStore()
    let written = Locked<[WeakRow]>([])
    #expect(throws: Refusal()) {
      try store.commit { draft in
        try draft.insert(Owner(id: 1000))
        try draft.update(Owner.self, 1) { $0.name = "new" }
        let rows = [try row(draft, 1000), try row(draft, 1)]
        #expect(rows.map(\.isAlive) == [true, true])
        written.withLock { $0 = rows }
        throw Refusal()
      }
    }
    #expect(written.withLock { $0.map(\.isAlive) } == [false, false])
    #expect(try row(store, 1).isAlive)
  }

  @Test func `S1: a commit holds its old rows, and the history as many commits as its limit`()
    throws
  {
    let store = try makeStore()
    let old = try row(store, 1)
    do {
      let commits = Recorder(store.commits)
      try rename(store, 1, "new")
      #expect(old.isAlive)
      withExtendedLifetime(commits) {}
    }
    #expect(!old.isAlive)
    store.historyLimit = 3
    var rows: [WeakRow] = []
    for round in 0..<6 {
      rows.append(try row(store, 1))
      try store.commit(named: "\(round)") { draft in
        try draft.update(Owner.self, 1) { $0.name = "round \(round)" }
      }
    }
    #expect(rows.map(\.isAlive) == [false, false, false, true, true, true])
    store.historyLimit = 1
    #expect(rows.map(\.isAlive) == [false, false, false, false, false, true])
    store.historyLimit = 0
    #expect(rows.map(\.isAlive) == Array(repeating: false, count: 6))
    #expect(try store.find(Owner.self, 1)?.name == "round 5")
  }
}
