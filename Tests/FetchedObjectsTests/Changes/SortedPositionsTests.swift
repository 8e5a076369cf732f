@testable import FetchedObjects
import TestSupport
import Testing

@Suite struct SortedPositionsTests {
  @Test func `F4: untouched rows before a touched one are counted, for every subset`() {
    var generator = SeededGenerator(number: 1)
    for subset in 0..<(1 << 8) {
      let positions = (0..<8).filter { subset >> $0 & 1 == 1 }
      for order in [positions, positions.reversed(), positions.shuffled(using: &generator)] {
        let touched = SortedPositions(order)
        for position in positions {
          let expected = (0..<position).filter { !positions.contains($0) }.count
          expectEqual(touched.others(before: position), expected, "of \(order) at \(position)")
        }
      }
    }
  }
}
