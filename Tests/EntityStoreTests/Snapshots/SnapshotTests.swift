@_spi(Storage) @testable import EntityStore
import Fixtures
import Relays
import TestSupport
import Testing

@Suite struct `A snapshot is one version, for as long as it is held` {
  private func makeStore() throws -> Store {
    try Store(.inMemory, entities: [Seat.self, Owner.self, Pet.self])
  }

  /// Writes something, which changes something.
  private func write(_ store: Store, _ random: inout SeededGenerator) throws {
    do {
      try writeAnything(store, &random)
    } catch is StoreError {
      // What a commit wrote and has refused must not be seen either.
    }
  }

  private func writeAnything(_ store: Store, _ random: inout SeededGenerator) throws {
    try store.commit { draft in
      let isLarge = random.chance(0.1)
      for _ in 0..<(isLarge ? 150 : 3) {
        let id = Int.random(in: 0..<200, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          if try draft.find(Seat.self, id) != nil { try draft.delete(Seat.self, id) }
        case 1:
          try draft.upsert(Owner(id: id % 10, name: "\(Int.random(in: 0..<99, using: &random))"))
          try draft.upsert(Pet(id: id, owner: Ref(id % 10)))
        case 2:
          if try draft.find(Owner.self, id % 10) != nil { try draft.delete(Owner.self, id % 10) }
        default:
          let number = Int.random(in: 0..<99, using: &random)
          try draft.upsert(Seat(id: id, code: "\(id)", row: id, number: number))
        }
      }
    }
  }

  @Test func `S5: it shows what it showed, whatever is committed later`() throws {
    try withEvery("seed", in: seeds(10)) { seed in
      var random = SeededGenerator(seed: seed)
      let store = try makeStore()
      var kept: [(snapshot: Store.Snapshot, dump: VersionDump)] = []
      for _ in 0..<40 {
        try write(store, &random)
        if random.chance(0.4) {
          let snapshot = try store.snapshot()
          expectEqual(snapshot.version, try store.version)
          kept.append(
            (snapshot, try store.withStorageReader { try VersionDump($0, store.entities) }))
        }
        if random.chance(0.2), !kept.isEmpty {
          kept.remove(at: Int.random(in: 0..<kept.count, using: &random))
        }
        for (snapshot, dump) in kept {
          let now = try snapshot.withStorageReader { try VersionDump($0, store.entities) }
          expectEqual(now, dump)
        }
        expectEqual(store.heldVersionCount, Set(kept.map(\.snapshot.version)).count)
      }
      let versions = Set(kept.map(\.dump.version)).count
      expectTrue(versions > 1, "only \(versions) versions are held")
    }
  }

  @Test func `S5: a snapshot taken inside a body shows the last commit`() throws {
    let store = try makeStore()
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    let inside = try store.commit { draft in
      try draft.update(Owner.self, 1) { $0.name = "Bob" }
      return try store.snapshot()
    }
    #expect(inside.version == 1)
    #expect(try inside.find(Owner.self, 1)?.name == "Ann")
    #expect(try store.snapshot().find(Owner.self, 1)?.name == "Bob")
    let token = store.commits.subscribe { commit in
      let snapshot = try? store.snapshot()
      #expect(snapshot?.version == commit.version)
    }
    try store.commit { try $0.delete(Owner.self, 1) }
    token.cancel()
    #expect(try inside.count(Query<Owner>()) == 1)
  }

  @Test func `S5: snapshots of one version count as one, and copies as none`() throws {
    let store = try makeStore()
    #expect(store.heldVersionCount == 0)
    #expect(store.heldVersionLimit == nil)
    var first: Store.Snapshot? = try store.snapshot()
    var second: Store.Snapshot? = try store.snapshot()
    var copy = first
    #expect(first?.version == 0)
    #expect(store.heldVersionCount == 1)
    try store.commit { _ in }
    #expect(try store.snapshot().version == 0)
    #expect(store.heldVersionCount == 1)
    try store.commit { try $0.insert(Owner(id: 1)) }
    var third: Store.Snapshot? = try store.snapshot()
    #expect(store.heldVersionCount == 2)
    first = nil
    second = nil
    #expect(store.heldVersionCount == 2)
    #expect(try copy?.count(Query<Owner>()) == 0)
    copy = nil
    #expect(store.heldVersionCount == 1)
    #expect(try third?.count(Query<Owner>()) == 1)
    third = nil
    #expect(store.heldVersionCount == 0)
    withExtendedLifetime((first, second, copy, third)) {}
  }

