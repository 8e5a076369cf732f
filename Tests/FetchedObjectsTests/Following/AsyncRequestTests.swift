@_spi(Storage) import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

// No test blocks a thread: on two cores the pool has two, and the main actor may need them.
@Suite struct `Requests off the caller's actor` {
  /// Memory that lets a test step in when it is read, or fails.
  private final class SteppedStorage: Storage {
    struct Failure: Error {}
    private let memory = InMemoryStorage()
    let whenReading = Locked<(@Sendable () -> Void)?>(nil)
    let isFailing = AtomicWord(0)

    func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }
    func begin() throws -> any StorageTransaction { try memory.begin() }
    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
      whenReading.withLock { $0.take() }?()
      if isFailing.load() != 0 { throw Failure() }
      return try memory.read(body)
    }
  }

  private final class Numbers: Sendable { let all = Locked<[Int]>([]) }

  private func makeStore() throws -> (Store, SteppedStorage) {
    let storage = SteppedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      for id in 1...9 {
        try draft.insert(Car(id: id, model: "m\(id)", year: 1990 + id, owner: nil))
      }
    }
    return (store, storage)
  }

  private func after(_ year: Int) -> Query<Car> { Query<Car>().filter { $0.year > year } }

  @Test @MainActor func `F6: the old result stays until the new one is there`() async throws {
    let (store, storage) = try makeStore()
    let model = try FetchedObjectsModel(after(1990), in: store, delivery: .mainActor)
    let events = Recorder(model.didChange.map(\.after.count))
    let seen = Locked<[Int]>([])
    let old = after(1990)
    storage.whenReading.withLock {
      $0 = {
        seen.withLock { $0 = [model.count, model.query == old ? 1 : 0] }
        seen.withLock { $0.append(MainActor.isCurrent ? 1 : 0) }
      }
    }
    #expect(try await model.setQueryAsync(after(1995)))
    await store.flush()
    #expect(seen.withLock { $0 } == [9, 1, 0])
    #expect(model.count == 4 && model.query == after(1995) && events.values == [4])
    #expect(try await model.setWindowAsync(offset: 1, limit: 2))
    await store.flush()
    #expect(model.snapshot.rows.map(\.id) == [7, 8] && events.values == [4, 2])
  }

  @Test @MainActor func `F6: windows around a row and at the end are read off the caller's actor`()
    async throws
  {
    let (store, storage) = try makeStore()
    let model = try FetchedObjectsModel(after(1990).limit(1), in: store, delivery: .mainActor)
    let events = Recorder(model.didChange.map(\.after.count))
    let seen = Locked<[Int]>([])
    func noteNextRead() {
      storage.whenReading.withLock {
        $0 = { seen.withLock { $0 += [model.count, MainActor.isCurrent ? 1 : 0] } }
      }
    }
    noteNextRead()
    #expect(try await model.setWindowAsync(around: 5, before: 1, after: 2))
    await store.flush()
    #expect(model.snapshot.rows.map(\.id) == [4, 5, 6, 7] && model.windowAnchor == 5)
    noteNextRead()
    #expect(try await model.setWindowAsync(last: 2, offset: 1))
    await store.flush()
    #expect(model.snapshot.rows.map(\.id) == [7, 8] && model.windowAnchor == nil)
    #expect(seen.withLock { $0 } == [1, 0, 4, 0] && events.values == [4, 2])
    await #expect(throws: StoreError.notFound(ObjectID(entityName: "Car", id: .integer(99)))) {
      try await model.setWindowAsync(around: 99, before: 0, after: 0)
    }
    // A later request replaces the next one.
    storage.whenReading.withLock { $0 = { model.requests.replace() } }
    #expect(try await !model.setWindowAsync(around: 3, before: 0, after: 0))
    await store.flush()
    #expect(model.snapshot.rows.map(\.id) == [7, 8] && events.values == [4, 2])
  }

  @Test func `F6: a result that a later request replaces isn't shown`() async throws {
    let (store, storage) = try makeStore()
    let model = try FetchedObjectsModel(after(1990), in: store)
    let events = Recorder(model.didChange.map(\.after.count))
    // As `setQuery` does first, while it waits for this one.
    storage.whenReading.withLock { $0 = { model.requests.replace() } }
    #expect(try await !model.setQueryAsync(after(1995)))
    #expect(model.count == 9 && model.query == after(1990) && events.values.isEmpty)
    try model.setQuery(after(1998))
    #expect(model.count == 1 && events.values == [1])
  }

  @Test func `F6: of the requests that wait only the last one runs`() async throws {
    let requests = LatestRequest()
    let (isRunning, running) = AsyncStream<Void>.makeStream()
    let (mayEnd, end) = AsyncStream<Void>.makeStream()
    let ran = Numbers()
    let first = Task {
      try await requests.run { isReplaced in
        running.yield()
        for await _ in mayEnd { break }
        return !isReplaced()
      }
    }
    for await _ in isRunning { break }
    var waiting: [Task<Bool, any Error>] = []
    for number in 1...4 {
      let newest = requests.newest
      waiting.append(
        Task {
          try await requests.run { _ in
            ran.all.withLock { $0.append(number) }
            return true
          }
        })
      while requests.newest == newest { await Task.yield() }
    }
    let last = waiting.removeLast()
    for request in waiting { #expect(try await !request.value) }
    end.yield()
    #expect(try await !first.value)
    #expect(try await last.value)
    #expect(ran.all.withLock { $0 } == [4])
  }

  @Test func `A request of a cancelled task isn't carried out`() async throws {
    let requests = LatestRequest()
    let (isRunning, running) = AsyncStream<Void>.makeStream()
    let (mayEnd, end) = AsyncStream<Void>.makeStream()
    let first = Task {
      try await requests.run { _ in
        running.yield()
        for await _ in mayEnd { break }
        return true
      }
    }
    for await _ in isRunning { break }
    let newest = requests.newest
    let second = Task { try await requests.run { _ in true } }
    while requests.newest == newest { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    end.yield()
    #expect(try await first.value)
    // Afterwards requests run as before, also after an error.
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await requests.run { _ in throw Failure() } }
    #expect(try await requests.run { isReplaced in !isReplaced() })
  }

  @Test func `F6: a request that is cancelled while it waits for another isn't carried out`()
    async throws
  {
    let requests = LatestRequest()
    let (isRunning, running) = AsyncStream<Void>.makeStream()
    let (mayEnd, end) = AsyncStream<Void>.makeStream()
    let request = Task {
      try await requests.run { isReplaced in
        running.yield()
        // As with a lock that a `setQuery` holds, a cancel doesn't end this wait.
        await Task.detached { for await _ in mayEnd { break } }.value
        return !isReplaced()
      }
    }
    for await _ in isRunning { break }
    request.cancel()
    end.yield()
    await #expect(throws: CancellationError.self) { try await request.value }
    #expect(try await requests.run { isReplaced in !isReplaced() })
  }

  @Test func `F6: an error leaves the model as it was`() async throws {
    let (store, storage) = try makeStore()
    let model = try FetchedObjectsModel(after(1990), in: store)
    storage.isFailing.store(1)
    await #expect(throws: SteppedStorage.Failure.self) {
      try await model.setQueryAsync(after(1995))
    }
    #expect(model.count == 9 && model.query == after(1990))
    storage.isFailing.store(0)
    #expect(try await model.setQueryAsync(after(1995)))
    #expect(model.count == 4)
  }
}
