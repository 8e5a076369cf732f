/// Which lines of a long page are seen.
package struct ScrollWindow: Hashable, Sendable {
  /// The first line that is seen.
  package private(set) var top = 0

  package init() {}

  /// Scrolls no further than it takes to see a line, and never past the end.
  ///
  /// - Parameters:
  ///   - line: The line that has to be seen, or nil.
  ///   - height: How many lines are seen.
  ///   - count: How many lines there are.
  package mutating func show(_ line: Int?, height: Int, of count: Int) {
    if let line {
      if line < top { top = line }
      if line >= top + height { top = line - height + 1 }
    }
    top = max(0, min(top, count - height))
  }

  /// The lines that are seen.
  package func lines(height: Int, of count: Int) -> Range<Int> {
    let start = min(top, count)
    return start..<max(start, min(top + height, count))
  }
}
