import TestSupport
import Testing

@testable import EntityStore

@Suite struct InstantHeapTests {
  @Test(arguments: 1...20)
  func `The first one is the lowest, whatever has come and gone`(_ seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var (heap, plain) = (InstantHeap(), [Double]())
    for number in 0..<500 {
      if Int.random(in: 0..<3, using: &generator) > 0 || plain.isEmpty {
        // Many of them are equal.
        let instant = Double(Int.random(in: 0..<40, using: &generator))
        heap.insert(instant, number)
        plain.append(instant)
        plain.sort()
      } else {
        heap.removeFirst()
        plain.removeFirst()
      }
      expectEqual(heap.first?.instant, plain.first)
      expectEqual(heap.count, plain.count)
    }
  }
}
