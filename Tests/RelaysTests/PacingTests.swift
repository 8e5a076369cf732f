import Locking
import Relays
import SignalboxTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `R7: operators take a clock that is passed in` {
  /// Sends each value at its time and gives what has come when the time is over.
  ///
  /// Before each step it waits for what the model says has come by then, so that the timer has run;
  /// with `isPrompt` false it doesn't, so that the timer runs when it likes.
  private func run(
    _ script: [(at: Int, value: Int)], expecting model: [(at: Int, value: Int)],
    isPrompt: Bool = true,
    _ pace: (Signal<Int>, ManualClock) -> Signal<Int>
  ) async -> [Int] {
    let clock = ManualClock()
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = pace(relay.signal, clock).subscribe { log.note($0) }
    for (time, value) in script {
      clock.advance(to: .init(offset: .seconds(time)))
      if isPrompt {
        let count = model.count { $0.at <= time && !($0.at == time && $0.value == value) }
        _ = await becomesTrue { log.entries.count >= count }
      }
      relay.send(value)
    }
    clock.advance(by: .seconds(1000))
    _ = await becomesTrue { log.entries.count >= model.count }
    await Task.yield()
    withExtendedLifetime(token) {}
    return log.entries
  }

  // MARK: Models, on whole seconds

  private func debounced(_ script: [(at: Int, value: Int)], _ interval: Int) -> [(Int, Int)] {
    script.indices.compactMap { index in
      let due = script[index].at + interval
      if index + 1 < script.count && script[index + 1].at < due { return nil }
      return (due, script[index].value)
    }
  }

  private func throttled(
    _ script: [(at: Int, value: Int)], _ interval: Int, latest: Bool
  ) -> [(Int, Int)] {
    var result: [(Int, Int)] = []
    var open: Int?
    var waiting: Int?
    // One second after another; spans end before what comes at the same time.
    for time in 0...(script.last?.at ?? 0) + 2 * interval + 1 {
      if let end = open, end <= time {
        open = nil
        if let value = waiting {
          result.append((time, value))
          open = time + interval
          waiting = nil
        }
      }
      for (_, value) in script where script.contains(where: { $0.at == time && $0.value == value })
      {
        if open == nil {
          result.append((time, value))
          open = time + interval
        } else if waiting == nil || latest {
          waiting = value
        }
      }
    }
    return result
  }

  /// Every way for up to five values to come within seven seconds, one a second at most.
  private var scripts: [[(at: Int, value: Int)]] {
    subsets(of: Array(0..<7)).filter { $0.count <= 5 }.map { times in
      times.enumerated().map { (at: $0.element, value: $0.offset) }
    }
  }

  @Test func `A debounced value comes when nothing else has come for the interval`() async {
    for script in scripts {
      for interval in 1...3 {
        let model = debounced(script, interval)
        for isPrompt in [true, false] {
          let seen = await run(script, expecting: model, isPrompt: isPrompt) {
            $0.debounce(for: .seconds(interval), clock: $1)
          }
          expectEqual(seen, model.map { $0.1 }, "\(script), \(interval), \(isPrompt)")
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `A throttled value comes at once, or at the end of the span`(latest: Bool) async {
    for script in scripts {
      for interval in 1...3 {
        let model = throttled(script, interval, latest: latest)
        for isPrompt in [true, false] {
          let seen = await run(script, expecting: model, isPrompt: isPrompt) {
            $0.throttle(for: .seconds(interval), clock: $1, latest: latest)
          }
          expectEqual(seen, model.map { $0.1 }, "\(script), \(interval), \(isPrompt)")
        }
      }
    }
  }

  /// A clock of which nobody who sleeps ever wakes, as if no timer got to run.
  private struct SleeplessClock: Clock {
    let time = ManualClock()
    private let never = ManualClock()

    var now: ManualClock.Instant { time.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await never.sleep(until: .init(offset: .seconds(1)))
    }
  }

  @Test func `What is due comes before the next value, also if no timer gets to run`() {
    // Two values may come in one second.
    for times in sequences(of: Array(0..<5), upTo: 4) where times == times.sorted() {
      let script = times.enumerated().map { (at: $0.element, value: $0.offset) }
      for interval in 1...3 {
        for pace in 0..<3 {
          let clock = SleeplessClock()
          let relay = Relay<Int>()
          let log = Log<Int>()
          let model: [(Int, Int)]
          let signal: Signal<Int>
          if pace == 0 {
            model = debounced(script, interval)
            signal = relay.debounce(for: .seconds(interval), clock: clock)
          } else {
            model = throttled(script, interval, latest: pace == 2)
            signal = relay.throttle(for: .seconds(interval), clock: clock, latest: pace == 2)
          }
          let token = signal.subscribe { log.note($0) }
          for (time, value) in script {
            clock.time.advance(to: .init(offset: .seconds(time)))
            relay.send(value)
            // What waits may be replaced before its time, so only what has come counts.
            let expected = model.filter { $0.0 <= time && $0.1 <= value }.map { $0.1 }
            expectEqual(log.entries, expected, "\(script), \(interval), \(pace), at \(time)")
          }
          token.cancel()
        }
      }
    }
  }

  @Test func `R4 After a cancel in the callback of a value that was due, no other one begins`() {
    let clock = SleeplessClock()
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = Box<SubscriptionToken?>(nil)
    let throttled = relay.throttle(for: .seconds(1), clock: clock)
    token.value = throttled.handleEvents(receiveOutput: { log.note($0) })
      .subscribe { if $0 == 2 { token.value?.cancel() } }
    relay.send(1)
    relay.send(2)
    clock.time.advance(to: .init(offset: .seconds(5)))
    relay.send(3)
    #expect(log.entries == [1, 2])
  }

  // MARK: Ends

  @Test func `When nothing more can come, what waits comes at once`() async {
    for pace in 0..<3 {
      let clock = ManualClock()
      var iterator: AsyncStream<Int>.Iterator
      do {
        let relay = Relay<Int>()
        iterator = paced(relay.signal, clock, pace).values().makeAsyncIterator()
        for value in 1...3 { relay.send(value) }
      }
      var seen: [Int] = []
      while let value = await iterator.next() { seen.append(value) }
      #expect(seen == [[3], [1, 2], [1, 3]][pace])
    }
  }

  private func paced(_ signal: Signal<Int>, _ clock: ManualClock, _ pace: Int) -> Signal<Int> {
    switch pace {
    case 0: signal.debounce(for: .seconds(1), clock: clock)
    default: signal.throttle(for: .seconds(1), clock: clock, latest: pace == 2)
    }
  }

  @Test func `R4 R7 After cancel nothing comes and nothing is held`() async {
    for pace in 0..<3 {
      let tracker = LifetimeTracker()
      let clock = ManualClock()
      let relay = Relay<LifetimeTracker.Tracked>()
      let log = Log<Int>()
      let captured = Box<LifetimeTracker.Tracked?>(tracker.track())
      let token: SubscriptionToken
      do {
        let signal: Signal<LifetimeTracker.Tracked> =
          switch pace {
          case 0: relay.debounce(for: .seconds(1), clock: clock)
          default: relay.throttle(for: .seconds(1), clock: clock, latest: pace == 2)
          }
        token = signal.subscribe { [object = captured.take(leaving: nil)] _ in
          log.note(1)
          _ = object
        }
      }
      for _ in 0..<3 { relay.send(tracker.track()) }
      let before = log.entries.count
      await clock.waitForSleepers()
      token.cancel()
      #expect(tracker.aliveCount == 0)
      // Nobody waits for the time any more, long before it has come.
      #expect(clock.sleeperCount == 0)
      clock.advance(by: .seconds(10))
      relay.send(tracker.track())
      #expect(log.entries.count == before)
      #expect(tracker.aliveCount == 0)
      withExtendedLifetime(token) {}
    }
  }

  /// The system's clock, which counts those that sleep on it.
  private struct CountingClock: Clock {
    let sleepers = Counter()
    let ended = Counter()
    private let base = ContinuousClock()

    var now: ContinuousClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      sleepers.add()
      defer { ended.add() }
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test func `R7 A dropped token ends its sleep on the clock`() async {
    let clock = CountingClock()
    let relay = Relay<Int>()
    for _ in 0..<100 {
      let token = relay.debounce(for: .seconds(3600), clock: clock).subscribe { _ in }
      relay.send(1)
      withExtendedLifetime(token) {}
    }
    // A task that is cancelled before it runs sleeps, too, and ends at once.
    let isOver = await becomesTrue { clock.sleepers.value == 100 && clock.ended.value == 100 }
    #expect(isOver)
  }

  @Test(arguments: [20_000_000_000, Int64.max])
  func `R7 A wait of centuries ends with the relay`(_ seconds: Int64) async throws {
    let clock = CountingClock()
    var relay: Relay<Int>? = Relay()
    let log = Log<Int>()
    let token = relay?.debounce(for: .seconds(seconds), clock: clock).subscribe { log.note($0) }
    relay?.send(1)
    #expect(await becomesTrue { clock.sleepers.value == 1 })
    try await Task.sleep(for: .milliseconds(50))
    #expect(clock.sleepers.value == 1 && clock.ended.value == 0)
    #expect(log.entries.isEmpty)
    relay = nil
    #expect(log.entries == [1])
    withExtendedLifetime(token) {}
  }

  @Test func `R7 A value comes at its time, also if that is more than one sleep away`() async {
    let script: [(at: Int, value: Int)] = [(0, 1), (1, 2), (3_500_000_000, 3), (4_000_000_000, 4)]
    let seen = await run(script, expecting: [(0, 1), (4_000_000_000, 3)]) {
      $0.throttle(for: .seconds(4e9), clock: $1)
    }
    #expect(seen == [1, 3])
  }

  @Test func `R6 What waits doesn't keep the relay alive`() {
    weak var weakRelay: Relay<Int>?
    let token: SubscriptionToken
    do {
      let relay = Relay<Int>()
      weakRelay = relay
      token = relay.debounce(for: .seconds(1), clock: ManualClock()).subscribe { _ in }
      relay.send(1)
    }
    #expect(weakRelay == nil)
    withExtendedLifetime(token) {}
  }

  @Test func `One timer runs at a time, and none when nothing waits`() async {
    let clock = ManualClock()
    let relay = Relay<Int>()
    let log = Log<Int>()
    let token = relay.debounce(for: .seconds(1), clock: clock).subscribe { log.note($0) }
    for round in 1...20 {
      for value in 0..<100 { relay.send(value) }
      await clock.waitForSleepers()
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .seconds(1))
      let hasCome = await becomesTrue { log.entries.count == round }
      #expect(hasCome)
      let isIdle = await becomesTrue { clock.sleeperCount == 0 }
      #expect(isIdle)
    }
    withExtendedLifetime(token) {}
  }

  @Test func `R1 Values from several threads come one at a time, in order, none twice`() async {
    let clock = ManualClock()
    let relay = Relay<Int>()
    let log = Log<Int>()
    let inside = Counter()
    let overlaps = Counter()
    let token = relay.throttle(for: .milliseconds(1), clock: clock, latest: true).subscribe {
      if inside.add(1) != 1 { overlaps.add(1) }
      log.note($0)
      inside.add(-1)
    }
    let next = Counter()
    onThreads(3) { thread in
      for _ in 0..<2000 {
        if thread == 0 { clock.advance(by: .milliseconds(1)) } else { relay.send(next.add(1)) }
      }
    }
    clock.advance(by: .seconds(1))
    let isIdle = await becomesTrue { clock.sleeperCount == 0 }
    #expect(isIdle)
    #expect(overlaps.value == 0)
    // Once: the last one may be on its way still.
    let entries = log.entries
    #expect(Set(entries).count == entries.count)
    #expect(!entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  /// A clock whose times use relays, as many as share locks.
  private struct BusyClock: Clock {
    struct Instant: InstantProtocol {
      static let relays = (0..<256).map { _ in Relay<Int>() }
      var base: ManualClock.Instant

      func advanced(by duration: Duration) -> Instant {
        use()
        return Instant(base: base.advanced(by: duration))
      }

      func duration(to other: Instant) -> Duration { base.duration(to: other.base) }

      static func < (left: Instant, right: Instant) -> Bool {
        left.use()
        return left.base < right.base
      }

      private func use() { for relay in Self.relays { relay.subscribe { _ in }.cancel() } }
    }

    let manual = ManualClock()
    var now: Instant { Instant(base: manual.now) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await manual.sleep(until: deadline.base)
    }
  }

  @Test func `R3 No lock is held while a clock's times are compared`() {
    #expect(
      finishes {
        let clock = BusyClock()
        let relay = Relay<Int>()
        let tokens = [
          relay.debounce(for: .seconds(1), clock: clock),
          relay.throttle(for: .seconds(1), clock: clock),
        ].map { $0.subscribe { _ in } }
        for value in 0..<5 {
          relay.send(value)
          clock.manual.advance(by: .seconds(1))
        }
        for token in tokens { token.cancel() }
      })
  }

  @Test func `An interval that ends before it begins is refused`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Relay<Int>().debounce(for: .seconds(-1)) }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("ends before it begins"))
  }
}