  @Test func `S6: no more versions are held than the limit says, and none is taken away`() throws {
    let store = try makeStore()
    func commit() throws { try store.commit { try $0.insert(Owner(id: Int(store.version))) } }
    func expectTooMany(_ limit: Int) throws {
      do {
        _ = try store.snapshot()
        Issue.record("A snapshot too many is taken.")
      } catch {
        #expect(error as? StoreError == .tooManyVersions(limit: limit))
        expectSentence("\(error)")
      }
    }
    store.heldVersionLimit = 0
    try expectTooMany(0)
    store.heldVersionLimit = 2
    var kept = [try store.snapshot()]
    try commit()
    kept.append(try store.snapshot())
    // Another one of a version that is held already is none too many.
    kept.append(try store.snapshot())
    try commit()
    try expectTooMany(2)
    #expect(store.heldVersionCount == 2)
    // A store with too many versions goes on.
    try commit()
    #expect(try store.count(Query<Owner>()) == 3)
    store.heldVersionLimit = 1
    #expect(store.heldVersionCount == 2)
    let counts = try kept.map { try $0.count(Query<Owner>()) }
    #expect(counts == [0, 1, 1])
    kept.removeFirst()
    try expectTooMany(1)
    kept = []
    #expect(store.heldVersionCount == 0)
    kept = [try store.snapshot()]
    try commit()
    try expectTooMany(1)
    store.heldVersionLimit = nil
    for _ in 0..<100 {
      try commit()
      kept.append(try store.snapshot())
    }
    #expect(store.heldVersionCount == 101)
    kept = []
    #expect(store.heldVersionCount == 0)
  }

  @Test func `S6: a limit below zero traps`() async throws {
    let trap = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Store(.inMemory, entities: [Owner.self]).heldVersionLimit = -1
    }
    trap.expectMessage("A limit of -1 versions; use 0 or more, or nil")
  }

  @Test func `S6: a file keeps no versions, and says so`() throws {
    let store = try TestStorage.file.makeStore(Owner.self)
    try store.commit { try $0.insert(Owner(id: 1)) }
    let before = try store.dump()
    #expect(throws: StoreError.snapshotsUnsupported) { try store.snapshot() }
    #expect(store.heldVersionCount == 0)
    #expect(try store.dump() == before)
  }

  @Test func `R3: releasing a version while another is refused never deadlocks`() {
    let versions = HeldVersions()
    versions.limit = 1
    let isDone = finishes {
      onThreads(3) { thread in
        let snapshot = FixedSnapshot(Int64(thread))
        for _ in 0..<50_000 { _ = try? versions.hold(snapshot) }
      }
    }
    #expect(isDone)
    guard isDone else { return }
    #expect(versions.count == 0)
    #expect(throws: Never.self) { try versions.hold(FixedSnapshot(0)) }
  }

  @Test
  func `S5: a snapshot isn't refused while another thread releases its version`() throws {
    let store = try makeStore()
    store.heldVersionLimit = 1
    let refused = Counter()
    onThreads(2) { _ in
      for _ in 0..<50_000 {
        do { _ = try store.snapshot() } catch { refused.add() }
      }
    }
    #expect(refused.value == 0)
    #expect(store.heldVersionCount == 0)
  }

  @Test func `S5: holding an older version late doesn't count the newest one twice`() throws {
    let versions = HeldVersions()
    versions.limit = 2
    let held = try [2, 1, 2, 1].map { try versions.hold(FixedSnapshot($0)) }
    #expect(versions.count == 2)
    withExtendedLifetime(held) {}
  }
}

/// A version that is of no storage.
private final class FixedSnapshot: StorageSnapshot {
  let version: Int64

  init(_ version: Int64) { self.version = version }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    throw StoreError.snapshotsUnsupported
  }
}
