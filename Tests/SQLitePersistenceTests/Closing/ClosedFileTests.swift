import SQLiteLibrary
@_spi(Storage) import EntityStore
import FetchedObjects
import Foundation
import Locking
import Relays
import TestSupport
import Testing

@_spi(Storage) @testable import SQLitePersistence

/// The paths of the open files whose name begins with `path`.
private func openFiles(_ path: String) throws -> [String] {
  #if os(Linux)
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
  }.filter { $0.hasPrefix(path) }
  #else
  []
  #endif
}

@Suite(.timeLimit(.minutes(20))) struct `S11: A closed file is nobody's` {
  private let path = temporaryPath("closed")

  private func open(
    _ durability: Durability = .full, watching: StorageKind.FileWatching = .automatic
  ) throws -> Store {
    try Store(
      .sqlite(path: path, durability: durability, watching: watching),
      entities: [Person.self, Car.self])
  }

  private func expectClosedFile() throws {
    #expect(try openFiles(path) == [])
    // The WAL has been checkpointed.
    #expect(!fileExists(path + "-wal") && !fileExists(path + "-shm"))
  }

  @Test(arguments: [Durability.full, .normal])
  func `S11: Nothing of the file is open, and it can be deleted and made again`(
    _ durability: Durability
  ) async throws {
    for round in 1...10 {
      let store = try open(durability)
      let model = try FetchedObjectsModel(Query<Car>(), in: store)
      for id in 1...round { try store.commit { try $0.insert(Car(id: id, model: "\(id)")) } }
      _ = try store.fetch(Query<Car>())
      #if os(Linux)
      #expect(try !openFiles(path).isEmpty)
      #endif
      await store.close()
      try expectClosedFile()
      #expect(model.fetchedObjects.count == round)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(arguments: [Durability.full, .normal])
  func `S11: What has returned is in the file, whatever ran meanwhile`(
    _ durability: Durability
  ) async throws {
    var expected: Set<Int> = []
    for round in 0..<10 {
      let store = try open(durability)
      let returned = Log<Int>()
      let faults = Log<StorageFault.Kind>()
      let begun = Counter()
      let threads = (0..<4).map { thread in
        TestThread {
          var id = round * 1_000_000 + thread * 100_000
          while true {
            id += 1
            do {
              try store.commit { try $0.insert(Car(id: id, model: "\(id)")) }
              returned.note(id)
              _ = try store.fetch(Query<Car>().limit(10))
              _ = try store.find(Car.self, id)
              begun.add()
            } catch StoreError.storage(let fault) {
              faults.note(fault.kind)
              return
            } catch {
              recordIssue("\(error)")
              return
            }
          }
        }
      }
      #expect(await becomesTrue { begun.value > 20 })
      await store.close()
      // The threads may still be returning, but nothing of theirs is open.
      try expectClosedFile()
      try await onOwnThread { threads.forEach { $0.join() } }
      #expect(faults.entries == Array(repeating: .closed, count: 4))
      expected.formUnion(returned.entries)
      let again = try open(durability)
      #expect(try Set(again.fetch(Query<Car>()).map(\.id)) == expected)
      await again.close()
    }
  }

  @Test func `S11: A read that runs is completed before`() async throws {
    let store = try open()
    try store.commit { try $0.insert(Car(id: 1, model: "Volvo")) }
    let (isInside, mayEnd, isClosed) = (Counter(), Counter(), Counter())
    let counts = Log<Int>()
    let reading = TestThread {
      do {
        try store.read { reader in
          isInside.set(1)
          _ = becomesTrueBlocking { mayEnd.value == 1 }
          counts.note(try reader.count(Query<Car>()))
        }
      } catch { recordIssue("\(error)") }
    }
    #expect(await becomesTrue { isInside.value == 1 })
    let closing = Task {
      await store.close()
      isClosed.set(1)
    }
    #expect(await !becomesTrue(within: .milliseconds(50)) { isClosed.value == 1 })
    mayEnd.set(1)
    await closing.value
    try expectClosedFile()
    try await onOwnThread { reading.join() }
    #expect(counts.entries == [1])
  }

  @Test func `S11: Another store on the file goes on, and its commits aren't published here`()
    async throws
  {
    let (here, there) = (try open(), try open())
    let commits = Log<Int64>()
    let tokens = [
      here.commits.subscribe { commits.note($0.version) },
      here.errors.subscribe { recordIssue("\($0)") },
    ]
    try here.commit { try $0.insert(Car(id: 1, model: "Volvo")) }
    await here.close()
    try there.commit { try $0.insert(Car(id: 2, model: "Fiat")) }
    #expect(try there.fetch(Query<Car>()).map(\.id) == [1, 2])
    #expect(commits.entries == [1])
    await there.close()
    try expectClosedFile()
    withExtendedLifetime(tokens) {}
  }

  @Test func `S11: A suspended store can be closed, and isn't resumed`() async throws {
    let store = try open()
    try store.commit { try $0.insert(Car(id: 1, model: "Volvo")) }
    #expect(store.suspend(within: .seconds(300)))
    await store.close()
    store.resume()
    #expect(throws: StoreError.storage(.closed(path: path))) { try store.version }
    try expectClosedFile()
  }

  @Test func `S11: An interruption that comes too late doesn't end the last checkpoint`()
    async throws
  {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { try $0.insert(Car(id: 1, model: "Volvo")) }
    // A store that is suspended just when a checkpoint ends does this.
    sqlite3_interrupt(storage.writer.connection.handle)
    await store.close()
    try expectClosedFile()
  }

  @Test func `S11: Models that are made and changed meanwhile don't keep the file open`()
    async throws
  {
    for _ in 0..<5 {
      let store = try open(.normal)
      try store.commit { try $0.upsert(Car(id: 1, model: "Volvo")) }
      let rounds = Counter()
      let threads = (0..<2).map { _ in
        TestThread {
          while !store.isClosing {
            let model = try? FetchedObjectsModel(Query<Car>(), in: store)
            try? model?.setQuery(Query<Car>().limit(1))
            rounds.add()
          }
        }
      }
      #expect(await becomesTrue { rounds.value > 10 })
      await store.close()
      try expectClosedFile()
      try await onOwnThread { threads.forEach { $0.join() } }
    }
  }

  @Test func `S11: a commit inside a read that is running fails, and nothing hangs`() async throws {
    let store = try openGarage(temporaryPath("closed"))
    let isInside = AtomicWord(0)
    let kind = Locked<StorageFault.Kind?>(nil)
    let thread = TestThread {
      try? store.read { _ in
        isInside.store(1)
        _ = becomesTrueBlocking { store.isClosing }
        do { try store.commit { try $0.insert(Car(id: 1, model: "m")) } } catch StoreError.storage(
          let fault)
        {
          kind.withLock { $0 = fault.kind }
        }
      }
    }
    #expect(await becomesTrue { isInside.load() == 1 })
    await store.close()
    thread.join()
    #expect(kind.withLock { $0 } == .closed)
  }
}
