@_spi(Storage) @testable import EntityStore
import FetchedObjects
import Fixtures
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

/// The kind of the fault that `body` throws.
private func kind(_ body: () throws -> Void) -> StorageFault.Kind? {
  do { try body() } catch StoreError.storage(let fault) { return fault.kind } catch {
    recordIssue("\(error)")
  }
  return nil
}

/// A storage whose watcher fails when a test says so.
private final class FailingWatch: Storage {
  private let base = InMemoryStorage()
  let failed = Locked<(@Sendable (any Error) -> Void)?>(nil)

  func open(_ entities: [EntityDescription]) throws -> Int64 { try base.open(entities) }

  func begin() throws -> any StorageTransaction { try base.begin() }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try base.read(body)
  }

  func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)? {
    self.failed.withLock { $0 = failed }
    return nil
  }
}

@Suite(.timeLimit(.minutes(20))) struct `S11: A closed store has ended` {
  @Test(arguments: TestStorage.withServer)
  func `S11: Commits and reads throw, and models keep what they show`(
    _ storage: TestStorage
  ) async throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let observed = try ObservedEntity<Person>(1, in: store)
    await store.close()
    #expect(kind { try store.commit { try $0.delete(Car.self, 1) } } == .closed)
    #expect(kind { _ = try store.find(Person.self, 1) } == .closed)
    #expect(kind { _ = try store.fetch(Query<Person>()) } == .closed)
    #expect(kind { _ = try store.count(Query<Person>()) } == .closed)
    #expect(kind { _ = try store.read { $0.version } } == .closed)
    #expect(kind { _ = try store.version } == .closed)
    #expect(kind { try store.refresh() } == .closed)
    #expect(kind { _ = try store.snapshot() } == .closed)
    #expect(kind { _ = try FetchedObjectsModel(Query<Person>(), in: store) } == .closed)
    #expect(kind { try model.setQuery(Query<Car>().limit(1)) } == .closed)
    #expect(kind { try store.backUp(to: temporaryPath("copy")) } == .closed)
    #expect(kind { try store.eraseDeleted() } == .closed)
    await #expect(throws: StoreError.self) { try await store.commitAsync { _ in } }
    #expect(model.fetchedObjects.map(\.id) == [1, 2, 3, 4])
    #expect(observed.name == "Ann")
    store.resume()
    #expect(kind { _ = try store.version } == .closed)
    #expect(store.suspend())
    await store.clockHasChanged()
    await store.flush()
  }

  @Test func `S11: The error says what to do`() async throws {
    let store = try TestStorage.memory.makeGarage()
    await store.close()
    #expect(throws: StoreError.storage(.closed(path: nil))) { try store.commit { _ in } }
    #expect("\(StorageFault.closed(path: nil))" == "The store is closed; make another one to go on")
    #expect(
      "\(StorageFault.closed(path: "a.db"))"
        == "a.db: the store is closed; open the file with another one to go on")
  }

  @Test func `S11: Snapshots can be read`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let snapshot = try store.snapshot()
    await store.close()
    #expect(try snapshot.count(Query<Car>()) == 4)
  }

  @Test(arguments: TestStorage.allCases)
  func `S11: Each commit that has returned is delivered before`(
    _ storage: TestStorage
  ) async throws {
    let store = try storage.makeGarage()
    let place = HeldActor()
    let (delivered, isClosed) = (Log<Int64>(), Counter())
    let tokens = [
      store.commits.subscribe(on: place) { _, commit in delivered.note(commit.version) },
      store.errors.subscribe { recordIssue("\($0)") },
    ]
    place.hold()
    for id in 1...100 { try store.commit { try $0.insert(Person(id: id, name: "")) } }
    let closing = Task {
      await store.close()
      isClosed.set(1)
    }
    #expect(await !becomesTrue(within: .milliseconds(50)) { isClosed.value == 1 })
    place.letGo()
    await closing.value
    #expect(delivered.entries == (1...100).map { $0 })
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: TestStorage.allCases)
  func `S11: A commit that runs is completed, and those that wait fail`(
    _ storage: TestStorage
  ) async throws {
    let store = try storage.makeGarage()
    let (isInside, mayEnd, isClosed) = (Counter(), Counter(), Counter())
    let outcomes = Log<String>()
    let running = TestThread {
      let fault = kind {
        try store.commit { draft in
          try draft.insert(ann)
          isInside.set(1)
          _ = becomesTrueBlocking { mayEnd.value == 1 }
          // It may ask for everything, as without the closing.
          _ = try draft.find(Person.self, 2)
          _ = try store.find(Person.self, 2)
          try store.commit { try $0.insert(bob) }
        }
      }
      outcomes.note("runs \(fault?.rawValue ?? "returned")")
    }
    #expect(await becomesTrue { isInside.value == 1 })
    let waiting = TestThread {
      let fault = kind { try store.commit { try $0.delete(Person.self, 1) } }
      outcomes.note("waits \(fault?.rawValue ?? "returned")")
    }
    #expect(await becomesTrue { store.writer.waiterCount == 1 })
    let closing = Task {
      await store.close()
      isClosed.set(1)
    }
    #expect(await becomesTrue { store.isClosing })
    #expect(kind { _ = try store.version } == .closed)
    #expect(await !becomesTrue(within: .milliseconds(20)) { isClosed.value == 1 })
    mayEnd.set(1)
    await closing.value
    try await onOwnThread { [running, waiting].forEach { $0.join() } }
    #expect(Set(outcomes.entries) == ["runs returned", "waits closed"])
  }

  @Test func `S11: A body that runs may still take a snapshot`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let (isInside, mayEnd) = (Counter(), Counter())
    let (outcomes, counts) = (Log<String>(), Log<Int>())
    let running = TestThread {
      let fault = kind {
        try store.commit { draft in
          try draft.delete(Car.self, 1)
          isInside.set(1)
          _ = becomesTrueBlocking { mayEnd.value == 1 }
          counts.note(try store.snapshot().count(Query<Car>()))
        }
      }
      outcomes.note(fault?.rawValue ?? "returned")
    }
    #expect(await becomesTrue { isInside.value == 1 })
    let closing = Task { await store.close() }
    #expect(await becomesTrue { store.isClosing })
    #expect(kind { _ = try store.snapshot() } == .closed)
    mayEnd.set(1)
    await closing.value
    try await onOwnThread { running.join() }
    #expect(outcomes.entries == ["returned"])
    // Like a read, it shows the last commit, not the draft.
    #expect(counts.entries == [4])
  }

  @Test(arguments: TestStorage.allCases)
  func `S11: Closing twice, at once or by a cancelled task, is as once`(
    _ storage: TestStorage
  ) async throws {
    let store = try storage.makeGarage()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await store.close()
      return kind { _ = try store.version }
    }
    async let other: Void = store.close()
    #expect(await task.value == .closed)
    await other
    await store.close()
    let hasEnded = store.closing.hasEndedReads
    #expect(hasEnded)
  }

  @Test(arguments: TestStorage.allCases)
  func `S11: A closed store is released`(_ storage: TestStorage) async throws {
    weak var released: Store?
    do {
      let store = try storage.makeGarage()
      try store.fillGarage()
      released = store
      await store.close()
    }
    #expect(await becomesTrue { released == nil })
  }

  @Test func `S11: Hooks are told of the closing, after all else`() async throws {
    let hooks = RecordingHooks()
    let store = try Store(.inMemory, entities: [Person.self], hooks: hooks)
    try store.commit { try $0.insert(ann) }
    await store.close()
    #expect(kind { _ = try store.version } == .closed)
    hooks.expectPairs()
    #expect(
      hooks.words.dropFirst(2) == [
        "+commit", "-commit 1", "+closing", "-closing 1", "+read", "-read fails",
      ])
  }

  @Test func `S11: An error of the watcher isn't published once the store is closed`() async throws
  {
    let storage = FailingWatch()
    let (isInside, mayGoOn) = (Counter(), Counter())
    let hooks = RecordingHooks { call in
      guard call.operation.kind == .watching, call.report == nil else { return }
      isInside.add(1)
      _ = becomesTrueBlocking { mayGoOn.value == 1 }
    }
    let store = try Store(.custom { storage }, entities: [Person.self], hooks: hooks)
    let errors = Recorder(store.errors)
    let fail = try #require(storage.failed.withLock { $0 })
    let thread = TestThread { fail(Refusal()) }
    #expect(await becomesTrue { isInside.value == 1 })
    await store.close()
    mayGoOn.add(1)
    thread.join()
    #expect(errors.values.isEmpty)
  }
}
