@testable import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

@Suite struct `Reads see one version and never wait` {
  /// Two threads that take turns: one waits until the other has come to a step.
  private final class Steps: Sendable {
    private let done = AtomicWord(0)

    func reach(_ step: Int) { done.store(step) }

    func wait(for step: Int) {
      while done.load() < step { CurrentThread.yield() }
    }
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: a read inside a commit's body shows the last commit`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    try store.commit { draft in
      try draft.update(Owner.self, 1) { $0.name = "Bob" }
      try draft.insert(Owner(id: 2))
      #expect(try store.read { try $0.find(Owner.self, 1)?.name } == "Ann")
      #expect(try store.count(Query<Owner>()) == 1)
      #expect(try store.version == 1)
      #expect(try draft.count(Query<Owner>()) == 2)
    }
    #expect(try store.find(Owner.self, 1)?.name == "Bob")
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: a read waits neither for a body nor for the storage, and keeps its version`(
    _ storage: TestStorage
  ) async throws {
    let store = try storage.makeHousehold()
    try store.commit { try $0.insert(Owner(id: 1, name: "Ann")) }
    let steps = Steps()
    let writing: @Sendable () throws -> Void = {
      try store.commit { draft in
        try draft.update(Owner.self, 1) { $0.name = "Bob" }
        steps.reach(1)
        // The reader is done with its first reads before this body goes on.
        steps.wait(for: 2)
      }
      steps.reach(3)
    }
    let reading: @Sendable () throws -> Void = {
      steps.wait(for: 1)
      try store.read { reader in
        let before = try reader.fetch(Query<Owner>()).map(\.name)
        steps.reach(2)
        steps.wait(for: 3)
        let after = try reader.fetch(Query<Owner>()).map(\.name)
        let bobs = try reader.count(Query<Owner>().filter { $0.name == "Bob" })
        // A read that begins now is at the new version, also inside the old one.
        let now = try store.find(Owner.self, 1)?.name
        #expect(reader.version == 1)
        #expect(before == ["Ann"])
        #expect(after == ["Ann"])
        #expect(bobs == 0)
        #expect(now == "Bob")
      }
    }
    try await inThreads([writing, reading])
    #expect(try store.version == 2)
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: what a body throws comes out of its read, and the next read works`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeHousehold()
    for _ in 0..<10 {
      #expect(throws: Refusal()) { try store.read { _ in throw Refusal() } }
    }
    #expect(try store.read { $0.version } == 0)
  }

  @Test func `S5: a reader used after its read traps`() async throws {
    let trap = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      // The compiler lets nobody keep a reader: it can't be copied, captured, swapped or consumed
      // in its body. So this one is made by hand.
      let store = try Store(.inMemory, entities: [Owner.self])
      try store.readStorage { version in
        let session = Reader.Session(version, store)
        let reader = Reader(session)
        _ = reader.version
        session.close()
        _ = try reader.find(Owner.self, 1)
      }
    }
    trap.expectMessage("A reader is used after its read")
  }

  @Test(arguments: TestStorage.withServer)
  func `S5: reads nest deeper than connections are kept`(_ storage: TestStorage) throws {
    let store = try storage.makeHousehold()
    func nested(_ depth: Int) throws -> Int {
      try store.read { reader in
        try store.commit { try $0.insert(Owner(id: depth)) }
        let inner = depth < 9 ? try nested(depth + 1) : 0
        #expect(try reader.count(Query<Owner>()) == depth)
        return inner + 1
      }
    }
    #expect(try nested(0) == 10)
    #expect(try store.count(Query<Owner>()) == 10)
  }
}
