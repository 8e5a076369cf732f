import EntityStore
import Locking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `S6: snapshots of several threads` {
  private func makeStore() throws -> Store {
    let store = try Store(.inMemory, entities: [Owner.self])
    try store.commit { try $0.insert(Owner(id: 0)) }
    return store
  }

  @Test func `S6: at the limit one is refused while another is dropped, and nobody hangs`() throws {
    let store = try makeStore()
    store.heldVersionLimit = 1
    let isOver = SharedCount()
    let refused = SharedCount()
    let isDone = finishes {
      onThreads(3) { thread in
        if thread == 0 {
          for round in 0..<3_000 {
            _ = try? store.commit { try $0.update(Owner.self, 0) { $0.name = "\(round)" } }
          }
          isOver.word.store(1)
          return
        }
        while isOver.word.load() == 0 {
          do {
            let snapshot = try store.snapshot()
            withExtendedLifetime(snapshot) {}
          } catch { refused.word.add(1) }
        }
      }
    }
    #expect(isDone)
    guard isDone else { return }
    #expect(store.heldVersionCount == 0)
    #expect(throws: Never.self) { try store.snapshot() }
  }

  @Test func `S6: they are counted by version, and all are given back`() throws {
    let store = try makeStore()
    let isDone = finishes {
      onThreads(3) { thread in
        var held: [StoreSnapshot] = []
        for round in 0..<500 {
          if thread == 0 {
            _ = try? store.commit { try $0.update(Owner.self, 0) { $0.name = "\(round)" } }
          }
          if let snapshot = try? store.snapshot() { held.append(snapshot) }
          if held.count > 20 { held.removeFirst(15) }
          let versions = Set(held.map(\.version)).count
          expectTrue(store.heldVersionCount >= versions)
        }
      }
    }
    #expect(isDone)
    #expect(store.heldVersionCount == 0)
  }

  @Test func `S6: a late snapshot of an old version leaves the newest one shared`() throws {
    let store = try makeStore()
    let old = try store.snapshot()
    try store.commit { try $0.insert(Owner(id: 1)) }
    let new = try store.snapshot()
    #expect(store.heldVersionCount == 2)
    let again = try store.snapshot()
    #expect(store.heldVersionCount == 2)
    withExtendedLifetime((old, new, again)) {}
    #expect(store.heldVersionCount == 2)
  }
}
