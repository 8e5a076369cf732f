import EntityStore
import Foundation
import Locking
import Relays
import TestSupport
import Testing

@Suite struct `A commit that waits suspended` {
  @Test @MainActor func `S1: runs on the caller's actor and is told before it returns`()
    async throws
  {
    let store = try TestStorage.memory.makeHousehold()
    let commits = Recorder(store.commits)
    let result = try await store.commitAsync { draft in
      MainActor.assumeIsolated {}
      try draft.insert(Owner(id: 1, name: "Ann"))
      return 7
    }
    #expect(result == 7)
    #expect(commits.values.map(\.version) == [1])
    await #expect(throws: StoreError.alreadyExists(ObjectID(Owner.self, 1))) {
      try await store.commitAsync { try $0.insert(Owner(id: 1)) }
    }
    #expect(commits.values.count == 1)
  }

  /// A thread that is inside the body of a commit until it is let go.
  private final class Holder: Sendable {
    private let isInside = AtomicWord(0)
    private let mayLeave = AtomicWord(0)

    func hold(_ store: Store) -> TestThread {
      let thread = TestThread { [self] in
        try? store.commit { draft in
          try draft.insert(Owner(id: 100))
          isInside.store(1)
          while mayLeave.load() == 0 { CurrentThread.yield() }
        }
      }
      while isInside.load() == 0 { CurrentThread.yield() }
      return thread
    }

    func letGo() { mayLeave.store(1) }
  }

  @Test @MainActor func `S1: leaves its actor free while another one writes`() async throws {
    let store = try TestStorage.memory.makeHousehold()
    let holder = Holder()
    let thread = holder.hold(store)
    let waiting = Task { @MainActor in
      try await store.commitAsync { try $0.insert(Owner(id: 1)) }
    }
    // The main actor goes on with other things meanwhile.
    for _ in 0..<100 { await Task.yield() }
    #expect(try store.count(Query<Owner>()) == 0)
    holder.letGo()
    try await waiting.value
    thread.join()
    #expect(try store.fetch(Query<Owner>()).map(\.id) == [1, 100])
  }

  @Test func `S1: a task that is cancelled before its turn writes nothing`() async throws {
    let store = try TestStorage.memory.makeHousehold()
    let holder = Holder()
    let thread = holder.hold(store)
    let waiting = Task { try await store.commitAsync { try $0.insert(Owner(id: 1)) } }
    for _ in 0..<100 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    holder.letGo()
    thread.join()
    #expect(try store.fetch(Query<Owner>()).map(\.id) == [100])
    try await store.commitAsync { try $0.insert(Owner(id: 2)) }
    #expect(try store.count(Query<Owner>()) == 2)
  }

  @Test func `S1: tasks and threads together lose no commit and mix no two`() async throws {
    let store = try TestStorage.memory.makeHousehold()
    try store.commit { try $0.insert(Owner(id: 0, name: "")) }
    let commits = Recorder(store.commits)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            try await store.commitAsync { try $0.update(Owner.self, 0) { $0.name += "t" } }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          let thread = TestThread {
            for _ in 0..<100 {
              try? store.commit { try $0.update(Owner.self, 0) { $0.name += "T" } }
            }
          }
          await Task.yield()
          thread.join()
        }
      }
      try await group.waitForAll()
    }
    await store.flush()
    #expect(try store.find(Owner.self, 0)?.name.count == 1000)
    #expect(commits.values.map(\.version) == Array(2...1001))
  }

  private actor Counter {
    private(set) var count = 0
    private var token: SubscriptionToken?

    func follow(_ store: Store) {
      token = store.commits.subscribe(on: self) { counter, _ in counter.count += 1 }
    }
  }

  @Test func `S1: after a flush everything has been delivered in every place`() async throws {
    let store = try TestStorage.memory.makeHousehold()
    let counter = Counter()
    await counter.follow(store)
    let onMain = AtomicWord(0)
    let token = store.commits.subscribe(on: .mainActor) { _ in onMain.add(1) }
    for round in 1...50 {
      try store.commit { try $0.insert(Owner(id: round)) }
      await store.flush()
      #expect(await counter.count == round)
      #expect(onMain.load() == round)
    }
    token.cancel()
  }

  @Test func `S1: a flush doesn't wait for a place that has gone`() async throws {
    let store = try TestStorage.memory.makeHousehold()
    var counter: Counter? = Counter()
    await counter?.follow(store)
    counter = nil
    try store.commit { try $0.insert(Owner(id: 1)) }
    await store.flush()
    #expect(try store.count(Query<Owner>()) == 1)
  }
}
