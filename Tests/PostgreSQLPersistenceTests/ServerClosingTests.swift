#if PostgreSQL
@_spi(Storage) import EntityStore
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Closing a store on a server` {
  /// A store with one connection for reads.
  private func open() throws -> (store: Store, storage: PostgreSQLStorage) {
    let place = try TestServer.place()
    let storage = PostgreSQLStorage(
      place.connectionString, schema: place.schema, durability: .normal, waiting: patience,
      readers: 1)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    return (store, storage)
  }

  /// Notes in a word how a read has ended.
  private static func note(_ log: Log<String>, _ read: () throws -> Void) {
    do {
      try read()
      log.note("waits returned")
    } catch StoreError.storage(let fault) {
      log.note("waits \(fault.kind.rawValue)")
    } catch {
      recordIssue("\(error)")
    }
  }

  @Test func `S11: a read that runs is completed, and one that waits for a connection fails`()
    async throws
  {
    let (store, storage) = try open()
    let (isInside, mayEnd, isClosed) = (Counter(), Counter(), Counter())
    let outcomes = Log<String>()
    let running = TestThread {
      let count = try? store.read { reader -> Int in
        isInside.set(1)
        _ = becomesTrueBlocking { mayEnd.value == 1 }
        return try reader.count(Query<Car>())
      }
      outcomes.note("runs \(count ?? -1)")
    }
    #expect(await becomesTrue { isInside.value == 1 })
    let waiting = TestThread { Self.note(outcomes) { _ = try store.find(Car.self, 1) } }
    // Long enough for it to have begun.
    #expect(await !becomesTrue(within: .milliseconds(50)) { !outcomes.isEmpty })
    let closing = Task {
      await store.close()
      isClosed.set(1)
    }
    #expect(await becomesTrue { outcomes.entries == ["waits closed"] })
    #expect(await !becomesTrue(within: .milliseconds(20)) { isClosed.value == 1 })
    mayEnd.set(1)
    await closing.value
    #expect(storage.readersInUse == 0)
    try await onOwnThread { [running, waiting].forEach { $0.join() } }
    #expect(outcomes.entries == ["waits closed", "runs 4"])
  }

  @Test(arguments: [false, true])
  func `S11: a read that gets its turn after the call, during a commit, fails`(
    _ isFind: Bool
  ) async throws {
    let (store, _) = try open()
    let (commitIsInside, readIsInside) = (Counter(), Counter())
    let (commitMayEnd, readMayEnd) = (Counter(), Counter())
    let outcomes = Log<String>()
    let committing = TestThread {
      _ = try? store.commit { draft in
        try draft.delete(Car.self, 1)
        commitIsInside.set(1)
        _ = becomesTrueBlocking { commitMayEnd.value == 1 }
      }
    }
    #expect(await becomesTrue { commitIsInside.value == 1 })
    let reading = TestThread {
      _ = try? store.read { _ in
        readIsInside.set(1)
        _ = becomesTrueBlocking { readMayEnd.value == 1 }
      }
    }
    #expect(await becomesTrue { readIsInside.value == 1 })
    let waiting = TestThread {
      Self.note(outcomes) {
        if isFind { _ = try store.find(Car.self, 2) } else { _ = try store.fetch(Query<Car>()) }
      }
    }
    // Long enough for it to have begun.
    #expect(await !becomesTrue(within: .milliseconds(50)) { !outcomes.isEmpty })
    let closing = Task { await store.close() }
    #expect(await becomesTrue { store.isClosing })
    readMayEnd.set(1)
    #expect(await becomesTrue { outcomes.entries == ["waits closed"] })
    commitMayEnd.set(1)
    await closing.value
    try await onOwnThread { [committing, reading, waiting].forEach { $0.join() } }
  }
}
#endif
