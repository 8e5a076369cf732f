@_spi(Storage) @testable import EntityStore
import FetchedObjects
import Fixtures
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

private struct Refused: Error {}

@Suite(.timeLimit(.minutes(20))) struct `S10: Hooks are called for what a store does` {
  private func open(_ storage: TestStorage, _ hooks: RecordingHooks) throws -> Store {
    try Store(storage.unwatched, entities: [Person.self, Car.self], hooks: hooks)
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: Each operation begins and ends once, in order`(_ storage: TestStorage) throws {
    let hooks = RecordingHooks()
    let store = try open(storage, hooks)
    store.historyLimit = 10
    try store.commit(named: "Add Ann") { try $0.insert(ann) }
    try store.commit { _ in }
    _ = try store.find(Person.self, 1)
    _ = try store.fetch(Query<Person>())
    _ = try store.read { try $0.count(Query<Person>()) }
    _ = try store.version
    try store.undo()
    try store.refresh()
    hooks.expectPairs()
    #expect(
      hooks.words == [
        "+opening", "-opening 0", "+commit \"Add Ann\"", "-commit \"Add Ann\" 1", "+commit",
        "-commit", "+read", "-read", "+read", "-read 1", "+read", "-read 1", "+read", "-read 1",
        "+commit", "-commit 2", "+merging", "-merging",
      ])
    let ids = hooks.calls.filter { $0.report == nil }.map(\.operation.id)
    #expect(ids == ids.sorted() && Set(ids).count == ids.count)
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: Operations that fail have their error`(_ storage: TestStorage) throws {
    let hooks = RecordingHooks()
    let store = try open(storage, hooks)
    #expect(throws: Refused.self) { try store.commit { _ in throw Refused() } }
    let stray = Car(id: 1, model: "Volvo", year: 1994, owner: Ref(ann))
    #expect(throws: StoreError.self) { try store.commit { try $0.insert(stray) } }
    #expect(throws: Refused.self) { try store.read { _ in throw Refused() } }
    hooks.expectPairs()
    #expect(
      hooks.words.dropFirst(2) == [
        "+commit", "-commit fails", "+commit", "-commit fails", "+read", "-read fails",
      ])
    let failures = hooks.reports(.commit)
    #expect(failures[0].error is Refused)
    #expect(failures[0].commit?[.rules] == .zero && failures[0].commit?[.storing] == .zero)
    guard case .missingReference = failures[1].error as? StoreError else {
      recordIssue("\(failures[1])")
      return
    }
    #expect(failures[1].commit?[.storing] == .zero)
  }

  @Test func `S10: A storage that can't be opened is reported`() throws {
    let hooks = RecordingHooks()
    #expect(throws: StoreError.self) {
      try Store(.sqlite(path: ":memory:"), entities: [Person.self], hooks: hooks)
    }
    hooks.expectPairs()
    #expect(hooks.words == ["+opening", "-opening fails"])
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: A commit and a read in a commit's body are part of it`(_ storage: TestStorage) throws {
    let hooks = RecordingHooks()
    let store = try open(storage, hooks)
    try store.commit(named: "Outer") { draft in
      try draft.insert(ann)
      try store.commit(named: "Inner") { try $0.insert(bob) }
      _ = try store.find(Person.self, 1)
      _ = try store.fetch(Query<Person>())
      _ = try store.version
    }
    hooks.expectPairs()
    #expect(hooks.words.dropFirst(2) == ["+commit \"Outer\"", "-commit \"Outer\" 1"])
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: A commit ends after its immediate subscribers`(_ storage: TestStorage) throws {
    let order = Log<String>()
    let hooks = RecordingHooks { call in
      if call.operation.kind == .commit { order.note(call.report == nil ? "began" : "ended") }
    }
    let store = try open(storage, hooks)
    let token = store.commits.subscribe { _ in order.note("delivered") }
    try store.commit { draft in
      order.note("body")
      try draft.insert(ann)
    }
    #expect(order.entries == ["began", "body", "delivered", "ended"])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: A commit in a task is reported, also if it is cancelled`(
    _ storage: TestStorage
  ) async throws {
    let hooks = RecordingHooks()
    let store = try open(storage, hooks)
    try await store.commitAsync(named: "Ann") { try $0.insert(ann) }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.commitAsync(named: "Bob") { try $0.insert(bob) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    hooks.expectPairs()
    #expect(
      hooks.words.dropFirst(2) == [
        "+commit \"Ann\"", "-commit \"Ann\" 1", "+commit \"Bob\"", "-commit \"Bob\" fails",
      ])
    #expect(hooks.reports(.commit).last?.error is CancellationError)
  }

  @Test func `S10: A body that runs again is one operation`() throws {
    let hooks = RecordingHooks()
    let storage = FlakyHooksStorage()
    let store = try Store(.custom { storage }, entities: [Person.self], hooks: hooks)
    storage.failures.set(2)
    try store.commit { try $0.insert(ann) }
    hooks.expectPairs()
    #expect(hooks.words.dropFirst(2) == ["+commit", "-commit 1"])
    // Each of the two pauses takes 10 ms or more.
    #expect(hooks.reports(.commit)[0].duration >= .milliseconds(20))
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: The wait for another writer counts`(_ storage: TestStorage) throws {
    let hooks = RecordingHooks()
    let store = try open(storage, hooks)
    let isInside = Counter()
    let thread = TestThread {
      expectNoThrow {
        try store.commit(named: "Slow") { draft in
          try draft.insert(ann)
          isInside.set(1)
          // The other commit has begun, and waits.
          _ = becomesTrueBlocking { store.writer.waiterCount == 1 }
          _ = becomesTrueBlocking(within: .milliseconds(20)) { false }
        }
      }
    }
    #expect(becomesTrueBlocking { isInside.value == 1 })
    try store.commit(named: "Waits") { try $0.insert(bob) }
    thread.join()
    hooks.expectPairs()
    let times = hooks.reports(.commit).compactMap(\.commit)
    let waiting = times.first { $0.name == "Waits" }?[.waiting]
    #expect(waiting ?? .zero >= .milliseconds(20))
    #expect(times.first { $0.name == "Slow" }?[.body] ?? .zero >= .milliseconds(20))
  }

  @Test func `S10: A commit takes no longer than the time between its two calls`() throws {
    let began = Box<ContinuousClock.Instant?>(nil)
    let excess = Log<Duration>()
    let hooks = RecordingHooks { call in
      guard call.operation.kind == .commit else { return }
      if let report = call.report, let start = began.value {
        excess.note(report.duration - (ContinuousClock.now - start))
      } else {
        began.value = ContinuousClock.now
      }
    }
    let store = try open(.memory, hooks)
    try store.commit { draft in
      try draft.insert(ann)
      _ = becomesTrueBlocking(within: .milliseconds(20)) { false }
    }
    #expect(excess.entries.count == 1)
    #expect(excess.entries.allSatisfy { $0 <= .zero })
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: Reads by models, observed objects and snapshots are no operations`(
    _ storage: TestStorage
  ) throws {
    let hooks = RecordingHooks()
    let store = try open(storage, hooks)
    try store.commit { try $0.insert(ann) }
    let words = hooks.words
    let model = try FetchedObjectsModel(Query<Person>(), in: store)
    let person = try ObservedEntity<Person>(1, in: store)
    #expect(model.fetchedObjects.map(\.id) == [1])
    #expect(person.value.name == "Ann")
    // A file keeps only its last version, so it has no snapshots.
    if storage == .memory { expectEqual(try store.snapshot().count(Query<Person>()), 1) }
    #expect(hooks.words == words)
  }

  @Test(arguments: TestStorage.allCases)
  func `S10: Both calls come from the thread that does the work`(_ storage: TestStorage) throws {
    let hooks = RecordingHooks()
    let store = try open(storage, hooks)
    let before = hooks.calls.count
    onThreads(4) { index in
      expectNoThrow {
        for round in 0..<20 {
          try store.commit { try $0.insert(Person(id: index * 100 + round, name: "")) }
          _ = try store.find(Person.self, index)
        }
      }
    }
    hooks.expectPairs()
    let calls = hooks.calls.dropFirst(before)
    #expect(calls.count == 4 * 20 * 4)
    for (_, both) in Dictionary(grouping: calls, by: \.operation.id) {
      #expect(both.count == 2 && both[0].thread == both[1].thread)
    }
    let versions = calls.filter { $0.operation.kind == .commit }.compactMap(\.report?.versions)
    #expect(Set(versions) == Set((1...80).map { Int64($0)...Int64($0) }))
  }
}

/// A storage in memory whose commits give way some times.
private final class FlakyHooksStorage: Storage {
  private let base = InMemoryStorage()
  let failures = Counter()

  var attempts: Int { 5 }

  func open(_ entities: [EntityDescription]) throws -> Int64 { try base.open(entities) }

  func begin() throws -> any StorageTransaction {
    if failures.add(-1) >= 0 { throw StoreError.storage(StorageFault(.conflict, "Given way")) }
    return try base.begin()
  }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try base.read(body)
  }
}
