import Locking
import TestSupport
import Testing

@Suite struct `A locked value` {
  private struct Refusal: Error, Equatable {}

  @Test func `Only one thread at a time has it, so counts add up`() {
    let counts = Shared((first: 0, second: 0))
    onThreads(4) { _ in
      for _ in 0..<5_000 {
        counts.value.withLock {
          #expect($0.first == $0.second)
          $0.first += 1
          $0.second += 1
        }
      }
    }
    counts.value.withLock { #expect($0 == (20_000, 20_000)) }
  }

  @Test func `An error leaves the lock free and passes with its type`() {
    let names = Locked(["Ann"])
    do throws(Refusal) {
      try names.withLock { names throws(Refusal) in
        names.append("Bob")
        throw Refusal()
      }
      Issue.record("Nothing was thrown")
    } catch {
      #expect(error == Refusal())
    }
    expectEqual(names.withLock { $0 }, ["Ann", "Bob"])
  }

  @Test func `Its value is released with it`() {
    LifetimeTracker.check { tracker in
      let names = Locked([tracker.track()])
      names.withLock { $0.append(tracker.track()) }
    }
  }

  @Test func `A returned value that isn't used is released when the lock is free`() {
    let lock = Shared<[AnyObject]>([])
    let isFree = Shared<Bool?>(nil)
    let ending = Ending {
      // Another thread gets the lock only where this one hasn't it any more.
      let isTaken = Shared(false)
      let thread = TestThread {
        lock.value.withLock { _ in }
        isTaken.value.withLock { $0 = true }
      }
      let isInTime = becomesTrueBlocking { isTaken.value.withLock { $0 } }
      isFree.value.withLock { $0 = isInTime }
      if isInTime { thread.join() }
    }
    lock.value.withLock { $0 = [ending.makeObject()] }
    dropValues(of: lock.value)
    #expect(isFree.value.withLock { $0 } == true)
  }

  @Test func `What one thread wrote before unlocking, the next reads`() {
    // The box is a plain reference; the thread sanitizer tells if the lock didn't order its use.
    let box = Shared(Box())
    onThreads(2) { _ in
      for _ in 0..<2_000 { box.value.withLock { $0.count += 1 } }
    }
    expectEqual(box.value.withLock { $0.count }, 4_000)
  }

  private final class Box {
    var count = 0
  }
}

/// Makes objects that call something when they go.
private struct Ending: Sendable {
  private final class Object: Sendable {
    let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  func makeObject() -> AnyObject { Object(end) }
}

/// A locked value that closures can share.
final class Shared<State>: Sendable {
  let value: Locked<State>

  init(_ state: sending State) { value = Locked(state) }
}
