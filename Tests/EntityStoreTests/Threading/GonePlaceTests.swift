import Locking
import Relays
import TestSupport
import Testing

@testable import EntityStore

/// An actor that says when it goes.
private actor Mortal {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void = {}) { self.end = end }

  deinit { end() }
}

/// Holds an actor that says when it goes, until it is told to drop it.
private final class HeldPlace: Sendable {
  private let actor: Locked<Mortal?>
  let queue: DeliveryQueue

  init(_ end: @escaping @Sendable () -> Void) {
    let actor = Mortal(end)
    queue = .queue(of: actor)
    self.actor = Locked(actor)
  }

  func drop() { _ = actor.withLock { $0.take() } }
}

/// A listener that does nothing.
private final class IdleListener: CommitListener {
  func show(_ turn: Int) {}
  func deliver() {}
}

@Suite(.timeLimit(.minutes(20))) struct GonePlaceTests {
  @Test func `R3: asking under a lock whether an actor is deallocated never deallocates it`() {
    let freed = Counter()
    for _ in 0..<rounds(300) {
      let asker = Counter()
      let isOver = Counter()
      let holder = HeldPlace {
        if CurrentThread.token == asker.value { freed.add(1) }
      }
      let place = DeliveryContext(holder.queue)
      onThreads(2) { thread in
        if thread == 0 {
          asker.set(CurrentThread.token)
          while isOver.value == 0 { _ = place.isGone }
        } else {
          _ = becomesTrueBlocking { asker.value != 0 }
          holder.drop()
          isOver.set(1)
        }
      }
    }
    #expect(freed.value == 0)
  }

  @Test func `F12: nothing accumulates for a deallocated actor`() {
    LifetimeTracker.check { tracker in
      let place = DeliveryContext(.queue(of: Mortal()))
      for _ in 0..<5 {
        let object = tracker.track()
        let ticket = DeliveryTicket({ _ = object }, sequence: 1)
        ReleasePool.open { place.append([ticket]) }
        place.queue.run()
      }
      // The first one has found that the actor is gone, and what waited then goes with the next one.
      #expect(place.isGone)
      #expect(tracker.aliveCount == 0)
    }
  }

  @Test
  func `F12: turns that wait for a deallocated actor don't keep its delivery context`() throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    let listener = IdleListener()
    weak var context: DeliveryContext?
    do {
      let entry = ListenerEntry(listener, .on(Mortal()), mergesWhatWaits: true, in: store)
      context = entry.context
      // The turn waits, since the actor is found to be deallocated when the queue runs.
      store.takeTurn(entry) { true }?.run()
      #expect(entry.context.isGone)
    }
    #expect(context == nil)
    withExtendedLifetime(listener) {}
  }
}
