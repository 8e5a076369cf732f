import Locking
import TestSupport
import Testing

@testable import Relays

@Suite(.timeLimit(.minutes(20))) struct `A bag keeps tokens and cancels them together` {
  @Test func `Its subscriptions live as long as it does`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    do {
      let bag = SubscriptionBag()
      relay.subscribe { log.note($0) }.store(in: bag)
      relay.subscribe { log.note($0 * 10) }.store(in: bag)
      relay.send(1)
      withExtendedLifetime(bag) {}
    }
    relay.send(2)
    #expect(log.entries == [1, 10])
    #expect(!relay.hasSubscribers)
  }

  @Test func `Cancelling empties it, and it can be used again`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let bag = SubscriptionBag()
    relay.subscribe { log.note($0) }.store(in: bag)
    bag.cancel()
    bag.cancel()
    relay.send(1)
    relay.subscribe { log.note($0) }.store(in: bag)
    relay.send(2)
    #expect(log.entries == [2])
    #expect(bag.count == 1)
  }

  @Test func `R4 Once one subscription is released, no callback of another begins`() {
    // The first object to be released sends; the other subscriptions are silent by then.
    final class Sender: Sendable {
      let relay: Relay<Int>
      init(_ relay: Relay<Int>) { self.relay = relay }
      deinit { relay.send(1) }
    }
    let relay = Relay<Int>()
    let log = Log<Int>()
    let bag = SubscriptionBag()
    for _ in 0..<5 {
      let sender = Sender(relay)
      relay.subscribe {
        log.note($0)
        _ = sender
      }.store(in: bag)
      relay.map { $0 }.prefix(5).subscribe { log.note($0) }.store(in: bag)
      relay.subscribe(on: .mainActor) { log.note($0) }.store(in: bag)
    }
    bag.cancel()
    #expect(log.isEmpty)
    #expect(!relay.hasSubscribers)
  }

  @Test func `R4 It can be cancelled and dropped in a callback of its own`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let bag = Box<SubscriptionBag?>(SubscriptionBag())
    for number in 0..<3 {
      let token = relay.subscribe { _ in
        log.note(number)
        bag.value = nil
      }
      bag.value?.insert(token)
    }
    relay.send(1)
    #expect(log.entries == [0])
  }

  @Test func `Subscriptions that have ended don't accumulate`() {
    let relay = Relay<Int>()
    let bag = SubscriptionBag()
    relay.subscribe { _ in }.store(in: bag)
    for round in 0..<1000 {
      relay.first().subscribe { _ in }.store(in: bag)
      Relay<Int>().map { $0 }.subscribe { _ in }.store(in: bag)
      let cancelled = relay.subscribe { _ in }
      cancelled.store(in: bag)
      cancelled.cancel()
      relay.send(round)
      #expect(bag.count <= 35)
    }
    #expect(relay.hasSubscribers)
  }

  @Test func `A value on its way to an actor arrives though its relay is deallocated`() async {
    let log = Log<Int>()
    let bag = SubscriptionBag()
    await Task { @MainActor in
      TestThread {
        let relay = Relay<Int>()
        relay.subscribe(on: .mainActor) { log.note($0) }.store(in: bag)
        relay.send(1)
      }.join()
      // The main actor is busy here, so the value waits while the bag looks for what has ended.
      for _ in 0..<100 { Relay<Int>().subscribe { _ in }.store(in: bag) }
    }.value
    let hasCome = await becomesTrue { log.entries == [1] }
    #expect(hasCome)
  }

  @Test func `R4 A cancel while the bag looks for what has ended reaches all`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let bag = SubscriptionBag()
    let elsewhere = Relay<Int>()
    do {
      // Held by a subscription whose actor is gone: its end comes while the bag is at its tokens.
      let place = Place()
      let farewell = AtEnd { bag.cancel() }
      elsewhere.subscribe(on: place) { [farewell] _, _ in _ = farewell }.store(in: bag)
    }
    for _ in 0..<40 { relay.subscribe { log.note($0) }.store(in: bag) }
    let kept = bag.count
    relay.send(1)
    #expect(log.entries.count == kept)
    #expect(kept < 40)
    withExtendedLifetime(elsewhere) {}
  }

  @Test func `R4 No cancel returns before everything is silent, also beside another`() {
    let slow = StateRelay(0)
    let relay = Relay<Int>()
    let log = Log<Int>()
    let bag = SubscriptionBag()
    // It may be told of the modify, which may end before a cancel begins.
    slow.dropFirst().subscribe { _ in }.store(in: bag)
    relay.subscribe { log.note($0) }.store(in: bag)
    let isInside = Latch()
    let mayGo = Latch()
    let modifier = TestThread {
      slow.modify { _ in
        isInside.open()
        _ = mayGo.opensSoon()
      }
    }
    _ = isInside.opensSoon()
    let cancellers = (0..<2).map { _ in
      TestThread {
        bag.cancel()
        relay.send(1)
      }
    }
    for _ in 0..<1000 { CurrentThread.yield() }
    mayGo.open()
    for thread in cancellers + [modifier] { thread.join() }
    #expect(log.isEmpty)
  }

  @Test func `Adding in a modify asks nothing of that relay`() {
    let state = StateRelay(0)
    let other = Relay<Int>()
    let bag = SubscriptionBag()
    state.subscribe { _ in }.store(in: bag)
    state.modify { _ in
      for _ in 0..<100 { other.subscribe { _ in }.store(in: bag) }
    }
    #expect(bag.count == 101)
  }

  @Test func `R4 A cancelled token can be released in a modify of its relay`() {
    let state = StateRelay(0)
    let tokens = Box<[SubscriptionToken]>([])
    tokens.value = [state.subscribe { _ in }, state.map { $0 }.subscribe { _ in }]
    for token in tokens.value { token.cancel() }
    state.modify { _ in tokens.value = [] }
    #expect(tokens.value.isEmpty)
  }

  @Test func `R4 R5 A token that has ended isn't released in a modify of its relay`() async {
    // In a process of its own, because a release there traps.
    await #expect(processExitsWith: .success) {
      let state = StateRelay(0)
      let inner = StateRelay(0)
      let other = Relay<Int>()
      let bag = SubscriptionBag()
      do {
        let place = Place()
        state.dropFirst().subscribe(on: place) { _, _ in }.store(in: bag)
      }
      state.modify { _ in
        // Neither the end of another modify nor that of a commit's body is the end of this one.
        inner.modify { $0 += 1 }
        DeferredDeliveries.begin()
        DeferredDeliveries.end()
        for _ in 0..<16 { other.subscribe { _ in }.store(in: bag) }
      }
      precondition(bag.count == 17)
      // The next addition finds the one that has ended.
      other.subscribe { _ in }.store(in: bag)
      precondition(bag.count == 17)
      withExtendedLifetime((state, other)) {}
    }
  }

  @Test func `R1 A value that comes while the bag asks its publisher arrives`() async {
    let log = Log<Int>()
    let bag = SubscriptionBag()
    await Task { @MainActor in
      let source = AskedSource()
      let signal = Signal<Int> { receive, end in
        source.whenAsked.value = {
          receive(1)
          end?()
        }
        return SubscriptionToken(source: source)
      }
      signal.subscribe(on: .mainActor) { log.note($0) }.store(in: bag)
      // The main actor is busy here, so the value waits while the bag drops what has ended.
      for _ in 0..<16 { Relay<Int>().subscribe { _ in }.store(in: bag) }
    }.value
    let hasCome = await becomesTrue { log.entries == [1] }
    #expect(hasCome)
  }

  @Test func `R4 Cancelling again does nothing, also in a modify`() {
    let state = StateRelay(0)
    let bag = SubscriptionBag()
    let tokens = [state.subscribe { _ in }, state.map { $0 }.subscribe { _ in }]
    for token in tokens {
      token.store(in: bag)
      token.cancel()
    }
    state.modify { _ in
      for token in tokens { token.cancel() }
      bag.cancel()
    }
    #expect(bag.count == 0)
  }

  @Test func `Subscriptions of a deallocated actor don't accumulate`() async {
    actor Listener {}
    let bag = SubscriptionBag()
    for _ in 0..<200 {
      let relay = Relay<Int>()
      let listener = Listener()
      relay.subscribe(on: listener) { _, _ in }.store(in: bag)
      relay.send(1)
    }
    let isTidy = await becomesTrue {
      Relay<Int>().subscribe { _ in }.store(in: bag)
      return bag.count < 100
    }
    #expect(isTidy)
  }

  @Test func `A first value on its way arrives though its relay is deallocated`() {
    let log = Log<Int>()
    let bag = SubscriptionBag()
    let owner = Box<StateRelay<Int>?>(StateRelay(1))
    let signal = owner.value?.signal
    let isFirst = Counter()
    signal?.subscribe { _ in
      guard isFirst.add() == 1 else { return }
      owner.value = nil
      // Waits for its turn, behind the end.
      signal?.subscribe { log.note($0) }.store(in: bag)
      for _ in 0..<100 { Relay<Int>().subscribe { _ in }.store(in: bag) }
    }.store(in: bag)
    #expect(log.entries == [1])
  }

  @Test func `No live subscription is lost while others end`() {
    let relay = Relay<Int>()
    let count = Counter()
    let bag = SubscriptionBag()
    onThreads(3) { _ in
      for _ in 0..<500 {
        relay.subscribe { _ in count.add() }.store(in: bag)
        relay.prefix(0).subscribe { _ in }.store(in: bag)
      }
    }
    relay.send(1)
    #expect(count.value == 1500)
    bag.cancel()
    #expect(!relay.hasSubscribers)
  }

  @Test func `Threads add while it is cancelled, and nothing is left`() {
    let relay = Relay<Int>()
    let bag = SubscriptionBag()
    onThreads(3) { thread in
      for _ in 0..<1000 {
        if thread == 0 { bag.cancel() } else { relay.subscribe { _ in }.store(in: bag) }
      }
    }
    bag.cancel()
    #expect(bag.count == 0)
    #expect(!relay.hasSubscribers)
  }
}

/// Where something is delivered.
private actor Place {}

/// A publisher that sends and ends on another thread while it is asked whether it is active.
private final class AskedSource: Cancellable, @unchecked Sendable {
  // @unchecked: the superclass is, and `whenAsked` is locked.

  let whenAsked = Box<(@Sendable () -> Void)?>(nil)

  override func isActive(_ token: SubscriptionToken) -> Bool {
    if let body = whenAsked.take(leaving: nil) { TestThread(body).join() }
    return false
  }
}
