import Locking
import Observation
import Relays
import TestSupport
import Testing

@Suite struct `R5: a StateRelay has a current value` {
  @Test func `R5 The value is the latest set`() {
    let relay = StateRelay(1)
    #expect(relay.value == 1)
    relay.send(2)
    #expect(relay.value == 2)
    relay.value = 3
    #expect(relay.value == 3)
    #expect(relay.swap(4) == 3)
    #expect(relay.value == 4)
    let told = relay.modify { value in
      value += 1
      return "sum"
    }
    #expect(told == "sum")
    #expect(relay.value == 5)
  }

  @Test func `R5 It prints its value, in one line, and that isn't noted`() {
    let relay = StateRelay("a")
    let changes = Log<Int>()
    withObservationTracking {
      #expect("\(relay)" == "StateRelay(a)")
    } onChange: {
      changes.note(1)
    }
    relay.value = "é\n\u{1B}[2J\u{202E}\u{2028}🚃"
    #expect(changes.entries == [])
    #expect("\(relay)" == #"StateRelay(é\u{A}\u{1B}[2J\u{202E}\u{2028}🚃)"#)
    relay.value = String(repeating: "x", count: 2000)
    #expect("\(relay)" == "StateRelay(\(String(repeating: "x", count: 1000))…)")
    var dumped = ""
    dump(StateRelay(7), to: &dumped)
    #expect(dumped == "▿ StateRelay(7) #0\n  - value: 7\n  - subscriptionCount: 0\n")
  }

  @Test func `R5 Every setting is delivered, an equal value too`() {
    let relay = StateRelay(1)
    let log = Log<Int>()
    let token = relay.subscribe { log.note($0) }
    relay.send(2)
    relay.value = 2
    relay.swap(3)
    relay.modify { $0 += 1 }
    #expect(log.entries == [1, 2, 2, 3, 4])
    token.cancel()
  }

  @Test func `R5 A value may be nil`() {
    let relay = StateRelay<Int?>(nil)
    let log = Log<Int?>()
    let token = relay.subscribe { log.note($0) }
    relay.send(1)
    relay.send(nil)
    #expect(relay.value == nil)
    #expect(relay.swap(2) == .some(nil))
    #expect(log.entries == [nil, 1, nil, 2])
    token.cancel()
  }

  @Test func `R5 A callback gets its own value, and value is the latest`() {
    let relay = StateRelay(0)
    let log = Log<[Int]>()
    let first = relay.subscribe { value in
      if value == 1 {
        relay.send(2)
        relay.modify { $0 *= 10 }
      }
    }
    let second = relay.subscribe { log.note([$0, relay.value]) }
    relay.send(1)
    #expect(log.entries == [[0, 0], [1, 20], [2, 20], [20, 20]])
    first.cancel()
    second.cancel()
  }

  @Test @MainActor func `R5 The first value of a hop to the current context comes at once`() {
    let relay = StateRelay(1)
    let log = Log<Int>()
    let token = relay.subscribe(on: .mainActor) { log.note($0) }
    #expect(log.entries == [1])
    token.cancel()
  }

  @Test func `R5 While a delivery runs the first value comes in its turn, once`() {
    let relay = StateRelay(0)
    let log = Log<Int>()
    let later = Box<SubscriptionToken?>(nil)
    let token = relay.subscribe { value in
      guard value == 1 else { return }
      relay.send(2)
      later.value = relay.subscribe { log.note($0) }
      relay.send(3)
      #expect(log.isEmpty)
    }
    relay.send(1)
    #expect(log.entries == [2, 3])
    token.cancel()
  }

  @Test func `R5 A subscriber misses no value and gets none twice, whenever it comes`() {
    let relay = StateRelay(0)
    let isDone = Counter()
    let last = 20_000
    let runs = Log<Log<Int>>()
    let tokens = Log<SubscriptionToken>()
    onThreads(2) { index in
      if index == 0 {
        for value in 1...last { relay.send(value) }
        isDone.set(1)
      } else {
        for _ in 0..<100 where isDone.value == 0 {
          let run = Log<Int>()
          runs.note(run)
          tokens.note(relay.subscribe { run.note($0) })
        }
      }
    }
    for run in runs.entries {
      guard let first = run.entries.first else {
        Issue.record("A subscriber got no first value")
        continue
      }
      #expect(run.entries == Array(first...last))
    }
  }

