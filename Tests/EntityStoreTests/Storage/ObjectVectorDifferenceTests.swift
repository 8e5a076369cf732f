import TestSupport
import Testing

@testable import EntityStore

@Suite struct ObjectVectorDifferenceTests {
  private final class Cell {}

  /// The numbers at which two vectors hold other objects, by looking at each.
  private static func differences(
    _ a: UnsafeObjectVector<Cell>, _ b: UnsafeObjectVector<Cell>, below end: Int
  ) -> [Int] {
    (0..<end).filter { a[$0] !== b[$0] }
  }

  private static func found(_ a: UnsafeObjectVector<Cell>, _ b: UnsafeObjectVector<Cell>) -> [Int] {
    var found: [Int] = []
    a.forEachDifference(from: b) { found.append($0) }
    return found
  }

  @Test func `The differences of two vectors are found, whatever their heights`() {
    for (few, many) in [(0, 1), (1, 32), (32, 33), (33, 300), (3, 5000), (1024, 1025)] {
      let cells = (0..<many).map { _ in Cell() }
      let small = UnsafeObjectVector(cells[..<few])
      var grown = small
      for number in few..<many { grown.set(cells[number], at: number) }
      let whole = UnsafeObjectVector(cells)
      expectEqual(Self.found(grown, small), Array(few..<many), "\(few), \(many)")
      expectEqual(Self.found(small, grown), Array(few..<many), "\(few), \(many)")
      expectEqual(Self.found(whole, small), Array(few..<many), "\(few), \(many)")
      expectEqual(Self.found(whole, grown), [], "the same objects in other nodes")
      expectEqual(Self.found(UnsafeObjectVector(), whole), Array(0..<many), "\(few), \(many)")
    }
  }

  @Test(.oneThread) func `The differences of versions are found, after random changes`() {
    for seed in seeds(40) {
      var random = SeededGenerator(seed: seed)
      let end = [10, 40, 300, 5000][seed % 4]
      var vector = UnsafeObjectVector((0..<(end / 2)).map { _ in Cell() })
      var versions = [vector]
      for _ in 0..<30 {
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          let number = Int.random(in: 0..<end, using: &random)
          vector.set(random.chance(0.3) ? nil : Cell(), at: number)
        }
        versions.append(vector)
        for old in versions.suffix(5) {
          expectEqual(
            Self.found(vector, old), Self.differences(vector, old, below: end), "seed \(seed)")
        }
      }
    }
  }
}
