// Drives the bridge to Combine: demand, order, cancellation, the end, and many threads.
import Combine
import Foundation
import Relays

/// A subscriber that asks for so many values at first, and for more with each value.
nonisolated final class Taker: Combine.Subscriber, @unchecked Sendable {
  private let lock = NSLock()
  private var received: [Int] = []
  private var hasFinished = false
  private var isInside = false
  private(set) var subscription: (any Combine.Subscription)?
  private let first: Subscribers.Demand
  private let next: Subscribers.Demand
  var onValue: (Int) -> Void = { _ in }

  init(_ first: Subscribers.Demand, then next: Subscribers.Demand = .none) {
    (self.first, self.next) = (first, next)
  }

  var values: [Int] { lock.withLock { received } }
  var isFinished: Bool { lock.withLock { hasFinished } }

  var onSubscription: () -> Void = {}

  func receive(subscription: any Combine.Subscription) {
    self.subscription = subscription
    subscription.request(first)
    onSubscription()
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    lock.withLock {
      precondition(!isInside && !hasFinished, "Called by two threads, or after the end")
      isInside = true
      received.append(input)
    }
    onValue(input)
    lock.withLock { isInside = false }
    return next
  }

  func receive(completion: Subscribers.Completion<Never>) { lock.withLock { hasFinished = true } }
}

@main struct Check {
  static func main() {
    demand()
    end()
    cancellation()
    threads()
    print("Combine: the publisher keeps order and demand, and ends")
  }

  static func expect(_ condition: Bool, _ note: String) {
    if !condition { fatalError("Wrong: \(note)") }
  }

  static func demand() {
    let relay = Relay<Int>()
    let (all, two, one) = (Taker(.unlimited), Taker(.max(2)), Taker(.max(1), then: .max(1)))
    for taker in [all, two, one] { relay.publisher.receive(subscriber: taker) }
    for value in 1...5 { relay.send(value) }
    expect(all.values == [1, 2, 3, 4, 5] && one.values == [1, 2, 3, 4, 5], "all")
    expect(two.values == [1, 2], "two")
    two.subscription?.request(.max(2))
    expect(two.values == [1, 2, 3, 4], "four")
    // Sent in the callback, it comes afterwards.
    all.onValue = { if $0 == 6 { relay.send(7) } }
    relay.send(6)
    expect(all.values.suffix(2) == [6, 7], "nested")
    let early = Taker(.unlimited)
    early.onSubscription = {
      relay.send(8)
      precondition(early.values.isEmpty, "A value before the subscription has been received")
    }
    relay.publisher.receive(subscriber: early)
    expect(early.values == [8], "what is sent while the subscription is received")
    let state = StateRelay(9)
    let taker = Taker(.unlimited)
    state.publisher.receive(subscriber: taker)
    expect(taker.values == [9], "the first value of a state")
  }

  static func end() {
    var relay: Relay<Int>? = Relay()
    let (quick, slow) = (Taker(.unlimited), Taker(.none))
    relay?.publisher.receive(subscriber: quick)
    relay?.publisher.receive(subscriber: slow)
    relay?.send(1)
    relay = nil
    expect(quick.values == [1] && quick.isFinished, "finished")
    expect(!slow.isFinished, "a value still waits")
    slow.subscription?.request(.max(1))
    expect(slow.values == [1] && slow.isFinished, "finished after the last value")
  }

  static func cancellation() {
    let relay = Relay<Int>()
    let taker = Taker(.max(1))
    relay.publisher.receive(subscriber: taker)
    for value in 1...3 { relay.send(value) }
    taker.subscription?.cancel()
    taker.subscription?.request(.unlimited)
    relay.send(4)
    expect(taker.values == [1] && !taker.isFinished, "cancelled")
    weak var released: Taker?
    do {
      let one = Taker(.none)
      relay.publisher.receive(subscriber: one)
      relay.send(5)
      one.subscription?.cancel()
      released = one
    }
    expect(released == nil, "a cancelled subscriber is released, though it keeps its subscription")
    let inside = Taker(.unlimited)
    relay.publisher.receive(subscriber: inside)
    inside.onValue = { _ in inside.subscription?.cancel() }
    for value in 1...3 { relay.send(value) }
    expect(inside.values == [1], "cancelled in its callback")
  }

  static func threads() {
    let relay = Relay<Int>()
    let (all, some) = (Taker(.unlimited), Taker(.none))
    relay.publisher.receive(subscriber: all)
    relay.publisher.receive(subscriber: some)
    let group = DispatchGroup()
    for sender in 0..<4 {
      group.enter()
      Thread.detachNewThread {
        for value in 0..<2000 {
          relay.send(sender * 2000 + value)
          some.subscription?.request(.max(1))
        }
        group.leave()
      }
    }
    group.wait()
    expect(all.values.count == 8000 && some.values == all.values, "one order")
  }
}
