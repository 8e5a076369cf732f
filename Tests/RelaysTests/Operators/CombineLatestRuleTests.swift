import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `combineLatest and withLatest keep the rules` {
  @Test func `R1 Values of several threads give one combination each, in one order`() {
    let relays = (0..<3).map { _ in StateRelay(0) }
    let three = combineLatest(relays[0], relays[1], relays[2]).map { [$0, $1, $2] }
    let two = combineLatest(relays[0], relays[1]).map { [$0, $1] }
    let depth = Counter()
    let logs = (three: Log<[Int]>(), two: Log<[Int]>())
    let tokens = [
      three.subscribe { values in
        if depth.add() != 1 { Issue.record("Two callbacks of one subscription overlap") }
        logs.three.note(values)
        depth.add(-1)
      },
      two.subscribe { logs.two.note($0) },
    ]
    onThreads(3) { index in
      for value in 1...2_000 { relays[index].send(value) }
    }
    expectSteps(logs.three.entries, from: [0, 0, 0], to: [2_000, 2_000, 2_000])
    expectSteps(logs.two.entries, from: [0, 0], to: [2_000, 2_000])
    withExtendedLifetime(tokens) {}
  }

  /// Each combination differs from the one before by one step of one value.
  private func expectSteps(_ found: [[Int]], from first: [Int], to last: [Int]) {
    #expect(found.first == first)
    #expect(found.last == last)
    #expect(found.count == 1 + zip(first, last).reduce(0) { $0 + $1.1 - $1.0 })
    let steps = zip(found, found.dropFirst()).map { old, new in
      zip(old, new).map { $1 - $0 }.sorted(by: >)
    }
    #expect(steps.allSatisfy { $0[0] == 1 && $0[1...].allSatisfy { $0 == 0 } })
  }

  @Test func `R5 At rest the last combination is of the latest values`() {
    for _ in 0..<200 {
      let (left, right) = (StateRelay(0), StateRelay(0))
      let found = Log<Log<[Int]>>()
      let tokens = Log<SubscriptionToken>()
      onThreads(3) { index in
        if index == 2 {
          let log = Log<[Int]>()
          found.note(log)
          tokens.note(left.combineLatest(right).subscribe { log.note([$0, $1]) })
        } else {
          for value in 1...20 { (index == 0 ? left : right).send(value) }
        }
      }
      #expect(found.entries.allSatisfy { $0.entries.last == [20, 20] })
    }
  }

  @Test func `R1 withLatest passes on each of its values once though the other sends meanwhile`() {
    let (own, other) = (Relay<Int>(), StateRelay(0))
    let log = Log<[Int]>()
    let token = own.withLatest(from: other).subscribe { log.note([$0, $1]) }
    onThreads(3) { index in
      for value in 0..<2_000 {
        if index == 0 { other.send(value) } else { own.send(index * 10_000 + value) }
      }
    }
    let found = log.entries
    #expect(found.count == 4_000)
    for index in 1...2 {
      let values = found.map { $0[0] }.filter { $0 / 10_000 == index }
      #expect(values == (0..<2_000).map { index * 10_000 + $0 })
    }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0[1] <= $1[1] })
    token.cancel()
  }

  @Test func `R2 Values sent inside a callback are queued and don't nest`() {
    let relays = (0..<2).map { StateRelay($0) }
    let log = Log<String>()
    let two = combineLatest(relays[0], relays[1]).map { [$0, $1] }
    let token = two.subscribe { values in
      log.note("begin \(values)")
      if values == [0, 1] {
        relays[1].send(2)
        relays[0].send(3)
      }
      log.note("end \(values)")
    }
    // The second relay is delivering its first value, so what it is sent waits for that to end.
    let order = [[0, 1], [3, 1], [3, 2]]
    #expect(log.entries == order.flatMap { ["begin \($0)", "end \($0)"] })
    token.cancel()
  }

  @Test(.oneThread) func `R2 Chains of 100,000 sends in callbacks work`() {
    let relays = (0..<3).map { _ in StateRelay(0) }
    let last = Counter()
    let combined = combineLatest(relays[0], relays[1], relays[2]).map { $0 + $1 + $2 }
    let token = combined.subscribe { value in
      last.set(value)
      if value < 100_000 { relays[value % 3].modify { $0 += 1 } }
    }
    #expect(last.value == 100_000)
    token.cancel()
    let other = relays[0].withLatest(from: relays[1]).subscribe { own, _ in
      last.set(own)
      if own < 150_000 { relays[0].send(own + 1) }
    }
    #expect(last.value == 150_000)
    other.cancel()
  }

  @Test func `R3 The deinit of a value that is replaced may use the same publishers`() {
    let left = Relay<AtEnd?>()
    let right = Relay<AtEnd?>()
    let combine: [@Sendable (Counter) -> SubscriptionToken] = [
      { calls in combineLatest(left, right).subscribe { _ in calls.add() } },
      { calls in combineLatest(left, right, left).subscribe { _ in calls.add() } },
      { calls in left.withLatest(from: right).subscribe { _ in calls.add() } },
    ]
    for subscribe in combine {
      let (calls, ends) = (Counter(), Counter())
      let isDone = finishes {
        let token = subscribe(calls)
        for relay in [left, right] {
          relay.send(
            AtEnd {
              ends.add()
              relay.send(nil)
              left.send(nil)
              right.send(nil)
              subscribe(Counter()).cancel()
              token.cancel()
              token.cancel()
            })
        }
        left.send(nil)
        right.send(nil)
        right.send(nil)
      }
      #expect(isDone)
      #expect(ends.value == 2)
    }
  }

  @Test
  func `R3 The deinit of a replaced value may wait for another thread that uses the publishers`() {
    let left = Relay<AtEnd?>()
    let right = StateRelay<AtEnd?>(nil)
    let combine: [@Sendable () -> SubscriptionToken] = [
      { combineLatest(right, left).subscribe { _ in } },
      { combineLatest(right, left, right).subscribe { _ in } },
      { right.withLatest(from: left).subscribe { _ in } },
    ]
    for subscribe in combine {
      let ends = Counter()
      let token = subscribe()
      let isDone = finishes {
        left.send(
          AtEnd {
            // The thread asks for the lock of the combination, which nobody may hold here.
            let isFree = finishes { right.send(nil) }
            ends.add(isFree ? 1 : 100)
          })
        left.send(nil)
      }
      #expect(isDone)
      #expect(ends.value == 1)
      token.cancel()
    }
  }
}
