import Relays
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `for await over a signal` {
  private func drain(_ values: SignalValues<Int>) async -> [Int] {
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    return seen
  }

  @Test func `What is kept while the loop is busy is what the policy says`() async {
    let policies: [(Buffering, [Int])] = [
      (.unbounded, Array(0..<10)), (.newest(3), [7, 8, 9]), (.oldest(3), [0, 1, 2]),
      (.newest(1), [9]), (.newest(0), []), (.oldest(0), []),
    ]
    for (policy, expected) in policies {
      let values: SignalValues<Int>
      do {
        let relay = Relay<Int>()
        values = relay.values(buffering: policy)
        for value in 0..<10 { relay.send(value) }
      }
      expectEqual(await drain(values), expected, "\(policy)")
    }
  }

  @Test func `R6 It ends after the last value of first and prefix, while the relay lives`() async {
    let relay = StateRelay(1)
    let prefixes = (0...3).map { relay.prefix($0).values() }
    let first = relay.first().values()
    for value in 2...5 { relay.send(value) }
    for (count, values) in prefixes.enumerated() {
      expectEqual(await drain(values), Array(1...3).prefix(count).map { $0 })
    }
    #expect(await drain(first) == [1])
    #expect(await drain(relay.first { $0 > 4 }.values()) == [5])
  }

  @Test func `Each further loop begins a subscription of its own`() async {
    let relay = StateRelay(1)
    let values = relay.prefix(2).values()
    relay.send(2)
    relay.send(3)
    #expect(await drain(values) == [1, 2])
    let again = Task { await drain(values) }
    let sender = Task {
      while !Task.isCancelled {
        relay.send(4)
        await Task.yield()
      }
    }
    #expect(await again.value.count == 2)
    sender.cancel()
  }

  @Test func `Two loops at once over the same values are no mistake`() async {
    let relay = StateRelay(0)
    let values = relay.values()
    let loops = (0..<4).map { _ in
      Task {
        for await value in values where value == 100 { return true }
        return false
      }
    }
    let sender = Task {
      while !Task.isCancelled {
        relay.send(100)
        await Task.yield()
      }
    }
    for loop in loops { #expect(await loop.value) }
    sender.cancel()
  }

  @Test func `Values that aren't taken are released with their sequence`() {
    LifetimeTracker.check { tracker in
      let relay = Relay<LifetimeTracker.Tracked>()
      do {
        let values = relay.values()
        relay.send(tracker.track())
        withExtendedLifetime(values) {}
      }
    }
  }

  @Test func `A buffer for fewer than no values is refused`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Relay<Int>().values(buffering: .newest(-1)) }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("can't keep -1 values"))
  }
}
