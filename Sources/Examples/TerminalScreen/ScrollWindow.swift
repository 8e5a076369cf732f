/// The visible lines of a long page.
package struct ScrollWindow: Hashable, Sendable {
  /// The first visible line.
  package private(set) var top = 0

  package init() {}

  /// Scrolls as little as possible to make a line visible, and never past the end.
  ///
  /// - Parameters:
  ///   - line: The line that has to be visible, or nil.
  ///   - height: The number of visible lines.
  ///   - count: The number of all lines.
  package mutating func show(_ line: Int?, height: Int, of count: Int) {
    if let line {
      if line < top { top = line }
      if line >= top + height { top = line - height + 1 }
    }
    top = max(0, min(top, count - height))
  }

  /// Returns the visible lines.
  package func lines(height: Int, of count: Int) -> Range<Int> {
    let start = min(top, count)
    return start..<max(start, min(top + height, count))
  }
}
