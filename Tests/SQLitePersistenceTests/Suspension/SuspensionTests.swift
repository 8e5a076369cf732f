@_spi(Storage) import EntityStore
import FetchedObjects
import Foundation
import Locking
import Relays
@_spi(Storage) import SQLitePersistence
import TestSupport
import Testing

private func kind(_ body: () throws -> Void) -> StorageFault.Kind? {
  do { try body() } catch StoreError.storage(let fault) { return fault.kind } catch {
    recordIssue("\(error)")
  }
  return nil
}

/// A car whose model is no other's.
private func car(_ id: Int) -> Car { Car(id: id, model: "m\(id)") }

@Suite(.timeLimit(.minutes(20))) struct SuspensionTests {
  private let path = temporaryPath("suspended")

  private func open(_ watching: StorageKind.FileWatching = .none) throws -> Store {
    let store = try openGarage(path, watching: watching)
    if try store.count(Query<Car>()) == 0 {
      try store.commit { try $0.insert(car(1)) }
    }
    return store
  }

  @Test func `P7: a suspended store neither writes nor reads, shows what it showed, and resumes`()
    throws
  {
    let store = try open()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    #expect(store.suspend())
    #expect(kind { try store.commit { try $0.insert(car(2)) } } == .suspended)
    #expect(kind { _ = try store.find(Car.self, 1) } == .suspended)
    #expect(kind { _ = try store.fetch(Query<Car>()) } == .suspended)
    #expect(kind { try store.refresh() } == .suspended)
    #expect(kind { try store.backUp(to: path + ".copy") } == .suspended)
    #expect(kind { _ = try FetchedObjectsModel(Query<Person>(), in: store) } == .suspended)
    #expect(model.fetchedObjects.map(\.id) == [1])
    store.resume()
    #expect(try store.version == 1)
    try store.commit { try $0.insert(car(2)) }
    #expect(model.fetchedObjects.map(\.id) == [1, 2])
    #expect(!FileManager.default.fileExists(atPath: path + ".copy"))
  }

  @Test func `P7: a store that is about to close its file isn't suspended before it has`()
    async throws
  {
    let store = try open()
    let hasBegun = Counter()
    let mayEnd = Counter()
    let token = store.commits.subscribe { _ in
      hasBegun.set(1)
      expectTrue(becomesTrueBlocking { mayEnd.value == 1 })
    }
    let thread = TestThread {
      do { try store.commit { try $0.insert(car(2)) } } catch { recordIssue("\(error)") }
    }
    #expect(await becomesTrue { hasBegun.value == 1 })
    // The commit is complete, and nothing of the file is locked.
    #expect(store.suspend(within: .seconds(300)))
    store.resume()
    let closing = Task { await store.close() }
    #expect(await becomesTrue { store.isClosing })
    // It waits for the event, and locks the file later.
    #expect(!store.suspend(within: .milliseconds(20)))
    mayEnd.set(1)
    await closing.value
    thread.join()
    #expect(store.suspend(within: .zero))
    withExtendedLifetime(token) {}
  }

  @Test func `P7: suspending twice is as once, and resuming without it changes nothing`() throws {
    let store = try open()
    store.resume()
    #expect(store.suspend() && store.suspend())
    store.resume()
    try store.commit { try $0.delete(Car.self, 1) }
    let memory = try Store(.inMemory, entities: [Person.self, Car.self])
    #expect(memory.suspend())
    try memory.commit { try $0.insert(car(1)) }
    memory.resume()
  }

  @Test func `P7: a body ends at its next request, and nothing of it is kept`() throws {
    let store = try open()
    let isInside = AtomicWord(0)
    let mayGoOn = AtomicWord(0)
    let outcome = Locked<StorageFault.Kind?>(nil)
    let thread = TestThread {
      let fault = kind {
        try store.commit { draft in
          try draft.insert(car(2))
          isInside.store(1)
          _ = becomesTrueBlocking { mayGoOn.load() == 1 }
          try draft.insert(car(3))
        }
      }
      outcome.withLock { $0 = fault }
    }
    expectTrue(becomesTrueBlocking { isInside.load() == 1 })
    #expect(!store.suspend(within: .milliseconds(20)))
    mayGoOn.store(1)
    thread.join()
    #expect(outcome.withLock { $0 } == .suspended)
    #expect(store.suspend(within: .zero))
    // Nobody is kept from writing meanwhile.
    let other = try openGarage(path)
    try other.commit { try $0.insert(car(4)) }
    store.resume()
    #expect(try store.fetch(Query<Car>()).map(\.id) == [1, 4])
    #expect(try store.version == 2)
  }

  @Test func `P7: a statement that runs long ends soon`() throws {
    let storage = try SQLiteStorage(path: path, durability: .normal, watching: .none)
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(contentsOf: (1..<3000).map { car($0) })
    }
    // A read leaves a connection for the statement.
    #expect(try store.count(Query<Car>()) == 2999)
    #expect(storage.idleConnectionCount == 1)
    let outcome = Locked<StorageFault.Kind?>(nil)
    let thread = TestThread {
      let fault = kind {
        // Each row is compared with each other one, several times.
        _ = try store.sql(
          """
          SELECT count(*) FROM \(Car.self) AS a, \(Car.self) AS b, \(Car.self) AS c
          WHERE a.model > b.model AND b.model > c.model
          """, as: Int.self)
      }
      outcome.withLock { $0 = fault }
    }
    // The statement has taken the connection, so it is what is ended.
    expectTrue(becomesTrueBlocking { storage.idleConnectionCount == 0 })
    #expect(store.suspend(within: .seconds(300)))
    thread.join()
    #expect(outcome.withLock { $0 } == .suspended)
    store.resume()
    #expect(try store.count(Query<Car>()) == 2999)
  }

  @Test func `P7: whenever it comes, what has returned is there once, and nothing else`() throws {
    let store = try open(.automatic)
    let isOver = AtomicWord(0)
    let suspender = TestThread {
      var random = SeededGenerator(number: 4)
      while isOver.load() == 0 {
        #expect(store.suspend(within: .seconds(300)))
        if random.chance(0.5) { CurrentThread.yield() }
        store.resume()
        for _ in 0..<Int.random(in: 0...3, using: &random) { CurrentThread.yield() }
      }
    }
    let returned = Locked([1])
    let refused = Counter()
    let turns = rounds(300)
    onThreads(3) { writer in
      var turn = 0
      // Some commit is to return, however often the store is suspended before that.
      while turn < turns || turn < 1_000_000 && returned.withLock({ $0.count }) == 1 {
        let id = 1_000_000 * (writer + 1) + turn
        turn += 1
        let fault = kind {
          try store.commit { draft in
            if try draft.find(Car.self, id) == nil { try draft.insert(car(id)) }
          }
          returned.withLock { $0.append(id) }
          _ = try store.find(Car.self, id)
        }
        if fault == .suspended { refused.add() } else if let fault { recordIssue("\(fault)") }
      }
    }
    isOver.store(1)
    suspender.join()
    let all = returned.withLock { $0.sorted() }
    #expect(all.count > 1)
    #expect(try store.fetch(Query<Car>()).map(\.id) == all)
    #expect(try store.version == Int64(all.count))
    tried(refused.value, "commits and reads of a suspended store")
  }

  @Test func `P7: what others have committed meanwhile is one event after it resumes`() async throws
  {
    let store = try open(.automatic)
    let errors = Recorder(store.errors)
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let events = Recorder(model.didChange)
    #expect(store.suspend(within: .seconds(300)))
    let other = try openGarage(path)
    for id in 2...5 { try other.commit { try $0.insert(car(id)) } }
    #expect(await !becomesTrue(within: .milliseconds(50)) { !events.values.isEmpty })
    store.resume()
    #expect(await becomesTrue { !events.values.isEmpty })
    #expect(events.values.map(\.after.count) == [5] && errors.values.isEmpty)
  }

  /// The number of cars; if it is read while `isArmed` is 1, another thread suspends the store
  /// first.
  private func suspendingCount(
    _ store: Store, _ isArmed: Counter, resumes: Bool = false
  ) throws -> ObservedValue<Int> {
    try ObservedValue(in: store) { reader in
      if isArmed.value == 1 {
        isArmed.set(0)
        let thread = TestThread {
          store.suspend(within: .zero)
          if resumes { store.resume() }
        }
        thread.join()
      }
      return try reader.count(Query<Car>())
    }
  }

  @Test func `P7, S1: a commit that is being completed reaches each model`() throws {
    let store = try open()
    let isArmed = Counter()
    let value = try suspendingCount(store, isArmed)
    // It reads the version before the commit, too, through another connection.
    let list = try IndexedObjectsModel(Query<Car>(), in: store)
    let window = try FetchedObjectsModel(Query<Car>().last(1), in: store)
    let errors = [Recorder(value.errors), Recorder(list.errors), Recorder(window.errors)]
    isArmed.set(1)
    try store.commit { try $0.insert(car(2)) }
    #expect(isArmed.value == 0)
    #expect(store.suspend())
    #expect(kind { _ = try store.find(Car.self, 1) } == .suspended)
    store.resume()
    #expect(value.value == 2 && list.count == 2 && window.fetchedObjects.map(\.id) == [2])
    #expect(errors.allSatisfy { $0.values.isEmpty })
    #expect(try store.count(Query<Car>()) == 2)
  }

  @Test(arguments: [false, true])
  func `P7: a merge that suspending interrupts is made again, as one event`(
    _ resumes: Bool
  ) throws {
    let store = try open()
    let other = try openGarage(path)
    let isArmed = Counter()
    let value = try suspendingCount(store, isArmed, resumes: resumes)
    let list = try IndexedObjectsModel(Query<Car>(), in: store)
    let whole = try FetchedObjectsModel(Query<Car>(), in: store)
    let errors = [Recorder(value.errors), Recorder(list.errors), Recorder(whole.errors)]
    let (listEvents, wholeEvents) = (Recorder(list.didChange), Recorder(whole.didChange))
    isArmed.set(1)
    try other.commit { try $0.insert(car(2)) }
    #expect(kind { try store.refresh() } == .suspended)
    #expect(isArmed.value == 0)
    #expect(value.value == 1 && list.count == 1 && whole.count == 1)
    #expect(store.suspend())
    store.resume()
    try store.refresh()
    #expect(value.value == 2 && list.count == 2 && whole.count == 2)
    #expect(listEvents.values.count == 1 && wholeEvents.values.count == 1)
    #expect(errors.allSatisfy { $0.values.isEmpty })
  }

  /// Waits for a file that the other process writes.
  private static func waitFor(_ path: String) -> String? {
    var text: String?
    let isThere = becomesTrueBlocking {
      text = try? String(contentsOfFile: path, encoding: .utf8)
      return text?.hasSuffix("\n") ?? false
    }
    return isThere ? text : nil
  }

  @Test func `P7: a process that is stopped while suspended is in nobody's way`() async throws {
    let path = path
    let (pid, goOn) = (temporaryPath("pid"), temporaryPath("go"))
    _ = try open()
    let child = Task {
      _ = await #expect(processExitsWith: .success) {
        [path = path as String, pid = pid as String, goOn = goOn as String] in
        let store = try openGarage(path, watching: .automatic)
        let model = try FetchedObjectsModel(Query<Car>(), in: store)
        try store.commit { try $0.insert(car(2)) }
        // Without a pause, so that a process that isn't suspended is stopped with a lock.
        let isOver = AtomicWord(0)
        let threads = (0..<2).map { thread in
          TestThread {
            while isOver.load() == 0 {
              if thread == 0 {
                try? store.commit { try $0.update(Car.self, 2) { $0.model += "x" } }
              } else {
                _ = try? store.fetch(Query<Car>())
              }
            }
          }
        }
        expectTrue(becomesTrueBlocking { (try? store.version).map { $0 > 20 } ?? false })
        precondition(store.suspend(within: .seconds(300)))
        let number = ProcessInfo.processInfo.processIdentifier
        try "\(number)\n".write(toFile: pid, atomically: true, encoding: .utf8)
        precondition(Self.waitFor(goOn) != nil)
        isOver.store(1)
        for thread in threads { thread.join() }
        store.resume()
        try store.refresh()
        // The thread that watches may still be delivering.
        await store.flush()
        precondition(model.fetchedObjects.map(\.id) == [1, 2, 3])
        try store.commit { try $0.insert(car(4)) }
      }
    }
    let problems = try await onOwnThread { Self.writeBeside(path, pid, goOn) }
    await child.value
    #expect(problems == [])
    #expect(try openGarage(path).fetch(Query<Car>()).map(\.id) == [1, 2, 3, 4])
  }

  /// Stops the other process, does all that its locks would keep from being done, and lets it go on.
  private static func writeBeside(_ path: String, _ pid: String, _ goOn: String) -> [String] {
    guard let number = waitFor(pid).flatMap({ pid_t($0.dropLast()) }) else { return ["no child"] }
    kill(number, SIGSTOP)
    defer {
      kill(number, SIGCONT)
      try? "\n".write(toFile: goOn, atomically: true, encoding: .utf8)
    }
    do {
      try openGarage(path).commit { try $0.insert(car(3)) }
      let raw = try RawDatabase(path)
      try raw.rows("PRAGMA busy_timeout = 0")
      try raw.rows("BEGIN IMMEDIATE")
      try raw.rows("ROLLBACK")
      // The first number is 0 if nobody was in the way: neither a reader nor a writer.
      let checkpoint = try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      return checkpoint.first?.first == "0" ? [] : ["checkpoint: \(checkpoint)"]
    } catch { return ["\(error)"] }
  }
}
