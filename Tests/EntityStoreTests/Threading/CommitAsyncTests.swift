@_spi(Storage) @testable import EntityStore
@testable import Locking
import Fixtures
import Relays
import TestSupport
import Testing

/// A thread that is inside the body of a commit until it is let go.
final class Occupant: Sendable {
  private let isOver = Counter()
  private let thread: TestThread

  /// Waits until the thread is inside.
  init(of store: Store, inserting id: Int? = nil) {
    let isInside = Counter()
    thread = TestThread { [isOver] in
      do {
        try store.commit { draft in
          if let id { try draft.insert(Owner(id: id)) }
          isInside.set(1)
          // The main actor and the pool may have much else to do meanwhile.
          _ = becomesTrueBlocking(within: .seconds(900)) { isOver.value == 1 }
        }
      } catch { Issue.record(error) }
    }
    expectTrue(becomesTrueBlocking { isInside.value == 1 })
  }

  /// Lets the thread go, and waits until its commit has been made.
  func leave() {
    isOver.set(1)
    thread.join()
  }

  /// Lets the thread go.
  func mayLeave() { isOver.set(1) }
}

@Suite(.timeLimit(.minutes(20))) struct `S1: commitAsync suspends while it waits, then commits` {
  private func makeStore() throws -> Store {
    try Store(.inMemory, entities: [Owner.self, Pet.self])
  }

  private actor Clerk {
    private(set) var count = 0

    /// Commits, and counts in the body, which has to be here.
    func insert(_ id: Int, in store: Store) async throws {
      try await store.commitAsync { draft in
        assertIsolated()
        count += 1
        try draft.insert(Owner(id: id))
        // The lock is known to be this thread's, though the task may have changed threads.
        try store.commit { try $0.insert(Pet(id: id, owner: Ref(id))) }
      }
      assertIsolated()
    }
  }

  @MainActor private final class Screen {
    private(set) var count = 0

    func insert(_ id: Int, in store: Store) async throws -> [Int] {
      let kept = try await store.commitAsync { draft in
        MainActor.assertIsolated()
        count += 1
        try draft.insert(Owner(id: id))
        try store.commit { try $0.insert(Pet(id: id, owner: Ref(id))) }
        return Kept([id])
      }
      return kept.ids
    }
  }

  /// What a body may return though it can't be sent.
  private final class Kept {
    let ids: [Int]

    init(_ ids: [Int]) { self.ids = ids }
  }

  @Test(arguments: [false, true])
  func `S1: its body runs on the caller's actor, also when it had to wait`(_ waits: Bool)
    async throws
  {
    let store = try makeStore()
    let clerk = Clerk()
    let screen = Screen()
    let occupant = waits ? Occupant(of: store) : nil
    let first = Task { try await clerk.insert(1, in: store) }
    let second = Task { try await screen.insert(2, in: store) }
    let third = Task { @concurrent in
      try await store.commitAsync { draft in
        #expect(!MainActor.isCurrent)
        try draft.insert(Owner(id: 3))
        try store.commit { try $0.insert(Pet(id: 3, owner: Ref(3))) }
      }
    }
    if let occupant {
      #expect(await becomesTrue { store.writer.waiterCount == 3 })
      occupant.leave()
    }
    try await first.value
    #expect(try await second.value == [2])
    try await third.value
    #expect(try store.all(Owner.self).map(\.id) == [1, 2, 3])
    #expect(try store.all(Pet.self).map(\.id) == [1, 2, 3])
    #expect(try store.version == 3)
    #expect(await clerk.count == 1)
    #expect(await screen.count == 1)
  }

  @Test func `S1: the main actor continues while another thread is inside a body`() async throws {
    let store = try makeStore()
    let occupant = Occupant(of: store, inserting: 1)
    let task = Task { @MainActor in
      try await store.commitAsync { try $0.insert(Owner(id: 2)) }
      return try store.version
    }
    #expect(await becomesTrue { store.writer.waiterCount == 1 })
    // Whatever the main actor does now, it does while that body runs.
    let others = await Task { @MainActor in
      var count = 0
      while count < 5 {
        count += 1
        await Task.yield()
      }
      return count
    }.value
    #expect(others == 5)
    #expect(store.writer.waiterCount == 1)
    occupant.leave()
    #expect(try await task.value == 2)
  }

  @Test(arguments: [false, true])
  func `S1: a task that is cancelled before its turn commits nothing`(_ waits: Bool) async throws {
    let store = try makeStore()
    let commits = Recorder(store.commits)
    let occupant = waits ? Occupant(of: store) : nil
    let gate = Counter()
    let task = Task {
      if !waits { #expect(await becomesTrue { gate.value == 1 }) }
      try await store.commitAsync { _ in Issue.record("The body runs") }
    }
    if waits { #expect(await becomesTrue { store.writer.waiterCount == 1 }) }
    task.cancel()
    gate.set(1)
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(store.writer.waiterCount == 0)
    occupant?.leave()
    #expect(commits.values.isEmpty)
    // Nobody is kept from committing by the one that went.
    try store.commit { try $0.insert(Owner(id: 1)) }
    try await store.commitAsync { try $0.insert(Owner(id: 2)) }
    #expect(commits.values.map(\.version) == [1, 2])
  }

  @Test func `S1: a task whose actor is busy when its turn comes doesn't hold up the others`()
    async throws
  {
    let store = try makeStore()
    let actor = SteppedActor()
    let occupant = Occupant(of: store)
    let first = Task { try await actor.insert(1, in: store) }
    #expect(await becomesTrue { actor.waitingCount == 1 })
    actor.step()
    #expect(await becomesTrue { store.writer.waiterCount == 1 })
    let isDone = Counter()
    let second = Task {
      try await store.commitAsync { try $0.insert(Owner(id: 2)) }
      isDone.add(1)
    }
    #expect(await becomesTrue { store.writer.waiterCount == 2 })
    occupant.leave()
    // The first one has been woken, and its actor runs nothing.
    #expect(await becomesTrue { isDone.value == 1 })
    #expect(try store.all(Owner.self).map(\.id) == [2])
    let end = Task {
      try await first.value
      isDone.add(1)
    }
    let areDone = await becomesTrue {
      actor.step()
      return isDone.value == 2
    }
    #expect(areDone)
    try await second.value
    try await end.value
    #expect(try store.all(Owner.self).map(\.id) == [1, 2])
  }

  @Test func `S1: a task that is cancelled in its body commits`() async throws {
    let store = try makeStore()
    let task = Task {
      try await store.commitAsync { draft in
        withUnsafeCurrentTask { $0?.cancel() }
        try draft.insert(Owner(id: 1))
      }
      return Task.isCancelled
    }
    #expect(try await task.value)
    #expect(try store.version == 1)
  }

  @Test func `S1: an error leaves everything as it was, and the next one has its turn`()
    async throws
  {
    let faulty = FaultyStorage(InMemoryStorage())
    let store = try Store(.custom { faulty }, entities: [Owner.self])
    try await store.commitAsync { try $0.insert(Owner(id: 1, name: "Ann")) }
    let commits = Recorder(store.commits)
    await #expect(throws: Refusal()) {
      try await store.commitAsync { draft in
        try draft.delete(Owner.self, 1)
        throw Refusal()
      }
    }
    await #expect(throws: StoreError.alreadyExists(ObjectID(Owner.self, 1))) {
      try await store.commitAsync { try $0.insert(Owner(id: 1)) }
    }
    for step in [FaultyStorage.Step.begin, .apply, .commit] {
      faulty.fail(at: step)
      await #expect(throws: FaultyStorage.Fault()) {
        try await store.commitAsync { try $0.delete(Owner.self, 1) }
      }
    }
    #expect(commits.values.isEmpty)
    #expect(try store.all(Owner.self).map(\.name) == ["Ann"])
    try await store.commitAsync { try $0.insert(Owner(id: 2)) }
    #expect(commits.values.map(\.version) == [2])
  }

  @Test func `S2: one that is begun in a body joins it`() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let store = try makeStore()
    let commits = Recorder(store.commits)
    let tasks = try store.commit { draft in
      try draft.insert(Owner(id: 1))
      let tasks = [
        Task.immediate { try await store.commitAsync { try $0.insert(Owner(id: 2)) } },
        Task.immediate {
          try await store.commitAsync { draft in
            try draft.insert(Owner(id: 3))
            throw Refusal()
          }
        },
      ]
      #expect(try draft.count(Query<Owner>()) == 2)
      return tasks
    }
    try await tasks[0].value
    await #expect(throws: Refusal()) { try await tasks[1].value }
    #expect(commits.values.map(\.version) == [1])
    #expect(try store.all(Owner.self).map(\.id) == [1, 2])
  }

  @Test func `S1: its immediate events have been delivered when it returns`() async throws {
    let store = try makeStore()
    let commits = Recorder(store.commits)
    for id in 1...3 {
      try await store.commitAsync { try $0.insert(Owner(id: id)) }
      #expect(commits.values.count == id)
    }
  }

  @Test func `S3: beside commits of threads everyone sees one order, and each caller its own`()
    async throws
  {
    let store = try makeStore()
    let recorders = (0..<2).map { _ in Recorder(store.commits) }
    let callers = 6
    let rounds = 60
    let clerk = Writer()
    let threads = (0..<2).map { caller in
      TestThread {
        for round in 0..<rounds { Writer.write(caller, round) { try? store.commit($0) } }
      }
    }
    try await withThrowingTaskGroup { group in
      for caller in 2..<callers {
        group.addTask {
          for round in 0..<rounds {
            switch caller {
            case 2: try await Writer.writeOnMainActor(store, caller, round)
            case 3, 4: try await clerk.write(store, caller, round)
            default: try await Writer.writeAnywhere(store, caller, round)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for thread in threads { thread.join() }
    await store.flush()
    for recorder in recorders {
      #expect(recorder.values.map(\.version) == Array(1...Int64(callers * rounds)))
      var seen: [Int: [Int]] = [:]
      for (index, commit) in recorder.values.enumerated() {
        let owners = commit.changes(of: Owner.self)
        let counter = (owners.inserted + owners.updated.map(\.new)).first { $0.id == -1 }
        expectEqual(counter?.name, "\(index + 1)")
        for pet in commit.changes(of: Pet.self).inserted {
          seen[pet.id / 1000, default: []].append(pet.id % 1000)
        }
      }
      for caller in 0..<callers { #expect(seen[caller] == Array(0..<rounds)) }
    }
  }
}

extension SteppedActor {
  fileprivate func insert(_ id: Int, in store: Store) async throws {
    try await store.commitAsync { try $0.insert(Owner(id: id)) }
  }
}

/// Commits that count, on an actor of its own and elsewhere.
private actor Writer {
  static func write(_ caller: Int, _ round: Int, _ commit: ((inout Draft) throws -> Void) -> Void) {
    commit { try body($0, caller, round) }
  }

  static func body(_ draft: borrowing Draft, _ caller: Int, _ round: Int) throws {
    let count = try draft.find(Owner.self, -1).flatMap { Int($0.name) } ?? 0
    try draft.upsert(Owner(id: -1, name: "\(count + 1)"))
    try draft.insert(Pet(id: caller * 1000 + round))
  }

  func write(_ store: Store, _ caller: Int, _ round: Int) async throws {
    try await store.commitAsync { try Self.body($0, caller, round) }
  }

  @MainActor static func writeOnMainActor(_ store: Store, _ caller: Int, _ round: Int) async throws
  {
    try await store.commitAsync { try body($0, caller, round) }
  }

  @concurrent static func writeAnywhere(_ store: Store, _ caller: Int, _ round: Int) async throws {
    try await store.commitAsync { try body($0, caller, round) }
  }
}
