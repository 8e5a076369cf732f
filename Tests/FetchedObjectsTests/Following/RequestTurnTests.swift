import Dispatch
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

/// What is read of a commit that can be read, and that nothing in its place shows yet.
@Suite struct RequestTurnTests {
  /// How many cars one shows whose event it is, and another model then.
  private typealias Counts = [Int]

  @Test(arguments: [DeliveryPolicy.every, .coalesced])
  func `F13: a query that reads a commit early is published when all models show it`(
    _ policy: DeliveryPolicy
  ) throws {
    let storage = GatedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let all = try FetchedObjectsModel(Query<Car>(), in: store, policy: policy)
    let some = try FetchedObjectsModel(
      Query<Car>().filter { $0.year > 2010 }, in: store, policy: policy)
    let counts = Recorder(some.didChange.map { [$0.after.count, all.snapshot.count] as Counts })
    let told = DispatchSemaphore(value: 0)
    let token = some.didChange.subscribe { _ in told.signal() }
    try race(storage, store, told) {
      do { try some.setQuery(Query<Car>().filter { $0.year > 1990 }) } catch {
        Issue.record(error)
      }
    }
    // The commit comes first, with the query as it was; `.coalesced` may tell of both in one.
    let isMerged = policy == .coalesced && counts.values.count == 1
    #expect(counts.values == (isMerged ? [[5, 5]] : [[3, 5], [5, 5]]))
    withExtendedLifetime(token) {}
  }

  @Test func `F13: a window that reads a commit early is published when all models show it`() throws
  {
    let storage = GatedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let all = try FetchedObjectsModel(Query<Car>(), in: store)
    // A window keeps all rows where sums are asked for.
    let some = try FetchedObjectsModel(Query<Car>().limit(1), in: store)
    let counts = Recorder(
      some.didChange.map { [$0.after.totalCount, all.snapshot.count] as Counts })
    let told = DispatchSemaphore(value: 0)
    let token = some.didChange.subscribe { _ in told.signal() }
    try race(storage, store, told) {
      do { try some.setQuery(Query<Car>().limit(2).aggregating { $0.year }) } catch {
        Issue.record(error)
      }
    }
    #expect(counts.values == [[5, 5]])
    withExtendedLifetime(token) {}
  }

  // MARK: Of other processes

  @Test func `F13, P5: a new query publishes an external commit when all models show it`() throws {
    let (here, there) = try openTwice()
    let all = try FetchedObjectsModel(Query<Car>(), in: here)
    let some = try FetchedObjectsModel(Query<Car>().filter { $0.year > 2010 }, in: here)
    let commits = Recorder(here.commits)
    let counts = Recorder(
      some.didChange.map { [$0.after.count, all.snapshot.count, commits.values.count] as Counts })
    try insertFifth(there)
    try some.setQuery(Query<Car>().filter { $0.year > 1990 })
    // The commit comes first, with the query as it was.
    #expect(counts.values == [[3, 5, 1], [5, 5, 1]])
    try here.refresh()
    #expect(counts.values.count == 2 && commits.values.count == 1)
  }

  @Test func `F13, P5: a window publishes an external commit when all models show it`() throws {
    let (here, there) = try openTwice()
    let all = try FetchedObjectsModel(Query<Car>(), in: here)
    let some = try FetchedObjectsModel(Query<Car>().limit(1), in: here)
    let commits = Recorder(here.commits)
    let counts = Recorder(
      some.didChange.map {
        [$0.after.totalCount, all.snapshot.count, commits.values.count] as Counts
      })
    try insertFifth(there)
    try some.setQuery(Query<Car>().limit(2).aggregating { $0.year })
    #expect(counts.values.last == [5, 5, 1])
    #expect(counts.values.allSatisfy { $0[0] == $0[1] && $0[2] == 1 })
  }

  /// A file's storage that lets a test hold up a commit which has the store's turn, before it has the file.
  private final class GatedFile: FileStorage {
    private let file: SQLiteStorage
    /// Run once, by the next commit.
    let whenBeginning = Locked<(@Sendable () -> Void)?>(nil)

    init(_ path: String) throws { file = try SQLiteStorage(path: path, durability: .normal) }

    var filePath: String { file.filePath }
    var firstMark: StorageMark { file.firstMark }
    func isMadeAgain(_ mark: StorageMark, since earlier: StorageMark) -> Bool {
      file.isMadeAgain(mark, since: earlier)
    }
    func willClose() { file.willClose() }
    func open(_ entities: [EntityDescription]) throws -> Int64 { try file.open(entities) }
    func begin() throws -> any StorageTransaction {
      whenBeginning.withLock { $0.take() }?()
      return try file.begin()
    }
    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
      try file.read(body)
    }
    func makeDurable(_ version: Int64) throws { try file.makeDurable(version) }
    func skip(past version: Int64) throws { try file.skip(past: version) }
  }

  @Test func `F13, P5: while another thread waits for the file a query is set ahead of the others`()
    throws
  {
    let path = temporaryPath("turns")
    let storage = try GatedFile(path)
    let entities: [any Entity.Type] = [Person.self, Car.self]
    let here = try Store(.custom { storage }, entities: entities)
    try here.fillGarage()
    let there = try Store(
      .sqlite(path: path, durability: .normal, watching: .none), entities: entities)
    let all = try FetchedObjectsModel(Query<Car>(), in: here)
    let some = try FetchedObjectsModel(Query<Car>().filter { $0.year > 2010 }, in: here)
    let commits = Recorder(here.commits)
    let counts = Recorder(
      some.didChange.map { [$0.after.count, all.snapshot.count, commits.values.count] as Counts })
    // Another thread has the store's turn, and doesn't get the file until this one says so.
    let (isWaiting, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    storage.whenBeginning.withLock {
      $0 = {
        isWaiting.signal()
        mayGoOn.wait()
      }
    }
    let thread = TestThread {
      do {
        try here.commit { try $0.insert(Car(id: 6, model: "Fiat", year: 2000, owner: nil)) }
      } catch { Issue.record(error) }
    }
    isWaiting.wait()
    try insertFifth(there)
    // It returns all the same, with what can be read.
    try some.setQuery(Query<Car>().filter { $0.year > 1990 })
    #expect(counts.values == [[5, 4, 0]])
    #expect(some.snapshot.count == 5 && all.snapshot.count == 4)
    mayGoOn.signal()
    thread.join()
    // The commit that it was ahead of comes to the others, and not once more to it.
    #expect(all.snapshot.count == 6)
    #expect(commits.values.count == 2)
    #expect(counts.values.map { $0[0] } == [5, 6])
  }

  @Test func `F13, P5: a query that is set beside a body of another thread doesn't wait`() throws {
    let (here, there) = try openTwice()
    try insertFifth(there)
    let some = try FetchedObjectsModel(Query<Car>().filter { $0.year > 2010 }, in: here)
    let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = TestThread {
      try? here.commit { _ in
        isInside.signal()
        mayGoOn.wait()
      }
    }
    isInside.wait()
    try some.setQuery(Query<Car>().filter { $0.year > 1990 })
    #expect(some.snapshot.count == 5)
    mayGoOn.signal()
    thread.join()
  }
}
