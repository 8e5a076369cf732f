#if PostgreSQL
@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Foundation
import Locking
@_spi(Storage) import PostgreSQLPersistence
import Relays
import TestSupport
import Testing

@Suite struct ServerFailureTests {
  private func open(
    _ connectionString: String, _ schema: String, _ durability: ServerDurability = .full,
    waiting: Duration = patience
  ) throws -> Store {
    try Store(
      .postgreSQL(connectionString, schema: schema, durability: durability, waiting: waiting),
      entities: [Person.self, Car.self])
  }

  private func car(_ id: Int, _ model: String = "car") -> Car {
    Car(id: id, model: model, year: 0, owner: nil)
  }

  @Test func `S1: a writer that is cut off holds the lock for 15 seconds, and commits nothing`()
    throws
  {
    let place = try TestServer.place()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    let here = try open(proxy.connectionString, place.schema, .normal)
    let there = try open(place.connectionString, place.schema, .normal)
    try there.commit { try $0.insert(car(1)) }
    let isHeld = OneTimeWord()
    let clock = ContinuousClock()
    // This is before the lock is taken, so a pause of this thread isn't missing later.
    let start = clock.now
    let cutOff = TestThread {
      do {
        try here.commit { draft in
          _ = try draft.find(Car.self, 1)
          // It has the lock now.
          proxy.hold()
          isHeld.set(1)
          try draft.insert(car(2, "cut off"))
          _ = try draft.find(Car.self, 1)
        }
        Issue.record("A commit that was cut off has returned")
      } catch StoreError.storage {} catch { Issue.record(error) }
    }
    try #require(isHeld.wait(atMost: patience) == 1)
    try there.commit { try $0.insert(car(3)) }
    let waited = clock.now - start
    #expect(waited > .seconds(10))
    // 20 seconds have passed, as far as the writer that was cut off can tell.
    Thread.sleep(forTimeInterval: 3)
    proxy.release()
    cutOff.join()
    #expect(try there.fetch(Query<Car>().sorted { [$0.id.ascending] }).map(\.id) == [1, 3])
    #expect(try there.version == 2)
    // It goes on afterwards.
    try here.commit { try $0.insert(car(4)) }
    #expect(try here.count(Query<Car>()) == 3)
  }

  @Test func `P1: back ends are killed at any step, and what has returned is there once`() throws {
    let server = try TestServer(settings: [])
    defer { server.stop() }
    let schema = "killed back ends"
    let store = try open(server.connectionString, schema)
    let isOver = AtomicWord(0)
    let killer = TestThread {
      var random = SeededGenerator(number: 11)
      while isOver.load() == 0 {
        Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.2, using: &random))
        // The server ends all other back ends then, and recovers.
        let tool = try? Tool(server.connectionString, schema: schema)
        let all =
          tool?.run(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'signalbox'") ?? []
        if let one = all.compactMap({ pid_t($0) }).randomElement(using: &random) {
          kill(one, SIGKILL)
        }
      }
    }
    let returned = Locked(Set<Int>())
    let unknown = Log<Int>()
    let thrown = Counter()
    let turns = rounds(80)
    onThreads(8) { writer in
      var own = store
      var turn = 0
      // Some commit is to return, however often the machine lets a back end be killed before that.
      while turn < turns || turn < 10_000 && returned.withLock({ $0.isEmpty }) {
        let id = writer * 100_000 + turn
        turn += 1
        do {
          try own.commit { try $0.insert(car(id)) }
          returned.withLock { _ = $0.insert(id) }
        } catch {
          thrown.add()
          if case StoreError.outcomeUnknown = error {
            // On a slow machine a server may be away for too long. The store refuses commits now.
            unknown.note(id)
            own = (try? open(server.connectionString, schema)) ?? own
          }
          Thread.sleep(forTimeInterval: 0.02)
        }
      }
    }
    isOver.store(1)
    killer.join()
    var again: Store?
    expectTrue(
      becomesTrueBlocking {
        again = try? open(server.connectionString, schema)
        return again != nil
      })
    let there = try #require(again).fetch(Query<Car>()).map(\.id)
    let kept = returned.withLock { $0 }
    #expect(!kept.isEmpty && kept.isSubset(of: there))
    #expect(Set(there).isSubset(of: kept.union(unknown.entries)))
    // A version that others had seen before its commit was lost with a back end isn't used again:
    // a version that changes nothing leads past it.
    let version = Int(try #require(again).version)
    #expect((there.count...there.count + 2 * thrown.value).contains(version))
  }