  @Test func `R5 At rest the last value delivered is the value`() {
    let relays = (0..<2_000).map { _ in StateRelay(0) }
    let seen = relays.map { _ in (0..<10).map { _ in Counter() } }
    let tokens = zip(relays, seen).flatMap { relay, seen in
      seen.map { last in relay.subscribe { last.set($0) } }
    }
    let deadline = Deadline()
    let arrived = Counter()
    // Both threads go as many rounds: one that left alone would leave the other waiting.
    let lastRound = Counter()
    let rounds = Counter()
    onThreads(2) { index in
      for (round, relay) in relays.enumerated() {
        if index == 0 && deadline.isOver && lastRound.value == 0 { lastRound.set(round + 1) }
        arrived.add()
        while arrived.value < 2 * round + 2 {
          CurrentThread.yield()
        }
        if lastRound.value > 0 && round + 1 >= lastRound.value { return }
        relay.send(index + 1)
        relay.send(index + 11)
        rounds.add(index)
      }
    }
    var mismatches = 0
    for (relay, seen) in zip(relays, seen) {
      mismatches += seen.count { $0.value != relay.value }
    }
    print("R5: \(rounds.value) rounds of 10 subscribers, \(mismatches) mismatches")
    #expect(mismatches == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test func `R5 modify is atomic across threads`() {
    let relay = StateRelay(0)
    let log = Log<Int>()
    let token = relay.subscribe { log.note($0) }
    onThreads(4) { _ in
      for _ in 0..<5_000 { relay.modify { $0 += 1 } }
    }
    #expect(relay.value == 20_000)
    #expect(log.entries == Array(0...20_000))
    token.cancel()
  }

  @Test func `R5 swap hands each value on once`() {
    let relay = StateRelay(0)
    let log = Log<Int>()
    onThreads(4) { index in
      for step in 0..<500 { log.note(relay.swap(index * 500 + step + 1)) }
    }
    #expect((log.entries + [relay.value]).sorted() == Array(0...2_000))
  }

  @Test func `R5 modify acts on the latest value inside a callback`() {
    let relay = StateRelay(0)
    let token = relay.subscribe { value in
      if value == 1 {
        relay.send(10)
        relay.modify { $0 += 1 }
      }
    }
    relay.send(1)
    #expect(relay.value == 11)
    token.cancel()
  }

  @Test func `R5 The body of modify runs once`() {
    let relay = StateRelay(0)
    let runs = Counter()
    onThreads(2) { _ in
      for _ in 0..<1_000 {
        relay.modify { value in
          runs.add()
          value += 1
        }
      }
    }
    #expect(runs.value == 2_000)
  }

  @Test func `R5 A modify that throws changes and delivers nothing`() {
    struct Refusal: Error, Equatable {}
    let relay = StateRelay([1])
    let log = Log<[Int]>()
    let token = relay.subscribe { log.note($0) }
    do throws(Refusal) {
      try relay.modify { value throws(Refusal) in
        value.append(2)
        throw Refusal()
      }
      Issue.record("Nothing was thrown")
    } catch {
      #expect(error == Refusal())
    }
    #expect(relay.value == [1])
    relay.modify { $0.append(3) }
    #expect(log.entries == [[1], [1, 3]])
    token.cancel()
  }

  @Test func `R5 Reading never waits for a callback`() {
    let relay = StateRelay(0)
    let token = relay.subscribe { value in
      guard value == 1 else { return }
      let seen = Counter()
      #expect(finishes { seen.set(relay.value) })
      #expect(seen.value == 1)
    }
    relay.send(1)
    token.cancel()
  }

  @Test func `R5 modify may use other relays`() {
    let relay = StateRelay(1)
    let other = StateRelay(2)
    relay.modify { $0 += other.value }
    #expect(relay.value == 3)
  }
}

@Suite struct `R5: using a StateRelay in its own modify traps` {
  private static let message = "A StateRelay is used inside its own modify"

  private func expectMistake(_ output: [UInt8]) {
    #expect(String(decoding: output, as: UTF8.self).contains(Self.message))
  }

  @Test func `R5 Reading the value traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let relay = StateRelay(1)
      relay.modify { $0 = relay.value }
    }
    expectMistake(result.standardErrorContent)
  }

  @Test func `R5 Setting it traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let relay = StateRelay(1)
      relay.modify { _ in relay.send(2) }
    }
    expectMistake(result.standardErrorContent)
  }

  @Test(.timeLimit(.minutes(20))) func `R5 Subscribing traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let relay = StateRelay(1)
      relay.modify { _ in relay.subscribe { _ in }.cancel() }
    }
    expectMistake(result.standardErrorContent)
  }

  @Test(.timeLimit(.minutes(20))) func `R5 Cancelling traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let relay = StateRelay(1)
      let token = relay.subscribe { _ in }
      relay.modify { _ in token.cancel() }
    }
    expectMistake(result.standardErrorContent)
  }
}
