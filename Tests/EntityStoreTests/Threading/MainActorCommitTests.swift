@testable import EntityStore
@testable import Locking
import Relays
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(20)))
struct `F12: delivery of commits that the main actor makes` {
  private let store: Store
  private let observer: PlacedObserver
  private let registration: ObserverRegistration

  init() throws {
    store = try Store(.inMemory, entities: [Owner.self])
    observer = PlacedObserver(.mainActor, in: store) { _ in MainActor.assertIsolated() }
    registration = observer.follow(store)
  }

  @Test func `F12: by commit`() throws {
    for id in 1...3 {
      try store.commit { draft in
        try draft.insert(Owner(id: id))
        #expect(observer.told.count == id - 1)
      }
      #expect(observer.told.count == id)
    }
  }

  @Test func `F12: by commitAsync`() async throws {
    for id in 1...3 {
      try await store.commitAsync { draft in
        try draft.insert(Owner(id: id))
        #expect(observer.told.count == id - 1)
      }
      #expect(observer.told == (1...id).map { "tell \($0)" })
    }
  }

  @Test func `F12: by commitAsync that had to wait, with what others have committed meanwhile`()
    async throws
  {
    let occupant = Occupant(of: store, inserting: 1)
    let helper = TestThread { [store] in
      // The main actor waits suspended by then.
      expectTrue(becomesTrueBlocking { store.writer.waiterCount == 1 })
      occupant.leave()
    }
    try await store.commitAsync { try $0.insert(Owner(id: 2)) }
    #expect(observer.notes == ["show 1", "tell 1", "show 2", "tell 2"])
    helper.join()
  }

  @Test func `F12: in the modify of a state relay, after it`() async throws {
    let state = StateRelay(0)
    try state.modify { value in
      value = 1
      try store.commit { try $0.insert(Owner(id: 1)) }
      #expect(observer.told.isEmpty)
    }
    #expect(await becomesTrue { observer.told.count == 1 })
  }

  @Test func `F12: to subscribe(on:) of commits and of changes as well`() async throws {
    var told: [String] = []
    let tokens = [
      store.commits.subscribe(on: .mainActor) { told.append("commit \($0.version)") },
      store.changes(of: Owner.self, 1).subscribe(on: .mainActor) {
        told.append("changes \($0.version)")
      },
    ]
    try store.commit { try $0.insert(Owner(id: 1)) }
    #expect(told == ["commit 1", "changes 1"])
    try await store.commitAsync { try $0.delete(Owner.self, 1) }
    #expect(told == ["commit 1", "changes 1", "commit 2", "changes 2"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `F12: to subscribe(on:), behind what another thread has left`() throws {
    // Nothing but the hop delivers on the main actor.
    let store = try Store(.inMemory, entities: [Owner.self])
    var told: [Int64] = []
    let token = store.commits.subscribe(on: .mainActor) { told.append($0.version) }
    TestThread { _ = try? store.commit { try $0.insert(Owner(id: 1)) } }.join()
    #expect(told.isEmpty)
    try store.commit { try $0.insert(Owner(id: 2)) }
    #expect(told == [1, 2])
    withExtendedLifetime(token) {}
  }
}
