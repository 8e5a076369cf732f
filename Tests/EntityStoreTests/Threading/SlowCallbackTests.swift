import EntityStore
import Locking
import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `F12: a slow callback doesn't delay other subscribers` {
  private actor Place {}

  /// Commits on a thread whose own callback goes on until the place has been told.
  private func expectToldMeanwhile(_ delivery: Delivery) async throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    let told = Counter()
    let wasTold = Counter()
    let isOver = Counter()
    let observer = PlacedObserver(delivery, in: store) { _ in told.set(1) }
    let observation = observer.follow(store)
    let token = store.commits.subscribe { _ in
      let isTold = becomesTrueBlocking { told.value == 1 }
      if isTold { wasTold.set(1) }
    }
    let thread = TestThread {
      _ = try? store.commit { try $0.insert(Owner(id: 1)) }
      isOver.set(1)
    }
    #expect(await becomesTrue { isOver.value == 1 })
    thread.join()
    #expect(wasTold.value == 1)
    withExtendedLifetime((observation, token)) {}
  }

  @Test func `F12: an actor is notified while the thread that commits is in a callback`()
    async throws
  {
    let place = Place()
    try await expectToldMeanwhile(.on(place))
    withExtendedLifetime(place) {}
  }

  @Test func `F12: the main actor is notified while a thread that commits is in a callback`()
    async throws
  { try await expectToldMeanwhile(.mainActor) }
}
