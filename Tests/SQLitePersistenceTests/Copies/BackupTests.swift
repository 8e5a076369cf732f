import EntityStore
import Foundation
import SQLitePersistence
import TestSupport
import Testing

@Suite struct `A store is copied into a file while it is in use` {
  private struct Stop: Error {}

  /// A garage of some hundred pages.
  private func makeGarage(_ backing: StorageKind? = nil, cars: Int = 300) throws -> Store {
    let store = try Store(
      backing ?? .sqlite(path: temporaryPath(), durability: .normal),
      entities: [Person.self, Car.self])
    try store.fill()
    try store.commit { draft in
      for number in 0..<cars {
        try draft.insert(
          Person(id: "p\(number)", name: "\(number)", photo: Array(repeating: 7, count: 3_000)))
        try draft.insert(Car(id: number, model: "m\(number)", owner: Ref("p\(number)")))
      }
    }
    return store
  }

  private func contents(_ store: Store) throws -> [String] {
    try store.read { reader in
      try reader.fetch(Query<Person>()).map {
        "\(Array($0.id.utf8)) \(Array($0.name.utf8)) \($0.height.storedValue) \($0.photo as Any)"
      } + reader.fetch(Query<Car>()).map { "\($0)" }
    }
  }

  /// What stands in the folder of a path beside it.
  private func files(of path: String) throws -> [String] {
    let url = URL(fileURLWithPath: path)
    return try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(url.lastPathComponent) }.sorted()
  }

  private func expectFault(
    _ kind: StorageFault.Kind, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    do {
      try body()
      Issue.record("Nothing was thrown", sourceLocation: sourceLocation)
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == kind, "\(fault)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [false, true])
  func `the copy is the version at its start, whole, and opens`(isInMemory: Bool) throws {
    let store = try makeGarage(isInMemory ? .inMemory : nil)
    let version = try store.version
    let before = try contents(store)
    let path = temporaryPath("copy")
    var told: [Store.BackupProgress] = []
    #expect(try store.backUp(to: path, pagesAtATime: 10) { told.append($0) } == version)
    #expect(told.first?.completed == 0)
    #expect(told.last?.fraction == 1)
    #expect(told.count > 20)
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.completed < $1.completed })
    #expect(Set(told.map(\.version)) == [version])
    #expect(try files(of: path) == [URL(fileURLWithPath: path).lastPathComponent])
    let file = try RawDatabase(path)
    #expect(try file.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try file.rows("PRAGMA foreign_key_check").isEmpty)
    let copy = try openGarage(path)
    #expect(try copy.version == version)
    #expect(try contents(copy) == before)
    try copy.commit { try $0.delete(Car.self, 1) }
    #expect(try copy.version == version + 1)
    #expect(try store.find(Car.self, 1) != nil)
  }

  @Test(arguments: [false, true])
  func `P5: commits and reads continue meanwhile, and aren't in the copy`(isInMemory: Bool) throws {
    let store = try makeGarage(isInMemory ? .inMemory : nil)
    let before = try contents(store)
    let version = try store.version
    let path = temporaryPath("copy")
    var commits = 0
    try store.backUp(to: path, pagesAtATime: 20) { progress in
      // On the thread that copies: whatever waited for it would wait for ever.
      try store.commit { draft in
        try draft.insert(Car(id: 1_000 + commits, model: "new \(commits)"))
        try draft.update(Person.self, "p\(commits)") {
          $0.photo = Array(repeating: 9, count: 9_000)
        }
        try draft.delete(Car.self, 100 + commits)
      }
      commits += 1
      #expect(try store.version == version + Int64(commits))
      #expect(try store.count(Query<Car>().filter { $0.model.hasPrefix("new") }) == commits)
    }
    #expect(commits > 5)
    let copy = try openGarage(path)
    #expect(try contents(copy) == before)
    #expect(try copy.version == version)
    #expect(try RawDatabase(path).rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try store.version == version + Int64(commits))
  }

  @Test func `it works in a commit's body, where it shows the last commit`() throws {
    let store = try makeGarage(cars: 3)
    let path = temporaryPath("copy")
    try store.commit { draft in
      try draft.delete(Car.self, 1)
      try store.backUp(to: path)
    }
    #expect(try openGarage(path).find(Car.self, 1) != nil)
    #expect(try store.find(Car.self, 1) == nil)
  }

  @Test(arguments: [false, true])
  func `what its progress throws ends it, and nothing is left behind`(isInMemory: Bool) throws {
    let store = try makeGarage(isInMemory ? .inMemory : nil)
    for step in [0, 1, 7] {
      let path = temporaryPath("copy")
      var told = 0
      #expect(throws: Stop.self) {
        try store.backUp(to: path, pagesAtATime: 10) { _ in
          #expect(try files(of: path).contains { $0.contains(".partial-") })
          #expect(!FileManager.default.fileExists(atPath: path))
          if told == step { throw Stop() }
          told += 1
        }
      }
      #expect(try files(of: path) == [])
    }
    try store.commit { try $0.delete(Car.self, 1) }
  }

  @Test(arguments: [false, true])
  func `a cancelled task ends it, and nothing is left behind`(isInMemory: Bool) async throws {
    let store = try makeGarage(isInMemory ? .inMemory : nil)
    let path = temporaryPath("copy")
    let task = Task {
      try store.backUp(to: path, pagesAtATime: 10) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try files(of: path) == [])
  }

  @Test(arguments: [false, true])
  func `P3: a file that stands there stays, unless it is to be replaced`(isInMemory: Bool) throws {
    let store = try makeGarage(isInMemory ? .inMemory : nil, cars: 3)
    let path = temporaryPath("copy")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try store.backUp(to: path) }
    #expect(
      error.map { "\($0)" }
        == "\(path): a file stands there already; choose another path, or pass replacingFile: true")
    expectFault(.exists) { try store.backUp(to: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    #expect(throws: Stop.self) {
      try store.backUp(to: path, replacingFile: true) { _ in throw Stop() }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    try store.backUp(to: path, replacingFile: true)
    #expect(try contents(openGarage(path)) == contents(store))
    // Somebody else makes a file of that name meanwhile.
    let other = temporaryPath("copy")
    expectFault(.exists) {
      try store.backUp(to: other) { _ in
        try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("mine".utf8))
    #expect(try files(of: other).count == 1)
  }

  @Test func `P3: a database that is open, the store's own among them, is never replaced`() throws {
    let path = temporaryPath()
    let store = try makeGarage(.sqlite(path: path, durability: .normal), cars: 3)
    expectFault(.exists) { try store.backUp(to: path, replacingFile: true) }
    let other = temporaryPath()
    let open = try openGarage(other)
    try open.fill()
    expectFault(.exists) { try store.backUp(to: other, replacingFile: true) }
    // A log beside no file would be taken for the copy's.
    let third = temporaryPath()
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: third + "-wal"))
    expectFault(.exists) { try store.backUp(to: third) }
    #expect(try contents(open).count == 4)
    #expect(try contents(store).count == 10)
  }

  @Test(arguments: [false, true])
  func `P3: a folder that isn't there is named`(isInMemory: Bool) throws {
    let store = try makeGarage(isInMemory ? .inMemory : nil, cars: 3)
    let path = temporaryPath("none") + "/copy.db"
    do {
      try store.backUp(to: path)
      Issue.record("Nothing was thrown")
    } catch StoreError.storage(let fault) {
      #expect(fault.kind == .cannotOpen)
      #expect(fault.message.contains(path))
      #expect(fault.message.contains("folder"))
    }
  }

  @Test(arguments: [false, true])
  func `P3: a full disk ends it with a typed error, and nothing is left behind`(
    isInMemory: Bool
  ) async throws {
    await #expect(processExitsWith: .exitCode(7)) { [isInMemory = isInMemory as Bool] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try Store(
        isInMemory ? .inMemory : .sqlite(path: temporaryPath(), durability: .normal),
        entities: [Person.self, Car.self])
      for number in 0..<100 {
        try store.commit {
          try $0.insert(
            Person(id: "\(number)", name: "\(number)", photo: Array(repeating: 1, count: 5_000)))
        }
      }
      // The size that a file may have is limited for a whole process.
      ProcessLimit.fileSize.set(to: 100_000)
      let path = temporaryPath("copy")
      do {
        try store.backUp(to: path)
      } catch StoreError.storage(let fault) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let isThere = try FileManager.default.contentsOfDirectory(atPath: folder)
          .contains { $0.hasPrefix("copy") }
        // A file that may not grow reports a failed write, as some disks that are full do.
        let isFull = fault.kind == .full || fault.kind == .inputOutput
        exit(isFull && !isThere ? 7 : 1)
      }
      exit(2)
    }
  }

  @Test(arguments: [false, true])
  func `P2: a process killed half way leaves nothing at the path, and the store whole`(
    isInMemory: Bool
  ) async throws {
    let source = temporaryPath()
    let path = temporaryPath("copy")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [source = source as String, path = path as String, isInMemory = isInMemory as Bool] in
      let store = try Store(
        isInMemory ? .inMemory : .sqlite(path: source, durability: .normal),
        entities: [Person.self, Car.self])
      for number in 0..<100 {
        try store.commit {
          try $0.insert(
            Person(id: "\(number)", name: "\(number)", photo: Array(repeating: 1, count: 5_000)))
        }
      }
      try store.backUp(to: path, pagesAtATime: 5) {
        if $0.fraction > 0.4 { kill(getpid(), SIGKILL) }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    if !isInMemory { #expect(try openGarage(source).count(Query<Person>()) == 100) }
    let store = try makeGarage(cars: 1)
    try store.backUp(to: path)
    #expect(try contents(openGarage(path)) == contents(store))
  }

  @Test func `tables of entities that the store was opened without are in the copy`() throws {
    let path = temporaryPath()
    try makeGarage(.sqlite(path: path, durability: .normal), cars: 3).commit { _ in }
    let store = try Store(.sqlite(path: path), entities: [Person.self])
    let copy = temporaryPath("copy")
    try store.backUp(to: copy)
    #expect(try openGarage(copy).count(Query<Car>()) == 5)
  }

  @Test func `an empty store is copied, too`() throws {
    for backing in [StorageKind.inMemory, .sqlite(path: temporaryPath())] {
      let store = try Store(backing, entities: [Person.self, Car.self])
      let path = temporaryPath("copy")
      var last = 0.0
      #expect(try store.backUp(to: path) { last = $0.fraction } == 0)
      #expect(last == 1)
      #expect(try openGarage(path).version == 0)
    }
  }

  @Test func `S6: no pages at a time trap`() async {
    await #expect(processExitsWith: .failure) {
      try Store(.inMemory, entities: [Person.self, Car.self])
        .backUp(to: temporaryPath(), pagesAtATime: 0)
    }
  }
}
