@_spi(Storage) import EntityStore
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@testable import FetchedObjects

/// A gate at which reads wait while it is closed.
private final class Gate: Sendable {
  private let closed = AtomicWord(0)
  private let reached = AtomicWord(0)

  var isReached: Bool { reached.load() != 0 }
  func close() { closed.store(1) }
  func open() { closed.store(0) }

  func pass() {
    while closed.load() != 0 {
      reached.store(1)
      CurrentThread.yield()
    }
  }
}

// A read that waits at a gate keeps a thread of the pool, and on two cores there are two.
@Suite(.serialized) struct `Requests off the caller's actor` {
  /// Memory whose reads of many objects wait at a gate, if one is closed.
  private final class SlowStorage: Storage {
    private let memory = InMemoryStorage()
    let gate = Gate()
    let fetches = AtomicWord(0)
    let isFailing = AtomicWord(0)
    struct Failure: Error {}

    func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }
    func begin() throws -> any StorageTransaction { try memory.begin() }
    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
      fetches.add(1)
      gate.pass()
      if isFailing.load() != 0 { throw Failure() }
      return try memory.read(body)
    }
  }

  private func makeStore() throws -> (Store, SlowStorage) {
    let storage = SlowStorage()
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
    storage.gate.close()
    let request = Task { try await model.setQueryAsync(after(1995)) }
    // The main actor goes on meanwhile.
    while !storage.gate.isReached { await Task.yield() }
    #expect(model.count == 9 && model.query == after(1990) && events.values.isEmpty)
    storage.gate.open()
    #expect(try await request.value)
    await store.flush()
    #expect(model.count == 4 && model.query == after(1995) && events.values == [4])
    #expect(try await model.setWindowAsync(offset: 1, limit: 2))
    await store.flush()
    #expect(model.snapshot.rows.map(\.id) == [7, 8] && events.values == [4, 2])
  }

  @Test @MainActor func `F6: a later request replaces those before`() async throws {
    let (store, storage) = try makeStore()
    let model = try FetchedObjectsModel(after(1990), in: store, delivery: .mainActor)
    let events = Recorder(model.didChange.map(\.after.count))
    storage.gate.close()
    let first = Task { try await model.setQueryAsync(after(1991)) }
    while !storage.gate.isReached { await Task.yield() }
    let fetches = storage.fetches.load()
    var replaced: [Task<Bool, any Error>] = []
    for year in 1992...1996 {
      replaced.append(Task { try await model.setQueryAsync(after(year)) })
      // Each has asked before the next.
      for _ in 0..<20 { await Task.yield() }
    }
    let last = replaced.removeLast()
    for request in replaced { #expect(try await !request.value) }
    #expect(storage.fetches.load() == fetches)
    storage.gate.open()
    #expect(try await !first.value)
    #expect(try await last.value)
    await store.flush()
    #expect(events.values == [3] && model.query == after(1996))
  }

  @Test func `A request that runs is told when a later one comes`() async throws {
    let requests = LatestRequest()
    let seen = Locked<[Bool]>([])
    let isDone = try await requests.run { isReplaced in
      seen.withLock { $0.append(isReplaced()) }
      requests.replace()
      seen.withLock { $0.append(isReplaced()) }
      return false
    }
    #expect(!isDone && seen.withLock { $0 } == [false, true])
    #expect(try await requests.run { _ in true })
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await requests.run { _ in throw Failure() } }
    #expect(try await requests.run { _ in true })
  }

  @Test @MainActor func `A request of a cancelled task isn't carried out`() async throws {
    let (store, storage) = try makeStore()
    let model = try FetchedObjectsModel(after(1990), in: store, delivery: .mainActor)
    storage.gate.close()
    let first = Task { try await model.setQueryAsync(after(1991)) }
    while !storage.gate.isReached { await Task.yield() }
    let second = Task { try await model.setQueryAsync(after(1992)) }
    for _ in 0..<20 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    storage.gate.open()
    // It was replaced before the other was cancelled.
    #expect(try await !first.value)
    #expect(model.query == after(1990))
    // Afterwards requests work as before.
    #expect(try await model.setQueryAsync(after(1993)))
    #expect(model.query == after(1993))
  }

  @Test func `F6: an error leaves the model as it was`() async throws {
    let (store, storage) = try makeStore()
    let model = try FetchedObjectsModel(after(1990), in: store)
    storage.isFailing.store(1)
    await #expect(throws: SlowStorage.Failure.self) {
      try await model.setQueryAsync(after(1995))
    }
    #expect(model.count == 9 && model.query == after(1990))
    storage.isFailing.store(0)
    #expect(try await model.setQueryAsync(after(1995)))
    #expect(model.count == 4)
  }
}
