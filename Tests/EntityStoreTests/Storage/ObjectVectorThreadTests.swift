import Locking
import TestSupport
import Testing

@testable import EntityStore

@Suite struct `Versions of a vector end on any thread` {
  /// An object with a value, whose end is noticed.
  private final class Cell: Sendable {
    let value: Int
    let tracked: LifetimeTracker.Tracked

    init(_ value: Int, _ tracker: LifetimeTracker) {
      self.value = value
      tracked = tracker.track()
    }
  }

  @Test func `A large version that ends leaves its neighbours as they are`() {
    withEvery("seed", in: seeds(6)) { seed in
      LifetimeTracker.check { tracker in
        let count = 40_000
        var versions = [UnsafeObjectVector((0..<count).map { Cell($0, tracker) })]
        var values = [Array(0..<count)]
        var generator = SeededGenerator(seed: seed)
        // Each has other objects in all of the pieces that are compared at once.
        for version in 1...5 {
          var (next, expected) = (versions[version - 1], values[version - 1])
          next.beginChanges()
          for number in stride(from: version, to: count, by: 97) {
            next.set(Cell(-number * version, tracker), at: number)
            expected[number] = -number * version
          }
          next.endChanges()
          versions.append(next)
          values.append(expected)
        }
        // All but two end at once, in any order.
        let kept = (0..<versions.count).shuffled(using: &generator).prefix(2)
        let held = kept.map { (versions[$0], values[$0]) }
        let threads = versions.shuffled(using: &generator).map { vector in
          let version = Locked<UnsafeObjectVector<Cell>?>(vector)
          return TestThread {
            let last = version.withLock { $0.take() }
            withExtendedLifetime(last) {}
          }
        }
        versions = []
        for thread in threads { thread.join() }
        var found: Set<ObjectIdentifier> = []
        for (vector, values) in held {
          for number in 0..<count {
            expectEqual(vector[number]?.value, values[number])
            if let cell = vector[number] { found.insert(ObjectIdentifier(cell)) }
          }
        }
        expectEqual(tracker.aliveCount, found.count)
      }
    }
  }

  @Test func `Versions that threads take, change and drop keep what they have`() {
    withEvery("seed", in: seeds(10)) { seed in
      LifetimeTracker.check { tracker in
        let shared = Locked(UnsafeObjectVector((0..<2_000).map { Cell($0, tracker) }))
        let threads = (0..<4).map { thread in
          TestThread {
            var generator = SeededGenerator(seed: seed * 4 + thread)
            var own = shared.withLock { $0 }
            for step in 0..<200 {
              let number = Int.random(in: 0..<2_000, using: &generator)
              let value = thread * 1_000 + step
              own.beginChanges()
              own.set(Cell(value, tracker), at: (number + 1_000) % 2_000)
              own.set(Cell(value, tracker), at: number)
              own.endChanges()
              expectEqual(own[number]?.value, value)
              switch step % 5 {
              case 0:
                let copy = own
                // The previous one is released here and not under the lock.
                let former = shared.withLock { shared in
                  defer { shared = copy }
                  return shared
                }
                expectEqual(own[number]?.value, value)
                withExtendedLifetime(former) {}
              case 2: own = shared.withLock { $0 }
              default: break
              }
            }
          }
        }
        for thread in threads { thread.join() }
        // The threads may keep their closures for a moment longer.
        let last = shared.withLock { vector in
          defer { vector = UnsafeObjectVector() }
          return vector
        }
        // No number is ever without an object.
        let found = Set((0..<2_000).compactMap { last[$0].map(ObjectIdentifier.init) })
        expectEqual(tracker.aliveCount, found.count)
        expectEqual(found.count, 2_000)
      }
    }
  }
}
