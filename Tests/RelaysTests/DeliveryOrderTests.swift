import Locking
import Relays
import TestSupport
import Testing

@Suite struct `R1: every subscriber gets each value once, in the same order` {
  @Test(arguments: [1, 5, 40, 500])
  func `R1 A value goes once to every subscriber, in order of subscription`(count: Int) {
    let relay = Relay<Int>()
    let log = Log<[Int]>()
    let tokens = (0..<count).map { index in relay.subscribe { log.note([index, $0]) } }
    relay.send(7)
    relay.send(8)
    #expect(log.entries == (0..<count).map { [$0, 7] } + (0..<count).map { [$0, 8] })
    withExtendedLifetime(tokens) {}
  }

  @Test func `R1 The order holds while subscribers come and go`() {
    withEvery("seed", in: seeds(60)) { seed in
      var random = SeededGenerator(seed: seed)
      let relay = Relay<Int>()
      let log = Log<Int>()
      var subscribers: [(name: Int, token: SubscriptionToken)] = []
      for step in 0..<200 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4:
          subscribers.append((step, relay.subscribe { _ in log.note(step) }))
        case 4..<7 where !subscribers.isEmpty:
          let index = Int.random(in: subscribers.indices, using: &random)
          subscribers.remove(at: index).token.cancel()
        default:
          // A crowd leaves, so that gaps are closed.
          if random.chance(0.1) { subscribers.removeLast(subscribers.count / 2) }
        }
        let before = log.entries.count
        relay.send(step)
        expectEqual(Array(log.entries[before...]), subscribers.map(\.name))
      }
    }
  }

  @Test func `R1 All see the same order with several senders, and each sender's own`() {
    let relay = Relay<[Int]>()
    let count = 5_000
    let logs = (0..<3).map { _ in Log<[Int]>() }
    let tokens = logs.map { log in relay.subscribe { log.note($0) } }
    onThreads(4) { sender in
      for value in 0..<count { relay.send([sender, value]) }
    }
    let first = logs[0].entries
    #expect(logs[1].entries == first)
    #expect(logs[2].entries == first)
    for sender in 0..<4 {
      #expect(first.filter { $0[0] == sender }.map { $0[1] } == Array(0..<count))
    }
    #expect(first.count == 4 * count)
    withExtendedLifetime(tokens) {}
  }

  @Test func `R1 Subscribers that come and go see a run of the common order`() {
    let relay = Relay<Int>()
    let all = Log<Int>()
    let token = relay.subscribe { all.note($0) }
    let runs = Log<[Int]>()
    let isDone = Counter()
    onThreads(3) { index in
      if index < 2 {
        for value in 0..<3_000 { relay.send(index * 10_000 + value) }
        isDone.add()
      } else {
        while isDone.value < 2 {
          let seen = Log<Int>()
          let guest = relay.subscribe { seen.note($0) }
          relay.send(-1)
          guest.cancel()
          runs.note(seen.entries)
        }
      }
    }
    let order = all.entries
    let positions = Dictionary(
      zip(order, order.indices).filter { $0.0 >= 0 }, uniquingKeysWith: { first, _ in first })
    for run in runs.entries {
      let known = run.filter { $0 >= 0 }
      guard let start = known.first.flatMap({ positions[$0] }) else { continue }
      let common = order[start...].lazy.filter { $0 >= 0 }.prefix(known.count)
      #expect(known == Array(common))
    }
    token.cancel()
  }

  @Test func `R1 Callbacks don't overlap, also after a send in a callback`() {
    let relay = Relay<Int>()
    let inside = Counter()
    let overlaps = Counter()
    let seen = Counter()
    let token = relay.subscribe { value in
      if inside.add(1) != 1 { overlaps.add() }
      seen.add()
      if value > 0 { relay.send(-value) }
      CurrentThread.yield()
      inside.add(-1)
    }
    onThreads(3) { _ in
      for value in 1...1_000 { relay.send(value) }
    }
    #expect(seen.value == 6_000)
    #expect(overlaps.value == 0)
    token.cancel()
  }

  @Test func `A thread that sends once isn't kept delivering for one that never stops`() {
    let relay = Relay<Int>()
    let left = Counter()
    let delivered = Counter()
    let hasReturned = Counter()
    let deadline = Deadline(after: .seconds(120))
    let once = Counter()
    let isInside = Counter()
    let token = relay.subscribe { _ in
      if CurrentThread.token == once.value {
        isInside.set(1)
        // There nothing ends before more has been left, so something always waits.
        while left.value <= delivered.value && !deadline.isOver { CurrentThread.yield() }
      }
      delivered.add()
    }
    onThreads(2) { index in
      if index == 0 {
        once.set(CurrentThread.token)
        relay.send(0)
        hasReturned.set(1)
        return
      }
      while isInside.value == 0 { CurrentThread.yield() }
      while hasReturned.value == 0 && !deadline.isOver {
        relay.send(1)
        left.add()
      }
      #expect(!deadline.isOver)
    }
    #expect(delivered.value == left.value + 1)
    token.cancel()
  }

  @Test func `R1 A subscription made in a callback doesn't get the running value`() {
    let relay = Relay<Int>()
    let log = Log<String>()
    let later = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { value in
      log.note("A\(value)")
      if later.value == nil { later.value = relay.subscribe { log.note("B\($0)") } }
    }
    relay.send(1)
    relay.send(2)
    #expect(log.entries == ["A1", "A2", "B2"])
    token.cancel()
  }

  @Test func `R1 A subscription another thread makes meanwhile doesn't get the running value`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    let later = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { value in
      guard value == 1 else { return }
      #expect(finishes { later.value = relay.subscribe { log.note($0) } })
    }
    relay.send(1)
    #expect(log.isEmpty)
    relay.send(2)
    #expect(log.entries == [2])
    token.cancel()
  }

  @Test func `R1 A value sent without subscribers is lost`() {
    let relay = Relay<Int>()
    let log = Log<Int>()
    relay.send(1)
    let token = relay.subscribe { log.note($0) }
    #expect(log.isEmpty)
    relay.send(2)
    #expect(log.entries == [2])
    token.cancel()
  }

  @Test func `A relay knows whether it has subscribers`() {
    let relay = Relay<Int>()
    #expect(!relay.hasSubscribers)
    let first = relay.subscribe { _ in }
    let second = relay.subscribe { _ in }
    #expect(relay.hasSubscribers)
    first.cancel()
    #expect(relay.hasSubscribers)
    second.cancel()
    #expect(!relay.hasSubscribers)
  }

  @Test func `R1 Asking for subscribers while others send loses nothing`() {
    let relay = Relay<Int>()
    let sum = Counter()
    let token = relay.subscribe { sum.add($0) }
    onThreads(3) { index in
      for _ in 0..<5_000 {
        if index == 0 { #expect(relay.hasSubscribers) } else { relay.send(1) }
      }
    }
    #expect(sum.value == 10_000)
    token.cancel()
  }
}
