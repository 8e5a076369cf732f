import CSlowDisk
import Dispatch
import EntityStore
import Foundation
import SQLitePersistence

extension BenchmarkSuite {
  /// What a commit that survives the loss of power costs where several write: they share their syncs.
  ///
  /// Both sides make the same commits of one object each, with `.full`. On the slow disk a sync takes 2
  /// milliseconds more than on this machine's.
  static let groupCommit = BenchmarkSuite {
    let quickDisk = KnownMiss(0.5, "where a sync takes little there is little to share")
    for (name, delay, known) in [
      ("group-commit", 0, quickDisk), ("group-commit-slow-disk", 2000, nil),
    ] {
      Benchmark(
        "SQLitePersistence/\(name)/8writers", size: 8, unit: .microseconds, aim: 0.4,
        knownMiss: known,
        measured: .timed {
          let scene = try writers(8, delay)
          return { stopwatch in try scene.commit(800, &stopwatch) }
        },
        baseline: .timed("one writer") {
          let scene = try writers(1, delay)
          return { stopwatch in try scene.commit(800, &stopwatch) }
        })
    }
  }
}

private func writers(_ count: Int, _ delay: Int) throws -> Writers {
  let file = try FileOfItems(10_000)
  slow_disk_use(Int32(delay))
  defer { slow_disk_use(0) }
  return Writers(count, try file.store(.full), keeping: file)
}

/// Threads that commit to one store, each to objects of its own.
final class Writers {
  private let store: Store
  private let count: Int
  private let kept: Any

  init(_ count: Int, _ store: Store, keeping kept: Any = ()) {
    (self.count, self.store, self.kept) = (count, store, kept)
  }

  /// Makes so many commits, shared out among the threads.
  func commit(_ commits: Int, _ stopwatch: inout Stopwatch) throws {
    let each = commits / count
    let (ready, start, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let failures = Failures()
    for writer in 0..<count {
      Thread.detachNewThread { [store] in
        ready.signal()
        start.wait()
        do {
          for index in 0..<each {
            try store.commit { draft in
              try draft.update(Item.self, writer * 1000 + index) { $0.number &+= 1 }
            }
          }
        } catch { failures.note(error) }
        done.signal()
      }
    }
    for _ in 0..<count { ready.wait() }
    try stopwatch.measure(operations: each * count) {
      for _ in 0..<count { start.signal() }
      for _ in 0..<count { done.wait() }
      try failures.check()
    }
  }
}

/// The first error that a thread has met.
private final class Failures: @unchecked Sendable {
  // @unchecked: it is used under its lock.
  private let lock = NSLock()
  private var first: (any Error)?

  func note(_ error: any Error) { lock.withLock { first = first ?? error } }

  func check() throws {
    if let error = lock.withLock({ first }) { throw error }
  }
}
