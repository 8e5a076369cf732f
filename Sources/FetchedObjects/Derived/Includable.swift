/// An element of a list that leaves out some of its source's elements.
///
/// It stays in the tree while it is left out, so that a position in the source can be converted.
protocol Includable: Weighted {
  var isIncluded: Bool { get }
}

extension Includable {
  var weight: Int { isIncluded ? 1 : 0 }

  static var nodeWidth: Int { 16 }
}

extension CountedTree where Element: Includable {
  var includedCount: Int { weight }

  /// Returns the number of included elements before a position.
  ///
  /// If the element at the position is included, this is its position among the included ones.
  ///
  /// - Complexity: O(log n)
  func includedCount(before position: Int) -> Int { weight(before: position) }

  /// Returns the positions, among the included elements, of those in a range.
  ///
  /// - Complexity: O(log n)
  func includedPositions(in range: Range<Int>) -> Range<Int> {
    includedCount(before: range.lowerBound)..<includedCount(before: range.upperBound)
  }

  /// Returns the element at a position among the included ones.
  ///
  /// - Complexity: O(log n)
  func included(at position: Int) -> Element { element(atWeight: position) }
}
