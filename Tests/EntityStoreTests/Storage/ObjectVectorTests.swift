@testable import EntityStore
import TestSupport
import Testing

@Suite(.oneThread) struct `A vector of objects agrees with a dictionary` {
  /// An object with a value, whose end is noticed.
  private final class Cell {
    var value: Int
    let tracked: LifetimeTracker.Tracked

    init(_ value: Int, _ tracker: LifetimeTracker) {
      self.value = value
      tracked = tracker.track()
    }
  }

  /// A vector beside the values that it should have.
  private struct Pair {
    var vector = UnsafeObjectVector<Cell>()
    var values: [Int: Int] = [:]

    var cells: Set<ObjectIdentifier> {
      var cells: Set<ObjectIdentifier> = []
      for number in values.keys {
        if let cell = vector[number] { cells.insert(ObjectIdentifier(cell)) }
      }
      return cells
    }

    func check(_ comment: String) {
      for number in Self.numbers { expectEqual(vector[number]?.value, values[number], comment) }
      var found: [Int] = []
      vector.forEach { number, object in
        let cell = Unmanaged<Cell>.fromOpaque(object).takeUnretainedValue()
        expectEqual(cell.value, values[number] ?? -1, comment)
        expectEqual(vector.pointer(number), object)
        found.append(number)
      }
      expectEqual(found, values.keys.sorted(), comment)
    }

    /// Both sides of each step of the tree, which has 32 branches.
    static let numbers =
      Array(0..<40) + [63, 64, 255, 256, 257, 1023, 1024, 1025, 32_767, 32_768, 32_769, 1_048_575]
      + [1_048_576, 1_048_577, 40_000_000]
  }

  @Test func `One that is made of many at once is like one that was filled one by one`() {
    for count in [0, 1, 31, 32, 33, 255, 1023, 1024, 1025, 20_000, 32_768, 32_769] {
      LifetimeTracker.check { tracker in
        let cells = (0..<count).map { Cell($0, tracker) }
        var pair = Pair(vector: UnsafeObjectVector(cells))
        for number in 0..<count { pair.values[number] = number }
        pair.check("\(count) at once")
        // It goes on changing, and a copy stays.
        let copy = pair
        for number in [0, count - 1, count, count + 1, count * 32] where number >= 0 {
          pair.vector.set(Cell(-number, tracker), at: number)
          pair.values[number] = -number
        }
        pair.check("\(count) at once, changed")
        copy.check("\(count) at once, a copy")
      }
    }
  }

  @Test func `It keeps what was set, copies stay as they were, and each object is released once`() {
    withEvery("seed", in: seeds(150)) { seed in
      LifetimeTracker.check { tracker in
        var generator = SeededGenerator(seed: seed)
        // Some stay small, so that all depths are seen.
        let numbers = Pair.numbers.prefix(Int.random(in: 1...Pair.numbers.count, using: &generator))
        var pairs = [Pair()]
        for step in 0..<150 {
          let index = Int.random(in: pairs.indices, using: &generator)
          let number = numbers.randomElement(using: &generator) ?? 0
          switch Int.random(in: 0..<10, using: &generator) {
          case 0 where pairs.count < 6: pairs.append(pairs[index])
          case 1 where pairs.count > 1: pairs.remove(at: index)
          case 2, 3:
            pairs[index].vector.set(nil, at: number)
            pairs[index].values[number] = nil
          case 4, 5:
            // Changed in place if nobody else holds it, and never under anybody's eyes.
            let cell = pairs[index].vector.unique(number) { Cell($0.value, tracker) }
            expectEqual(cell?.value, pairs[index].values[number])
            if let cell {
              cell.value = step
              pairs[index].values[number] = step
            }
          case 6:
            // An object comes back that another version still has at this number, or has again.
            guard let other = pairs.randomElement(using: &generator) else { continue }
            pairs[index].vector.set(other.vector[number], at: number)
            pairs[index].values[number] = other.values[number]
          case 7:
            // Several changes at once, with a copy in between.
            pairs[index].vector.beginChanges()
            var copy: Pair?
            for number in numbers.shuffled(using: &generator).prefix(9) {
              pairs[index].vector.set(Cell(step, tracker), at: number)
              pairs[index].values[number] = step
              if generator.chance(0.1) { copy = pairs[index] }
            }
            pairs[index].vector.endChanges()
            copy?.vector.endChanges()
            copy?.check("a copy at step \(step)")
          default:
            pairs[index].vector.set(Cell(step, tracker), at: number)
            pairs[index].values[number] = step
          }
          if step % 10 == 0 {
            for pair in pairs { pair.check("at step \(step)") }
            let cells = pairs.reduce(into: Set()) { $0.formUnion($1.cells) }
            expectEqual(tracker.aliveCount, cells.count, "at step \(step)")
          }
        }
      }
    }
  }

  @Test func `An object that is this vector's own is not copied`() {
    let tracker = LifetimeTracker()
    var vector = UnsafeObjectVector<Cell>()
    vector.set(Cell(1, tracker), at: 70)
    var copies = 0
    func unique(_ vector: inout UnsafeObjectVector<Cell>) -> Cell? {
      vector.unique(70) {
        copies += 1
        return Cell($0.value, tracker)
      }
    }
    unique(&vector)?.value = 2
    #expect(copies == 0)
    var other: UnsafeObjectVector? = vector
    unique(&vector)?.value = 3
    #expect(copies == 1)
    #expect(other?[70]?.value == 2)
    #expect(tracker.aliveCount == 2)
    other = nil
    unique(&vector)?.value = 4
    #expect(copies == 1)
    #expect(tracker.aliveCount == 1)
    let held = vector[70]
    unique(&vector)?.value = 5
    #expect(copies == 2)
    #expect(held?.value == 4)
    #expect(vector.unique(71) { $0 } == nil)
  }

  @Test func `A thousand copies share what is the same`() {
    LifetimeTracker.check { tracker in
      var vector = UnsafeObjectVector<Cell>()
      for number in 0..<2_000 { vector.set(Cell(number, tracker), at: number) }
      var copies: [UnsafeObjectVector<Cell>] = []
      for round in 0..<1_000 {
        copies.append(vector)
        vector.set(Cell(-round, tracker), at: round * 7 % 2_000)
      }
      #expect(tracker.aliveCount == 3_000)
      #expect(copies[500][3_493 % 2_000]?.value == -499)
      #expect(copies[499][3_493 % 2_000]?.value == 1_493)
      copies.removeAll { _ in true }
      #expect(tracker.aliveCount == 2_000)
    }
  }

  @Test func `An object goes with the last version that has it, also where versions branch`() {
    let tracker = LifetimeTracker()
    var vectors = [UnsafeObjectVector((0..<40).map { Cell($0, tracker) })]
    vectors.append(vectors[0])
    // Nobody holds the common version any more, from here on.
    vectors[0].set(nil, at: 7)
    vectors[1].set(Cell(-7, tracker), at: 7)
    #expect(tracker.aliveCount == 40)
    vectors.append(vectors[1])
    vectors[1].set(nil, at: 8)
    vectors[2].set(nil, at: 8)
    #expect(tracker.aliveCount == 40, "the first one still has it")
    vectors[0].set(nil, at: 8)
    #expect(tracker.aliveCount == 39)
    vectors.removeFirst()
    #expect(tracker.aliveCount == 39)
    vectors.removeAll()
    #expect(tracker.aliveCount == 0)
  }
}
