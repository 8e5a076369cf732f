import EntityStore
@testable import FetchedObjects
import TestSupport
import Testing

/// A key whose hash says little.
private struct Colliding: Hashable, Sendable, CustomStringConvertible {
  let number: Int
  /// How many hash values there are.
  let spread: Int

  static func == (a: Colliding, b: Colliding) -> Bool { a.number == b.number }

  /// `hashValue` is what the map asks for; a hasher would spread it again.
  var hashValue: Int { number % spread }

  func hash(into hasher: inout Hasher) { hasher.combine(number % spread) }

  var description: String { "\(number)" }
}

/// A key whose hash values differ in the last bits that the trie looks at, or beyond.
private struct Deep: Hashable, Sendable {
  let number: Int

  var hashValue: Int { number << 54 }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@Suite struct `A persistent map is a dictionary whose copies never change` {
  @Test(arguments: [1, 2, 3, 4])
  func `Random changes agree with Dictionary though hashes collide`(_ spread: Int) {
    withEvery("seed", in: 0..<20) { seed in
      checkRandom(seed: seed, rounds: 400) { Colliding(number: $0, spread: spread) }
    }
  }

  @Test func `Random changes agree with Dictionary for hashes that differ late or not at all`() {
    withEvery("seed", in: 0..<20) { seed in
      checkRandom(seed: seed, rounds: 400) { Deep(number: $0) }
    }
  }

  @Test func `Random changes agree with Dictionary for stored values`() {
    withEvery("seed", in: 0..<20) { seed in
      checkRandom(seed: seed, rounds: 400) { number in
        number % 2 == 0
          ? StoredValue.integer(Int64(number)) : .text("\(number)e\u{301}")
      }
    }
  }

  /// 64 keys, snapshots now and then, all compared at the end.
  private func checkRandom<Key: Hashable & Sendable>(
    seed: Int, rounds: Int, _ key: (Int) -> Key
  ) {
    var generator = SeededGenerator(seed: seed)
    var map = PersistentMap<Key, Int>()
    var expected: [Key: Int] = [:]
    var snapshots: [(PersistentMap<Key, Int>, [Key: Int])] = []
    for round in 0..<rounds {
      let key = key(Int.random(in: 0..<64, using: &generator))
      if generator.chance(0.55) {
        expectEqual(map.set(round, for: key), expected.updateValue(round, forKey: key))
      } else {
        expectEqual(map.remove(key), expected.removeValue(forKey: key))
      }
      if generator.chance(0.1) { snapshots.append((map, expected)) }
    }
    for (map, expected) in snapshots + [(map, expected)] {
      expectEqual(map.dictionary, expected)
      expectEqual(map.count, expected.count)
      for number in 0..<64 { expectEqual(map[key(number)], expected[key(number)]) }
    }
  }

  @Test func `All short runs of changes agree with Dictionary, and so do the maps on the way`() {
    // 0...3 set a key, 4...7 remove it; hashes: all the same, two, all different.
    withEvery("spread", in: [1, 2, 4]) { spread in
      withEvery("changes", in: sequences(of: Array(0..<8), upTo: 4)) { changes in
        var map = PersistentMap<Colliding, Int>()
        var expected: [Colliding: Int] = [:]
        var steps: [(PersistentMap<Colliding, Int>, [Colliding: Int])] = []
        for (round, change) in changes.enumerated() {
          let key = Colliding(number: change % 4, spread: spread)
          if change < 4 {
            map.set(round, for: key)
            expected[key] = round
          } else {
            map.remove(key)
            expected[key] = nil
          }
          steps.append((map, expected))
        }
        for (map, expected) in steps where map.dictionary != expected || map.count != expected.count
        {
          recordIssue("\(map.dictionary) is not \(expected)")
        }
      }
    }
  }

  @Test func `A copy keeps its values alive and no others`() {
    LifetimeTracker.check { tracker in
      var map = PersistentMap<Int, LifetimeTracker.Tracked>()
      for key in 0..<100 { map.set(tracker.track(), for: key) }
      let copy = map
      for key in 0..<100 where key % 2 == 0 { map.remove(key) }
      for key in 0..<100 where key % 2 == 1 { map.set(tracker.track(), for: key) }
      expectEqual(tracker.aliveCount, 150)
      withExtendedLifetime(copy) {}
    }
  }
}

extension PersistentMap {
  fileprivate var dictionary: [Key: Value] {
    var result: [Key: Value] = [:]
    forEach { key, value in
      if result.updateValue(value, forKey: key) != nil { recordIssue("\(key) is there twice") }
    }
    return result
  }
}
