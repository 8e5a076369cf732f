/// The visible rows of a long list with section titles, and the chosen row.
///
/// The title of the first visible row's section is above that row. A section that begins further
/// down has its title above its first row. This type knows only counts.
struct BoardScroll: Hashable, Sendable {
  /// The position of the first visible row among all rows.
  private(set) var top = 0
  /// The position of the chosen row.
  private(set) var chosen = 0

  /// Chooses another row.
  mutating func choose(_ position: Int) { chosen = position }

  /// Scrolls as little as possible to make the chosen row visible, and fills the page.
  ///
  /// - Parameters:
  ///   - height: The number of lines for titles and rows.
  ///   - counts: The number of rows of each section.
  /// - Returns: The positions of the visible rows.
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
    /// Returns the number of lines from one row to another, with their titles.
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
  /// Returns the number of these ascending numbers that are at most `limit`.
  fileprivate func partition(upTo limit: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
