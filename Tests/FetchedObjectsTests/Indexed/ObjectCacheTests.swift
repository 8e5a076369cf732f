import ListFixtures
import TestSupport
import Testing

@testable import FetchedObjects

@Suite struct ObjectCacheTests {
  @Test func `A cache has no more than its capacity, and those that were used last`() {
    withEvery("capacity", in: 0..<9) { capacity in
      withEvery("seed", in: seeds(20)) { seed in
        var random = SeededGenerator(seed: seed)
        var cache = ObjectCache<Int, String>(capacity: capacity)
        // All that may be here, the last used first.
        var used: [Int] = []
        for _ in 0..<200 {
          let key = Int.random(in: 0..<12, using: &random)
          if random.chance(0.5) {
            _ = cache.insert("\(key)", for: key, readAt: cache.generation)
          } else if cache.object(key) == nil {
            expectTrue(!used.contains(key), "\(key) is lost")
            continue
          }
          used.removeAll { $0 == key }
          used.insert(key, at: 0)
          // What is there more than fits goes with all of the older half.
          if used.count > capacity { used.removeSubrange(((capacity + 1) / 2)...) }
          expectEqual(cache.count, used.count)
        }
        expectEqual(used.map { cache.object($0) }, used.map { "\($0)" })
      }
    }
  }

  @Test func `Removed objects are handed out, so that the caller frees them`() {
    withEvery("capacity", in: 0..<5) { capacity in
      let alive = Counter()
      var cache = ObjectCache<Int, Mark>(capacity: capacity)
      func make(_ number: Int) -> Mark {
        alive.add()
        return Mark(number) { alive.add(-1) }
      }
      for number in 0..<20 {
        let mark = make(number)
        let count = alive.value
        let left = cache.insert(mark, for: number % 7, readAt: cache.generation)
        // Nothing goes while the caller has what was handed out.
        expectEqual(alive.value, count)
        withExtendedLifetime((mark, left)) {}
      }
      expectEqual(alive.value, cache.count)
      let count = cache.count
      var forgotten = cache.forget(Array(0..<3))
      expectEqual(alive.value, count)
      expectEqual(forgotten.count + cache.count, count)
      forgotten += cache.forget(nil)
      expectEqual(forgotten.count, count)
      expectEqual(cache.count, 0)
      expectEqual(alive.value, count)
      forgotten = []
      expectEqual(alive.value, 0)
    }
  }

  @Test func `What was read before anything was forgotten isn't taken in after`() {
    var cache = ObjectCache<Int, String>(capacity: 5)
    let early = cache.generation
    _ = cache.insert("first", for: 1, readAt: early)
    _ = cache.insert("second", for: 2, readAt: early)
    #expect(cache.forget([2]) == ["second"])
    #expect(cache.insert("old", for: 2, readAt: early) == [])
    #expect(cache.object(2) == nil)
    // Another one stays, and an old reading doesn't replace it.
    #expect(cache.insert("old", for: 1, readAt: early) == [])
    #expect(cache.object(1) == "first")
    #expect(cache.insert("new", for: 1, readAt: cache.generation) == ["first"])
    let late = cache.generation
    #expect(cache.forget([]) == [])
    #expect(cache.insert("old", for: 3, readAt: late) == [], "forgetting none counts, too")
    #expect(cache.forget(nil) == ["new"])
    #expect(cache.count == 0)
  }
}
