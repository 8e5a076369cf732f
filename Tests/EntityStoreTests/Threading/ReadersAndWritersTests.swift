@_spi(Storage) @testable import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `S5: reads during commits of other threads` {
  /// Runs writers for so many commits each, and others until they are done.
  private func run(
    _ bank: PurseBank, writers: Int = 2, commits: Int = 250,
    beside others: [@Sendable (_ isOver: () -> Bool) throws -> Void]
  ) async throws {
    let ended = Counter()
    let writing: [@Sendable () throws -> Void] = (0..<writers).map { writer in
      {
        defer { ended.add(1) }
        var generator = SeededGenerator(seed: writer)
        for _ in 0..<commits { try bank.transfer(&generator) }
      }
    }
    try await inThreads(
      writing
        + others.map { other in
          { try other { ended.value == writers } }
        })
    try PurseBank.check(bank.store, "at the end")
    #expect(try bank.store.find(Ledger.self, 0)?.count == writers * commits)
    #expect(try bank.store.version == Int64(writers * commits + 1))
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: a read sees one version throughout, and never a half-made one`(
    _ storage: TestStorage
  ) async throws {
    let bank = try PurseBank(storage.backing)
    let reading: @Sendable (() -> Bool) throws -> Void = { isOver in
      var last: Int64 = 0
      while !isOver() {
        try bank.store.read { reader in
          let version = reader.version
          expectTrue(version >= last)
          last = version
          try PurseBank.check(reader, "in a read of \(version)")
          // A commit counts itself, so the count tells which version it is.
          expectEqual(try reader.find(Ledger.self, 0)?.count, Int(version) - 1)
          expectEqual(reader.version, version)
        }
      }
    }
    try await run(bank, commits: storage == .memory ? 250 : 50, beside: [reading, reading])
  }

  @Test func `S5: single reads never go back`() async throws {
    let bank = try PurseBank()
    let reading: @Sendable (() -> Bool) throws -> Void = { isOver in
      var last = 0
      while !isOver() {
        let count = try bank.store.find(Ledger.self, 0)?.count ?? -1
        expectTrue(count >= last, "\(count) after \(last)")
        let version = try Int(bank.store.version)
        expectTrue(version > count, "\(version) after \(count)")
        last = version - 1
        expectEqual(try bank.store.count(Query<Purse>()), PurseBank.size)
        let accounts = try bank.store.fetch(Query<Purse>())
        expectEqual(accounts.reduce(0) { $0 + $1.balance }, PurseBank.sum)
      }
    }
    try await run(bank, commits: 400, beside: [reading, reading])
  }

  @Test func `S5: snapshots taken meanwhile stay as they were`() async throws {
    let bank = try PurseBank()
    let reading: @Sendable (() -> Bool) throws -> Void = { isOver in
      var kept: [(snapshot: Store.Snapshot, accounts: [Purse])] = []
      func look() throws {
        for (snapshot, accounts) in kept {
          try PurseBank.check(snapshot, "in a snapshot of \(snapshot.version)")
          let now = try snapshot.fetch(Query<Purse>())
          expectEqual(
            now.map { EntityRow($0).values }, accounts.map { EntityRow($0).values },
            "a snapshot of \(snapshot.version) has changed")
        }
      }
      // At least one, also if the writers are faster.
      repeat {
        let snapshot = try bank.store.snapshot()
        expectEqual(try snapshot.find(Ledger.self, 0)?.count, Int(snapshot.version) - 1)
        kept.append((snapshot, try snapshot.fetch(Query<Purse>())))
        expectTrue(bank.store.heldVersionCount >= Set(kept.map(\.snapshot.version)).count)
        if kept.count > 30 {
          try look()
          kept.removeAll { $0.snapshot.version % 3 != 0 }
          if kept.count > 15 { kept = [] }
        }
      } while !isOver()
      try look()
    }
    try await run(bank, beside: [reading, reading])
    #expect(bank.store.heldVersionCount == 0)
  }

  @Test func `S5: observers that read while a commit is prepared see its version`() async throws {
    /// Reads in `prepare`, so that the commit isn't made in place.
    final class Auditor: CommitObserver {
      let versions = Log<String>()

      func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
        let entity = Purse.schema.entity
        let rows = try? reader.fetch(FetchPlan(Query<Purse>().description))
        let sum = rows?.reduce(0) { $0 + $1.row.value(as: Purse.self).balance }
        expectEqual(sum, PurseBank.sum)
        expectEqual(try? reader.count(entity, where: nil), PurseBank.size)
        versions.note("\(commit.version)")
        return nil
      }
    }
    let bank = try PurseBank()
    let auditor = Auditor()
    let observation = bank.store.observe(auditor) { observation in
      observation.follow([Purse.schema.entity])
      return observation
    }
    let reading: @Sendable (() -> Bool) throws -> Void = { isOver in
      while !isOver() { try bank.store.read { try PurseBank.check($0, "in a read") } }
    }
    try await run(bank, commits: 100, beside: [reading])
    #expect(auditor.versions.entries == (2...201).map { "\($0)" })
    withExtendedLifetime(observation) {}
  }

  @Test func `S5: a read inside a body shows the last commit, whatever other threads do`()
    async throws
  {
    let bank = try PurseBank()
    let nested: @Sendable (() -> Bool) throws -> Void = { isOver in
      while !isOver() {
        try bank.store.commit { draft in
          let version = try bank.store.version
          try draft.update(Purse.self, 0) { $0.balance += 1_000 }
          try bank.store.read { try PurseBank.check($0, "inside a body") }
          #expect(try bank.store.version == version)
          try draft.update(Purse.self, 0) { $0.balance -= 1_000 }
        }
      }
    }
    // A body that changes nothing makes no version.
    try await run(bank, commits: 150, beside: [nested, nested])
  }
}
