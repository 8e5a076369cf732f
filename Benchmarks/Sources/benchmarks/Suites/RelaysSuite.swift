import Foundation
import Relays

extension BenchmarkSuite {
  /// Relays and their operators, against what one would write without a library.
  static let relays = BenchmarkSuite {
    for (count, aim, nanoseconds) in [
      (1, 0.7, 15.0), (10, 0.9, 30), (100, 1.1, 300), (1000, 1.1, 3000),
    ] {
      Benchmark(
        "Relays/send/\(count)", aim: aim, absoluteAim: nanoseconds,
        measured: .loop {
          let relay = Relay<Int>()
          let counter = Counter()
          let tokens = (0..<count).map { _ in relay.subscribe { counter.value &+= $0 } }
          return { iterations in
            send(to: relay, iterations)
            blackHole(tokens)
          }
        },
        baseline: .loop("closure array") {
          let list = ClosureArray()
          let counter = Counter()
          for _ in 0..<count { list.add { counter.value &+= $0 } }
          return { iterations in send(to: list, iterations) }
        })
    }
    for live in [0, 1000] {
      Benchmark(
        "Relays/subscribe-cancel/\(live)", aim: 2, absoluteAim: 120,
        measured: .loop {
          let relay = Relay<Int>()
          let counter = Counter()
          let tokens = (0..<live).map { _ in relay.subscribe { counter.value &+= $0 } }
          return { iterations in
            subscribeAndCancel(at: relay, counter, iterations)
            blackHole(tokens)
          }
        },
        baseline: .loop("token array") {
          let list = TokenArray()
          let counter = Counter()
          for _ in 0..<live { _ = list.add { counter.value &+= $0 } }
          return { iterations in subscribeAndCancel(at: list, counter, iterations) }
        })
    }
    Benchmark(
      "Relays/map-filter-map/1", aim: 1.6, absoluteAim: 50,
      measured: .loop {
        let relay = Relay<Int>()
        let counter = Counter()
        let token = relay.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &* 3 }
          .subscribe { counter.value &+= $0 }
        return { iterations in
          send(to: relay, iterations)
          blackHole(token)
        }
      },
      baseline: .loop("composed closures") {
        let list = ClosureArray()
        let counter = Counter()
        let last = mapping({ $0 &* 3 }, then: { counter.value &+= $0 })
        list.add(mapping({ $0 &+ 1 }, then: filtering({ $0 >= 0 }, then: last)))
        return { iterations in send(to: list, iterations) }
      })
    Benchmark(
      "Relays/combineLatest/2", absoluteAim: 60,
      measured: .loop {
        let (left, right) = (Relay<Int>(), Relay<Int>())
        let counter = Counter()
        let token = combineLatest(left, right).subscribe { counter.value &+= $0 &+ $1 }
        right.send(1)
        return { iterations in
          send(to: left, iterations)
          blackHole((token, right))
        }
      },
      baseline: .loop("two slots under a lock") {
        let slots = TwoSlots()
        let counter = Counter()
        slots.sink = { counter.value &+= $0 &+ $1 }
        return { iterations in for value in 0..<iterations { slots.setLeft(value) } }
      })
    Benchmark(
      "Relays/two-threads/10", absoluteAim: 200,
      measured: .loop {
        let relay = Relay<Int>()
        let tokens = (0..<10).map { _ in relay.subscribe { swallow($0) } }
        return { iterations in
          onTwoThreads { send(to: relay, iterations / 2) }
          blackHole(tokens)
        }
      },
      baseline: .loop("closure array") {
        let list = ClosureArray()
        for _ in 0..<10 { list.add { swallow($0) } }
        return { iterations in onTwoThreads { send(to: list, iterations / 2) } }
      })
    Benchmark(
      "Relays/contended-send/2x100000", size: 100_000, unit: .microseconds, aim: 3,
      measured: .figure {
        let relay = Relay<Int>()
        let token = relay.subscribe { work($0) }
        return {
          defer { blackHole(token) }
          return medianOfLongestSends { relay.send($0) }
        }
      },
      baseline: .figure("closure array") {
        let list = ClosureArray()
        list.add { work($0) }
        return { medianOfLongestSends { list.send($0) } }
      })
  }
}

@inline(never) private func send(to relay: Relay<Int>, _ iterations: Int) {
  for value in 0..<iterations { relay.send(value) }
}

@inline(never) private func send(to list: ClosureArray, _ iterations: Int) {
  for value in 0..<iterations { list.send(value) }
}

@inline(never)
private func subscribeAndCancel(at relay: Relay<Int>, _ counter: Counter, _ iterations: Int) {
  for _ in 0..<iterations { relay.subscribe { counter.value &+= $0 }.cancel() }
}

@inline(never)
private func subscribeAndCancel(at list: TokenArray, _ counter: Counter, _ iterations: Int) {
  for _ in 0..<iterations { list.remove(list.add { counter.value &+= $0 }) }
}

@inline(never)
private func mapping(
  _ transform: @escaping @Sendable (Int) -> Int, then next: @escaping @Sendable (Int) -> Void
) -> @Sendable (Int) -> Void {
  { next(transform($0)) }
}

@inline(never)
private func filtering(
  _ isIncluded: @escaping @Sendable (Int) -> Bool, then next: @escaping @Sendable (Int) -> Void
) -> @Sendable (Int) -> Void {
  { if isIncluded($0) { next($0) } }
}

private func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread {
      body()
      ended.signal()
    }.start()
  }
  for _ in 0..<2 { ended.wait() }
}

/// The median of five rounds, since one round's longest is often the machine's.
private func medianOfLongestSends(_ send: @escaping @Sendable (Int) -> Void) -> Double {
  (0..<5).map { _ in longestSend(send) }.sorted()[2]
}

/// How long the longest send of a thread took, in microseconds, that sends now and then beside two threads which
/// send 100,000 values each as fast as they can.
private func longestSend(_ send: @escaping @Sendable (Int) -> Void) -> Double {
  let clock = MonotonicClock.system
  let isOver = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread {
      for value in 0..<100_000 { send(value) }
      isOver.signal()
    }.start()
  }
  var longest: UInt64 = 0
  var ended = 0
  while ended < 2 {
    let start = clock.now()
    send(-1)
    longest = max(longest, clock.now() - start)
    while isOver.wait(timeout: .now() + .microseconds(200)) == .success { ended += 1 }
  }
  return Double(longest) / 1000
}

/// A subscriber that works for about a microsecond, and may be called by several threads.
@inline(never) @_optimize(none) private func work(_ value: Int) {
  var sum = value
  var step = 0
  // A range's iterator isn't specialised here, and takes ten times as long.
  while step < 500 {
    sum &+= step
    step &+= 1
  }
}

/// A subscriber that keeps nothing, so that two threads may call it.
@inline(never) @_optimize(none) private func swallow(_ value: Int) {}
