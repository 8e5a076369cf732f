@_spi(Storage) import EntityStore
import Fixtures
import Locking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `A flush while a storage doesn't answer` {
  @Test func `S1: it leaves the main actor to others`() async throws {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Owner.self])
    let (isInside, mayEnd) = (Counter(), Counter())
    storage.whenCommitting.withLock {
      $0 = {
        isInside.set(1)
        _ = becomesTrueBlocking(within: .seconds(900)) { mayEnd.value == 1 }
      }
    }
    let thread = TestThread { _ = try? store.commit { try $0.insert(Owner(id: 1)) } }
    #expect(await becomesTrue { isInside.value == 1 })
    let (hasBegun, isFlushed, hasRun) = (Counter(), Counter(), Counter())
    let flush = Task { @MainActor in
      hasBegun.set(1)
      await store.flush()
      isFlushed.set(1)
    }
    #expect(await becomesTrue { hasBegun.value == 1 })
    let other = Task { @MainActor in hasRun.set(1) }
    #expect(await becomesTrue(within: .seconds(120)) { hasRun.value == 1 })
    #expect(isFlushed.value == 0)
    mayEnd.set(1)
    await flush.value
    await other.value
    thread.join()
    #expect(try store.version == 1)
  }
}
