import Dispatch
import Locking
import ListFixtures
import TestSupport
import Testing

@testable import FetchedObjects

/// How what is in a cache is let go of.
enum LettingGo: CaseIterable {
  case replaced, pushedOut, forgotten, allForgotten

  /// Puts an object into a cache, so that only that holds it, and has it let go of.
  func letGo(_ cache: SharedObjectCache<Int, Mark>, _ make: () -> Mark) {
    let generation = cache.objects([]).generation
    cache.insert([(1, make())], readAt: generation)
    switch self {
    case .replaced: cache.insert([(1, Mark(2))], readAt: generation)
    case .pushedOut: cache.insert((2..<20).map { ($0, Mark($0)) }, readAt: generation)
    case .forgotten: cache.forget([1])
    case .allForgotten: cache.forget(nil)
    }
  }
}

@Suite struct SharedObjectCacheTests {
  @Test func `The objects that are kept come with the generation to read the others at`() {
    let cache = SharedObjectCache<Int, String>(capacity: 4)
    let (none, generation) = cache.objects([1, 2])
    #expect(none == [nil, nil])
    cache.insert([(1, "one"), (2, "two")], readAt: generation)
    #expect(cache.objects([2, 3, 1]).found == ["two", nil, "one"])
    #expect(cache.object(1) == "one")
    cache.forget([1])
    cache.insert([(3, "three")], readAt: generation)
    #expect(cache.objects([1, 2, 3]).found == [nil, "two", nil])
    cache.insert([(3, "three")], readAt: cache.objects([]).generation)
    #expect(cache.count == 2)
    cache.forget(nil)
    #expect(cache.count == 0)
  }

  @Test(arguments: LettingGo.allCases)
  func `R3: no lock is held while an object is released`(_ way: LettingGo) {
    let ends = Counter()
    let done = finishes {
      let cache = SharedObjectCache<Int, Mark>(capacity: 4)
      way.letGo(cache) {
        Mark(1) { [weak cache] in
          // Whoever frees it under the cache's lock hangs here.
          _ = cache?.count
          cache?.forget(nil)
          ends.add()
        }
      }
      cache.release()
    }
    #expect(done, "an object is freed under the lock")
    #expect(ends.value == 1)
  }

  @Test func `R3: what is forgotten goes when it is released, or with the next reading`() {
    let cache = SharedObjectCache<Int, Mark>(capacity: 4)
    let alive = Counter()
    func fill() {
      let marks = (0..<4).map { number in
        alive.add()
        return (number, Mark(number) { alive.add(-1) })
      }
      cache.insert(marks, readAt: cache.objects([]).generation)
    }
    fill()
    // A commit that is being taken in forgets under a lock of the store's.
    cache.forget([0, 1])
    cache.forget([2])
    #expect(cache.count == 1)
    #expect(alive.value == 4)
    cache.release()
    #expect(alive.value == 1)
    cache.forget(nil)
    #expect(alive.value == 1)
    #expect(cache.objects([3]).found.compactMap { $0 }.isEmpty)
    #expect(alive.value == 0)
  }

  @Test func `With others forgetting, nothing is kept that was read before`() {
    let cache = SharedObjectCache<Int, Int>(capacity: 8)
    let truth = Locked([Int](repeating: 0, count: 4))
    let (wrong, hits, isOver) = (Counter(), Counter(), Counter())
    onThreads(3) { thread in
      if thread == 0 {
        for round in 1...5000 {
          // This thread alone changes the truth, so a kept value is the last one.
          for key in 0..<4 {
            guard let kept = cache.object(key) else { continue }
            hits.add()
            if kept != truth.withLock({ $0[key] }) { wrong.add() }
          }
          truth.withLock { $0[round % 4] = round }
          cache.forget([round % 4])
          // Each time something is forgotten, the others' reads are void, so they get a rest.
          if round % 10 == 0 { expectTrue(becomesTrueBlocking { cache.count > 0 }) }
        }
        isOver.set(1)
      } else {
        var round = 0
        while isOver.value == 0 {
          round += 1
          let key = round % 4
          let (found, generation) = cache.objects([key])
          guard found[0] == nil else { continue }
          let read = truth.withLock { $0[key] }
          // Time for a commit.
          for other in 10..<30 { _ = cache.object(other) }
          cache.insert([(key, read)], readAt: generation)
        }
      }
    }
    #expect(wrong.value == 0)
    #expect(hits.value >= 100)
  }
}
