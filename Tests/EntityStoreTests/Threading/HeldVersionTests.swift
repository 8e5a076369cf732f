import Locking
import TestSupport
import Testing

@_spi(Storage) @testable import EntityStore

@Suite(.timeLimit(.minutes(20))) struct `S6: snapshots of several threads` {
  private func makeStore() throws -> Store {
    let store = try Store(.inMemory, entities: [Owner.self])
    try store.commit { try $0.insert(Owner(id: 0)) }
    return store
  }

  @Test func `S6: at the limit one is refused while another is released, without a deadlock`()
    throws
  {
    let store = try makeStore()
    store.heldVersionLimit = 1
    let isOver = Counter()
    let refused = Counter()
    let isDone = finishes {
      onThreads(3) { thread in
        if thread == 0 {
          for round in 0..<3_000 {
            _ = try? store.commit { try $0.update(Owner.self, 0) { $0.name = "\(round)" } }
          }
          isOver.set(1)
          return
        }
        while isOver.value == 0 {
          do {
            let snapshot = try store.snapshot()
            withExtendedLifetime(snapshot) {}
          } catch { refused.add(1) }
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
        var held: [Store.Snapshot] = []
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

  @Test func `S6: a version that is held already is no new one, though a later one is held, too`()
    throws
  {
    let store = try makeStore()
    let storage = store.storage
    let versions = HeldVersions()
    versions.limit = 2
    // Two threads take a snapshot of one version; the second comes after a commit and another's
    // snapshot.
    let old = try #require(try storage.snapshot())
    let oldAgain = try #require(try storage.snapshot())
    let first = try versions.hold(old)
    try store.commit { try $0.insert(Owner(id: 1)) }
    let second = try versions.hold(#require(try storage.snapshot()))
    let third = try versions.hold(oldAgain)
    #expect(third === first)
    #expect(versions.count == 2)
    withExtendedLifetime((first, second, third)) {}
  }

  @Test func `S6: a released version can be held again`() throws {
    let store = try makeStore()
    let storage = store.storage
    let versions = HeldVersions()
    versions.limit = 1
    for _ in 0..<3 {
      let held = try versions.hold(#require(try storage.snapshot()))
      #expect(versions.count == 1)
      withExtendedLifetime(held) {}
    }
    #expect(versions.count == 0)
  }
}
