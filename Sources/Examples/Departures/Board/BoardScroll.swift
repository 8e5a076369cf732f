/// Which rows of a long list with section titles are seen, and which one is chosen.
///
/// Above the first row that is seen stands the title of its section, and a section that begins further
/// down has its title above its first row. It knows only counts.
struct BoardScroll: Hashable, Sendable {
  /// The position of the first row that is seen, of all rows.
  private(set) var top = 0
  /// The position of the row that is chosen.
  private(set) var chosen = 0

  /// Chooses another row.
  mutating func choose(_ position: Int) { chosen = position }

  /// Scrolls no further than it takes to see the chosen row, and fills the page.
  ///
  /// - Parameters:
  ///   - height: the lines there are for titles and rows.
  ///   - counts: the rows of each section.
  /// - Returns: the positions of the rows that are seen.
  /// - Complexity: O(*h* log *s*), where *h* is the height and *s* the number of sections.
  mutating func fit(height: Int, counts: [Int]) -> Range<Int> {
    var starts: [Int] = []
    var count = 0
    for rows in counts {
      starts.append(count)
      count += rows
    }
    chosen = max(0, min(chosen, count - 1))
    guard count > 0, height > 1 else {
      top = chosen
      return top..<top
    }
    /// The lines of the rows from one to another, with their titles.
    func lines(_ first: Int, _ last: Int) -> Int {
      last - first + 2 + starts.partition(upTo: last) - starts.partition(upTo: first)
    }
    top = max(0, min(top, chosen))
    if chosen - top >= height { top = chosen - height + 1 }
    while top < chosen, lines(top, chosen) > height { top += 1 }
    while top > 0, lines(top - 1, count - 1) <= height { top -= 1 }
    var end = min(count, top + height - 1)
    while end > top + 1, lines(top, end - 1) > height { end -= 1 }
    return top..<end
  }
}

extension [Int] {
  /// How many of these ascending numbers are no more than a limit.
  fileprivate func partition(upTo limit: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
