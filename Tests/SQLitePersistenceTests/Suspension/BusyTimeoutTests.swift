@_spi(Storage) import EntityStore
import Foundation
import Locking
@_spi(Storage) @testable import SQLitePersistence
import TestSupport
import Testing

private func car(_ id: Int) -> Car { Car(id: id, model: "m\(id)") }

private func open(_ path: String, _ timeout: Duration) throws -> Store {
  try Store(
    .sqlite(path: path, durability: .normal, watching: .none, busyTimeout: timeout),
    entities: [Person.self, Car.self])
}

private func kind(_ body: () throws -> Void) -> StorageFault.Kind? {
  do { try body() } catch StoreError.storage(let fault) { return fault.kind } catch {
    recordIssue("\(error)")
  }
  return nil
}

@Suite(.timeLimit(.minutes(20))) struct BusyTimeoutTests {
  private let path = temporaryPath("busy")

  /// Runs `body` while another process is stopped inside a commit.
  private func besideStoppedCommit(
    _ body: @escaping @Sendable (StoppedProcess) throws -> Void
  ) async throws {
    let path = path
    let child = Task {
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        try openGarage(path).commit { draft in
          try draft.insert(car(2))
          StoppedProcess(path).wait()
        }
      }
    }
    try await onOwnThread {
      let process = StoppedProcess(path)
      try process.whileStopped { try body(process) }
    }
    await child.value
  }

  @Test func `P10: a commit with 0 throws at once, its body doesn't run, nothing is kept`()
    async throws
  {
    let path = path
    let store = try open(path, .zero)
    try store.commit { try $0.insert(car(1)) }
    try await besideStoppedCommit { (_) throws -> Void in
      let fault = kind {
        try store.commit { draft in
          recordIssue("The body runs though another process writes")
          try draft.insert(car(3))
        }
      }
      #expect(fault == .busy)
      #expect(try store.fetch(Query<Car>()).map(\.id) == [1])
      // A store that is opened takes the write lock, too.
      #expect(kind { _ = try open(path, .zero) } == .busy)
    }
    #expect(try store.fetch(Query<Car>()).map(\.id) == [1, 2])
    try store.commit { try $0.insert(car(3)) }
    #expect(try openGarage(path).fetch(Query<Car>()).map(\.id) == [1, 2, 3])
  }

  @Test func `P10: a commit that waits longer succeeds when the other process goes on`()
    async throws
  {
    let store = try open(path, .seconds(600))
    try store.commit { try $0.insert(car(1)) }
    try await besideStoppedCommit { process in
      let isOver = AtomicWord(0)
      let outcome = Locked<StorageFault.Kind?>(.other)
      let thread = TestThread {
        let fault = kind { try store.commit { try $0.insert(car(3)) } }
        outcome.withLock { $0 = fault }
        isOver.store(1)
      }
      #expect(!becomesTrueBlocking(within: .milliseconds(60)) { isOver.load() == 1 })
      process.goOn()
      thread.join()
      #expect(outcome.withLock { $0 } == nil)
    }
    #expect(try store.fetch(Query<Car>()).map(\.id) == [1, 2, 3])
  }

  @Test(arguments: [1, 60]) func `P10: it doesn't throw before the time is over`(
    _ milliseconds: Int
  ) throws {
    let timeout = Duration.milliseconds(milliseconds)
    let store = try open(path, timeout)
    let other = try RawDatabase(path)
    try other.rows("BEGIN IMMEDIATE")
    let start = ContinuousClock.now
    #expect(kind { try store.commit { try $0.insert(car(1)) } } == .busy)
    #expect(.now - start >= timeout)
    try other.rows("ROLLBACK")
    try store.commit { try $0.insert(car(1)) }
  }

  @Test func `P10: opening a file for its first writing waits as long`() throws {
    _ = try openGarage(path)
    let other = try RawDatabase(path)
    // In this mode, a reader keeps others from changing the mode, and SQLite doesn't wait for it.
    try other.rows("PRAGMA journal_mode = DELETE")
    try other.rows("BEGIN")
    try other.rows("SELECT COUNT(*) FROM Car")
    #expect(kind { _ = try open(path, .zero) } == .busy)
    let timeout = Duration.milliseconds(60)
    let start = ContinuousClock.now
    #expect(kind { _ = try open(path, timeout) } == .busy)
    #expect(.now - start >= timeout)
    try other.rows("COMMIT")
    try open(path, .zero).commit { try $0.insert(car(1)) }
  }

  @Test(
    arguments: [.zero, .nanoseconds(1), .milliseconds(200), .microseconds(1500), .seconds(600)]
      as [Duration])
  func `P10: a connection that writes waits for as long, and one that reads for five seconds`(
    _ timeout: Duration
  ) throws {
    var file = DatabaseFile(path)
    file.busyTimeout = timeout
    #expect(try Connection(file, .readWriteCreate).busyHandler.limit == timeout)
    #expect(try Connection(file, .readOnly).busyHandler.limit == .seconds(5))
    let storage = try SQLiteStorage(path: path, busyTimeout: timeout)
    #expect(storage.writer.connection.busyHandler.limit == timeout)
  }

  /// Opens a store with cars that waits for long, and counts how often it has waited for a moment.
  private func openCounting() throws -> (store: Store, waits: Counter) {
    let storage = try SQLiteStorage(
      path: path, durability: .normal, watching: .none, busyTimeout: .seconds(600))
    let waits = Counter()
    storage.writer.connection.busyHandler.pause = { _ in
      waits.add()
      CurrentThread.yield()
    }
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { try $0.insert(car(1)) }
    return (store, waits)
  }

  /// Suspends the store while `body` waits, on another thread, and expects that this ends it.
  private func expectSuspended(
    _ store: Store, _ waits: Counter, _ body: @escaping @Sendable () throws -> Void
  ) {
    let outcome = Locked<StorageFault.Kind?>(nil)
    let thread = TestThread {
      let fault = kind(body)
      outcome.withLock { $0 = fault }
    }
    expectTrue(becomesTrueBlocking { waits.value > 0 })
    #expect(store.suspend(within: .seconds(300)))
    thread.join()
    #expect(outcome.withLock { $0 } == .suspended)
  }

  @Test func `P7: a commit that waits for another program ends when the store is suspended`() throws
  {
    let (store, waits) = try openCounting()
    let other = try RawDatabase(path)
    try other.rows("BEGIN IMMEDIATE")
    expectSuspended(store, waits) {
      try store.commit { draft in
        recordIssue("The body runs though another program writes")
        try draft.insert(car(2))
      }
    }
    try other.rows("ROLLBACK")
    store.resume()
    try store.commit { try $0.insert(car(3)) }
    #expect(try store.fetch(Query<Car>()).map(\.id) == [1, 3])
  }

  @Test func `P7: erasing that waits for a read ends when the store is suspended`() throws {
    let (store, waits) = try openCounting()
    let other = try RawDatabase(path)
    try other.rows("BEGIN")
    try other.rows("SELECT COUNT(*) FROM Car")
    expectSuspended(store, waits) { try store.eraseDeleted() }
    try other.rows("COMMIT")
    store.resume()
    try store.eraseDeleted()
    #expect(try store.fetch(Query<Car>()).map(\.id) == [1])
  }

  @Test func `P10: a time that can't be waited for is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = try? open(temporaryPath("busy"), .milliseconds(-1))
    }
    await #expect(processExitsWith: .failure) {
      _ = try? open(temporaryPath("busy"), .seconds(60 * 60 * 24 * 25))
    }
    await #expect(processExitsWith: .success) {
      _ = try? open(temporaryPath("busy"), .seconds(60 * 60 * 24 * 24))
    }
  }
}
