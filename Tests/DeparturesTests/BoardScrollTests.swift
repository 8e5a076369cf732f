import TestSupport
import Testing

@testable import Departures
@testable import DeparturesModel

struct BoardScrollTests {
  /// The lines that rows take, counted one by one.
  private func lines(_ rows: Range<Int>, _ counts: [Int]) -> Int {
    var section = 0
    var start = 0
    var titled: Set<Int> = []
    for row in rows {
      while row >= start + counts[section] {
        start += counts[section]
        section += 1
      }
      titled.insert(section)
    }
    return rows.count + titled.count
  }

  @Test
  func `What is seen fits the page, has the chosen row, and leaves no line that could be used`() {
    var random = SeededGenerator(number: 1)
    for _ in 0..<300 {
      let counts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Int.random(in: 1...9, using: &random)
      }
      let total = counts.reduce(0, +)
      var scroll = BoardScroll()
      for _ in 0..<20 {
        let height = Int.random(in: 2...20, using: &random)
        let before = scroll
        scroll.choose(Int.random(in: -2...(total + 2), using: &random))
        let seen = scroll.fit(height: height, counts: counts)
        #expect(seen.contains(scroll.chosen), "\(counts) \(height) \(before)")
        #expect(lines(seen, counts) <= height, "\(counts) \(height) \(before) \(seen)")
        if seen.upperBound < total {
          let more = seen.lowerBound..<(seen.upperBound + 1)
          #expect(lines(more, counts) > height, "\(counts) \(height) \(before) \(seen)")
        } else if seen.lowerBound > 0 {
          let more = (seen.lowerBound - 1)..<seen.upperBound
          #expect(lines(more, counts) > height, "\(counts) \(height) \(before) \(seen)")
        }
        // What is seen stays if nothing else is chosen.
        #expect(scroll.fit(height: height, counts: counts) == seen)
      }
    }
  }

  @Test func `A page without a line, or without rows, shows nothing`() {
    var scroll = BoardScroll()
    #expect(scroll.fit(height: 10, counts: []).isEmpty)
    #expect(scroll.fit(height: 1, counts: [3]).isEmpty)
    #expect(scroll.fit(height: -3, counts: [3]).isEmpty)
  }
}
