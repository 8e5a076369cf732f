import Foundation
import Relays

extension BenchmarkSuite {
  /// A value to each subscriber, against a plain array of closures under a lock.
  static let relays = BenchmarkSuite {
    for (count, aim, nanoseconds) in [(1, 0.7, 15.0), (10, 0.9, 30), (100, 1.1, 300)] {
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
        "Relays/subscribe and cancel/\(live)", absoluteAim: 120,
        measured: .loop {
          let relay = Relay<Int>()
          let counter = Counter()
          let tokens = (0..<live).map { _ in relay.subscribe { counter.value &+= $0 } }
          return { iterations in
            for _ in 0..<iterations { relay.subscribe { counter.value &+= $0 }.cancel() }
            blackHole(tokens)
          }
        },
        baseline: .loop("closure array") {
          let list = ClosureArray()
          let counter = Counter()
          for _ in 0..<live { list.add { counter.value &+= $0 } }
          return { iterations in
            for _ in 0..<iterations {
              list.add { counter.value &+= $0 }
              list.removeLast()
            }
          }
        })
    }
  }
}

@inline(never) private func send(to relay: Relay<Int>, _ iterations: Int) {
  for value in 0..<iterations { relay.send(value) }
}

@inline(never) private func send(to list: ClosureArray, _ iterations: Int) {
  for value in 0..<iterations { list.send(value) }
}

/// What subscribers add to.
///
/// One thread uses it.
private final class Counter: @unchecked Sendable {
  var value = 0
}

/// What one would write without a library: closures in an array under a lock, called outside it.
private final class ClosureArray: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var closures: [@Sendable (Int) -> Void] = []

  init() { pthread_mutex_init(lock, nil) }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func add(_ closure: @escaping @Sendable (Int) -> Void) {
    pthread_mutex_lock(lock)
    closures.append(closure)
    pthread_mutex_unlock(lock)
  }

  func removeLast() {
    pthread_mutex_lock(lock)
    closures.removeLast()
    pthread_mutex_unlock(lock)
  }

  func send(_ value: Int) {
    pthread_mutex_lock(lock)
    let closures = closures
    pthread_mutex_unlock(lock)
    for closure in closures { closure(value) }
  }
}
