import TestSupport
import Testing

@testable import FetchedObjects

@Suite struct PersistentListTests {
  @Test func `A list of any size is read as it was built`() {
    for count in [0, 1, 2, 23, 24, 25, 31, 32, 33, 576, 577, 1000, 20_000] {
      let list = PersistentList(Array(0..<count))
      #expect(list.count == count)
      #expect(list.array == Array(0..<count))
      for position in stride(from: 0, to: count, by: max(1, count / 50)) {
        #expect(list[position] == position)
        #expect(list.partitioningIndex { $0 >= position } == position)
      }
      #expect(list.partitioningIndex { _ in false } == count)
    }
  }

  @Test func `It does what an array does, and copies keep what they had`() {
    for seed in 0..<6 {
      var random = SeededGenerator(seed: UInt64(seed))
      var array: [Int] = []
      var list = PersistentList<Int>()
      var copies: [(list: PersistentList<Int>, array: [Int])] = []
      // Grows, shrinks to nothing and grows again.
      for step in 0..<6000 {
        let grows = step % 3000 < 1500
        if array.isEmpty || random.chance(grows ? 0.7 : 0.25) {
          let position = Int.random(in: 0...array.count, using: &random)
          array.insert(step, at: position)
          list.insert(step, at: position)
        } else if random.chance(0.8) {
          let position = Int.random(in: 0..<array.count, using: &random)
          array.remove(at: position)
          list.remove(at: position)
        } else {
          let position = Int.random(in: 0..<array.count, using: &random)
          array[position] = -step
          list.replace(at: position, with: -step)
        }
        if step % 97 == 0 {
          list.checkInvariants()
          copies.append((list, array))
        }
      }
      for copy in copies { #expect(copy.list.array == copy.array) }
      #expect(list.array == array)
    }
  }
}
