import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Operators retain nothing after cancel` {
  private typealias Tracked = LifetimeTracker.Tracked

  /// Subscribes to an operator, of which the token alone is left.
  private func subscribe(
    _ form: OperatorForm, to upstream: Signal<Int>, _ company: OperatorForm.Company,
    _ object: Tracked
  ) -> SubscriptionToken {
    form.apply(upstream, company).subscribe { _ in _ = object }
  }

  @Test(arguments: OperatorForm.all)
  func `R7 Closures are released with the subscription, though its token is held`(
    form: OperatorForm
  ) {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let others = OperatorForm.Company()
    let token: SubscriptionToken
    do {
      let company = OperatorForm.Company(tracker, others)
      token = subscribe(form, to: relay.signal, company, tracker.track())
    }
    relay.send(1)
    let isOver = form.name.hasPrefix("first")
    #expect(isOver ? tracker.aliveCount == 0 : tracker.aliveCount > 0)
    token.cancel()
    tracker.expectNoneAlive()
    withExtendedLifetime((relay, token, others)) {}
  }

  @Test(arguments: OperatorForm.all)
  func `R7 Closures cancelled in a callback are released at the end of the delivery`(
    form: OperatorForm
  ) {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let others = OperatorForm.Company()
    let token = Box<SubscriptionToken?>(nil)
    do {
      let company = OperatorForm.Company(tracker, others)
      token.value = form.apply(relay.signal, company).subscribe { [object = tracker.track()] _ in
        token.value?.cancel()
        #expect(tracker.aliveCount > 0)
        _ = object
      }
    }
    relay.send(1)
    tracker.expectNoneAlive()
    withExtendedLifetime(token) {}
  }

  @Test(arguments: OperatorForm.all)
  func `R7 Closures cancelled on another thread are released at the end of the delivery`(
    form: OperatorForm
  ) {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let others = OperatorForm.Company()
    let token = Box<SubscriptionToken?>(nil)
    do {
      let company = OperatorForm.Company(tracker, others)
      token.value = form.apply(relay.signal, company).subscribe { [object = tracker.track()] _ in
        #expect(finishes { token.value?.cancel() })
        _ = object
      }
    }
    relay.send(1)
    tracker.expectNoneAlive()
    withExtendedLifetime(token) {}
  }

  @Test func `R7 Values that are kept as state are released with the subscription`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Tracked>()
    let other = Relay<Tracked>()
    let subscriptions: [SubscriptionToken] = [
      relay.scan(Tracked?.none) { $1 }.subscribe { _ in },
      relay.removeDuplicates { $0 === $1 }.subscribe { _ in },
      relay.combineLatest(other).subscribe { _ in },
      combineLatest(relay, other, relay).subscribe { _ in },
      combineLatest(relay).subscribe { _ in },
      other.withLatest(from: relay).subscribe { _ in },
      relay.scan([]) { $0 + [$1] }.share().subscribe { _ in },
      relay.merge(with: other).removeDuplicates { $0 === $1 }.subscribe { _ in },
    ]
    for (index, token) in subscriptions.enumerated() {
      relay.send(tracker.track())
      #expect(tracker.aliveCount > 0, "Subscription \(index)")
      token.cancel()
    }
    tracker.expectNoneAlive()
    withExtendedLifetime((relay, other, subscriptions)) {}
  }

  @Test func `R7 Each kind of state alone is kept while the subscription is, and no longer`() {
    let kinds: [@Sendable (Signal<Tracked>) -> SubscriptionToken] = [
      { $0.scan(Tracked?.none) { $1 }.subscribe { _ in } },
      { $0.removeDuplicates { $0 === $1 }.subscribe { _ in } },
      { $0.combineLatest($0).subscribe { _ in } },
      { combineLatest($0, $0, $0).subscribe { _ in } },
      { $0.withLatest(from: $0).subscribe { _ in } },
    ]
    for kind in kinds {
      let tracker = LifetimeTracker()
      let relay = Relay<Tracked>()
      let token = kind(relay.signal)
      for _ in 0..<3 { relay.send(tracker.track()) }
      #expect(tracker.aliveCount == 1)
      token.cancel()
      #expect(tracker.aliveCount == 0)
      withExtendedLifetime((relay, token)) {}
    }
  }

  @Test func `R7 Operators without state keep no value`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Tracked>()
    let signals = [
      relay.map { $0 }, relay.filter { _ in true }, relay.compactMap { $0 }, relay.prefix(5),
      relay.dropFirst(), relay.merge(with: relay), relay.share(), relay.print(to: { _ in }),
    ]
    let tokens = signals.map { $0.subscribe { _ in } }
    for _ in 0..<3 { relay.send(tracker.track()) }
    #expect(tracker.aliveCount == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test func `R7 Values that wait in a merge are released when it is cancelled`() {
    let tracker = LifetimeTracker()
    let relays = (0..<2).map { _ in Relay<Tracked>() }
    let token = Box<SubscriptionToken?>(nil)
    token.value = relays[0].merge(with: relays[1]).subscribe { _ in
      for _ in 0..<3 { relays[1].send(tracker.track()) }
      token.value?.cancel()
    }
    relays[0].send(tracker.track())
    tracker.expectNoneAlive()
    withExtendedLifetime(token) {}
  }

  @Test func `A chain releases everything after its last value, though its token is held`() {
    let tracker = LifetimeTracker()
    let relay = Relay<Int>()
    let state = StateRelay(1)
    let tokens = [
      relay.map { [object = tracker.track()] in (object, $0).1 }.prefix(2),
      relay.first { [object = tracker.track()] in (object, $0).1 == 2 },
      state.map { [object = tracker.track()] in (object, $0).1 }.first(),
      relay.map { [object = tracker.track()] in (object, $0).1 }.prefix(0),
    ].map { $0.subscribe { [object = tracker.track()] _ in _ = object } }
    for value in 1...2 { relay.send(value) }
    tracker.expectNoneAlive()
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: OperatorForm.all)
  func `R3 The deinit of what a chain holds may use the publishers and its own token`(
    form: OperatorForm
  ) {
    let relay = StateRelay(0)
    let company = OperatorForm.Company()
    let token = Box<SubscriptionToken?>(nil)
    let ends = Counter()
    let isDone = finishes {
      do {
        let farewell = AtEnd {
          ends.add()
          token.value?.cancel()
          relay.send(5)
          company.silent.send(6)
          relay.subscribe { _ in }.cancel()
        }
        let above = relay.signal.map { [farewell] in (farewell, $0).1 }
        token.value = form.apply(above, company).subscribe { _ in }
      }
      relay.send(1)
      token.value?.cancel()
    }
    #expect(isDone)
    #expect(ends.value == 1)
  }

  @Test(arguments: OperatorForm.all)
  func `R6 Neither a signal nor a subscription nor a loop keeps a publisher alive`(
    form: OperatorForm
  ) {
    weak var relay: Relay<Int>?
    weak var state: StateRelay<Int>?
    weak var silent: Relay<Int>?
    weak var company: StateRelay<Int>?
    var kept: [Any] = []
    do {
      let (owned, ownedState, others) = (Relay<Int>(), StateRelay(1), OperatorForm.Company())
      (relay, state, silent, company) = (owned, ownedState, others.silent, others.state)
      for upstream in [owned.signal, ownedState.signal] {
        let signal = form.apply(upstream, others)
        kept += [signal, signal.subscribe { _ in }, signal.values()]
        kept.append(signal.subscribe(on: .mainActor) { _ in })
        kept.append(signal.values().makeAsyncIterator())
      }
      owned.send(1)
      ownedState.send(2)
    }
    #expect(relay == nil && state == nil && silent == nil && company == nil)
    withExtendedLifetime(kept) {}
  }
}
