import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `Operators and bags` {
  @Test func `R4 All closures of a chain are silenced before any is released`() {
    let (left, right) = (Relay<Int>(), Relay<Int>())
    let combine: [@Sendable (Signal<Int>, Signal<Int>) -> Signal<Int>] = [
      { $0.merge(with: $1) },
      { .merge([$0.prefix(5), .merge([$1, $1])]) },
      { $0.combineLatest($1).map { $0.0 } },
      { combineLatest($0, $1, $1).map { $0.0 } },
      { $1.withLatest(from: $0).map { $0.0 } },
    ]
    for combine in combine {
      let (calls, ends) = (Counter(), Counter())
      var token: SubscriptionToken?
      do {
        let farewell = AtEnd {
          ends.add()
          left.send(1)
          right.send(1)
        }
        let above = left.map { [farewell] in (farewell, $0, calls.add()).1 }
        let beside = right.map { (calls.add(), $0).1 }
        token = combine(above, beside).subscribe { _ in calls.add() }
      }
      token?.cancel()
      #expect(ends.value == 1)
      #expect(calls.value == 0)
    }
  }

  @Test(arguments: OperatorForm.all)
  func `R4 A bag silences an operator before it releases what others hold`(form: OperatorForm) {
    let relay = Relay<Int>()
    let company = OperatorForm.Company()
    let calls = Counter()
    let bag = SubscriptionBag()
    do {
      let farewell = AtEnd { relay.send(1) }
      relay.subscribe { [farewell] _ in _ = farewell }.store(in: bag)
    }
    form.apply(relay.signal, company).subscribe { _ in calls.add() }
      .store(in: bag)
    bag.cancel()
    #expect(calls.value == 0)
  }

  @Test(arguments: OperatorForm.all)
  func `A bag doesn't keep subscriptions that have ended`(form: OperatorForm) {
    let bag = SubscriptionBag()
    weak var token: SubscriptionToken?
    let relay = Relay<Int>()
    let tokens = (0..<3).map { _ in relay.subscribe { _ in } }
    do {
      let (upstream, company) = (Relay<Int>(), OperatorForm.Company())
      let made = form.apply(upstream.signal, company).subscribe { _ in }
      made.store(in: bag)
      token = made
      for _ in 0..<50 { relay.subscribe { _ in }.store(in: bag) }
      #expect(token != nil)
    }
    for _ in 0..<500 { relay.subscribe { _ in }.store(in: bag) }
    #expect(token == nil)
    withExtendedLifetime(tokens) {}
  }

  @Test func `A combination that has ended leaves the publishers that are still there`() {
    let relay = Relay<Int>()
    let combine: [@Sendable (Signal<Int>, Signal<Int>) -> Signal<Int>] = [
      { gone, relay in combineLatest(gone, relay).map { $0.0 } },
      { gone, relay in combineLatest(relay, gone).map { $0.0 } },
      { gone, relay in combineLatest(relay, gone, relay).map { $0.0 } },
      { gone, relay in gone.withLatest(from: relay).map { $0.0 } },
    ]
    for combine in combine {
      let source = Source()
      let bag = SubscriptionBag()
      let lines = Log<String>()
      weak var token: SubscriptionToken?
      do {
        let made = combine(source.signal, relay.signal).print(to: { lines.note($0) })
          .subscribe { _ in }
        made.store(in: bag)
        token = made
      }
      source.go()
      #expect(lines.entries.last == "receive finished")
      #expect(!relay.hasSubscribers)
      for _ in 0..<100 {
        Relay<Int>().subscribe { _ in }.store(in: bag)
      }
      #expect(token == nil)
      bag.cancel()
      #expect(!relay.hasSubscribers)
    }
  }
}
