import Relays
import TestSupport
import Testing

@Suite struct ExpandTests {
  private let relay = Relay<Int>()

  @Test
  func `expand passes on all values made of a value, and makes none without subscribers`() {
    let calls = Counter()
    let signal = relay.expand(counting: calls)
    relay.send(5)
    #expect(calls.value == 0)
    let log = Log<Int>()
    let token = signal.subscribe { log.note($0) }
    for count in [2, 0, 3] { relay.send(count) }
    #expect(log.entries == [0, 1, 0, 1, 2])
    #expect(calls.value == 3)
    token.cancel()
    relay.send(5)
    #expect(calls.value == 3)
  }

  @Test func `R4: a cancelled subscription gets nothing more of the value being delivered`() {
    let log = Log<Int>()
    let bag = SubscriptionBag()
    relay.expand(counting: Counter()).subscribe { number in
      log.note(number)
      if number == 1 { bag.cancel() }
    }
    .store(in: bag)
    relay.send(5)
    relay.send(5)
    #expect(log.entries == [0, 1])
  }

  @Test func `R1: a new subscription gets nothing of the value being delivered`() {
    let log = Log<Int>()
    let bag = SubscriptionBag()
    let signal = relay.expand(counting: Counter())
    signal.subscribe { number in
      if number == 0 { signal.subscribe { log.note($0) }.store(in: bag) }
    }
    .store(in: bag)
    relay.send(3)
    #expect(log.isEmpty)
    relay.send(2)
    #expect(log.entries == [0, 1])
  }
}

extension Relay where Output == Int {
  /// The numbers below each one that is sent.
  fileprivate func expand(counting calls: Counter) -> Signal<Int> {
    signal.expand { count, give in
      calls.add()
      for number in 0..<count { give(number) }
    }
  }
}