  @Test func `P5: a standby that is promoted has lost commits, and models show what is left`()
    async throws
  {
    let server = try TestServer(settings: ["wal_level=replica", "max_wal_senders=4"])
    defer { server.stop() }
    let store = try open(server.connectionString, "promoted")
    for id in 0..<10 { try store.commit { try $0.insert(car(id)) } }
    try server.run(.standby)
    for id in 10..<15 { try store.commit { try $0.insert(car(id)) } }
    // The server takes with it all that is committed from now on, and perhaps a bit from before.
    try server.run(.pause)
    let model = try FetchedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    for id in 15..<20 { try store.commit { try $0.insert(car(id)) } }
    #expect(model.fetchedObjects.count == 20)
    let events = Recorder(model.didChange)
    let seen = try store.version
    try server.run(.promote)
    expectTrue(becomesTrueBlocking { (try? store.refresh()) != nil })
    let left = try store.fetch(Query<Car>().sorted { [$0.id.ascending] }).map(\.id)
    #expect((10..<20).contains(left.count) && left == Array(0..<left.count))
    try await store.catchUp()
    #expect(model.fetchedObjects.map(\.id) == left)
    #expect(events.values.allSatisfy { $0.after.objects.count < 20 } && !events.values.isEmpty)
    // Versions go on after all that were seen.
    try store.commit { try $0.insert(car(100)) }
    await store.flush()
    #expect(try store.version > seen)
    #expect(model.fetchedObjects.map(\.id) == left + [100])
    let other = try open(server.connectionString, "promoted")
    #expect(try other.version == store.version)
  }

  /// True if this process may mount a file system, which only root may, and not in each container.
  private static let mayMount: Bool = {
    let folder = NSTemporaryDirectory() + "signalbox-mount-\(UUID().uuidString.prefix(8))"
    guard mkdir(folder, 0o755) == 0 else { return false }
    defer { rmdir(folder) }
    guard mount("tmpfs", folder, "tmpfs", 0, "size=1m") == 0 else { return false }
    return umount2(folder, Int32(MNT_DETACH)) == 0
  }()

  @Test(.enabled(if: mayMount, "no file system can be mounted here"))
  func `P3: a full disk refuses commits with a typed fault, and loses none that returned`()
    async throws
  {
    let disk = NSTemporaryDirectory() + "signalbox-disk-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    try #require(mount("tmpfs", disk, "tmpfs", 0, "size=100m") == 0)
    chmod(disk, 0o777)
    let server = try TestServer(
      settings: ["min_wal_size=32MB", "max_wal_size=32MB", "shared_buffers=8MB"],
      environment: ["TMPDIR": disk])
    defer {
      server.stop()
      for _ in 0..<100 where umount2(disk, Int32(MNT_DETACH)) == 0 { break }
      rmdir(disk)
    }
    let schema = "full"
    let store = try open(server.connectionString, schema, waiting: .seconds(5))
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    var expected: Set<Int> = []
    var faults: [StorageFault] = []
    var unknown: Int?
    var id = 0
    var random = SeededGenerator(number: 1)
    // A text that doesn't shrink.
    let long = String(
      (0..<200_000).map { _ in
        Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &random)))
      })
    while faults.count < 3 && id < 1000 {
      id += 1
      do {
        try store.commit { try $0.insert(car(id, "\(id) \(long)")) }
        expected.insert(id)
      } catch StoreError.storage(let fault) {
        faults.append(fault)
      } catch StoreError.outcomeUnknown {
        // The server has stopped for good while it wrote to its log.
        unknown = id
        break
      }
    }
    #expect((faults.count == 3 || unknown != nil) && !expected.isEmpty)
    for fault in faults {
      #expect(
        [.full, .inputOutput, .cannotOpen, .busy].contains(fault.kind), "\(fault)")
    }
    await store.flush()
    #expect(model.fetchedObjects.count == expected.count)
    // There is room again. A server that ran out of room for its log has stopped.
    #expect(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), "size=400m") == 0)
    if (try? store.refresh()) == nil { try server.run(.crash) }
    expectTrue(becomesTrueBlocking { (try? store.refresh()) != nil })
    await store.flush()
    let there = Set(try store.fetch(Query<Car>()).map(\.id))
    #expect(there == expected || there == expected.union(unknown.map { [$0] } ?? []))
    #expect(Set(model.fetchedObjects.map(\.id)) == there)
    // Only a store that doesn't know what it has committed must be opened again.
    let next = unknown == nil ? store : try open(server.connectionString, schema)
    try next.commit { try $0.insert(car(0)) }
    try await store.catchUp()
    #expect(Set(model.fetchedObjects.map(\.id)) == there.union([0]))
  }

  @Test func `Thirty stores follow one, and a server without connections left says so`() throws {
    let server = try TestServer(settings: ["max_connections=100", "fsync=off"])
    defer { server.stop() }
    let writer = try open(server.connectionString, "many", .normal)
    let others = try (0..<30).map { _ in try open(server.connectionString, "many", .normal) }
    for id in 0..<20 { try writer.commit { try $0.insert(car(id)) } }
    for other in others {
      expectTrue(becomesTrueBlocking { (try? other.count(Query<Car>())) == 20 })
    }
    // The rest of the connections is another program's.
    var tools: [Tool] = []
    for _ in 0..<120 {
      let tool = try Tool(server.connectionString, schema: "many")
      if tool.run("SELECT 1").isEmpty { break }
      tools.append(tool)
    }
    let error = #expect(throws: StoreError.self) {
      try open(server.connectionString, "many", .normal)
    }
    guard case .storage(let fault)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fault.kind == .busy && fault.message.contains("max_connections"), "\(fault)")
    tools = []
    var late: Store?
    expectTrue(
      becomesTrueBlocking {
        late = try? open(server.connectionString, "many", .normal)
        return late != nil
      })
    #expect(try late?.count(Query<Car>()) == 20)
  }
}
#endif
