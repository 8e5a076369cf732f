extension Array {
  /// Returns the elements in order; if they already are, the result is the array itself.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the length of the array. If the elements are in
  ///   order, O(*n*).
  @inlinable @inline(__always)
  package func inOrder(_ isBefore: (Element, Element) -> Bool) -> [Element] {
    var index = 1
    while index < count {
      if isBefore(self[index], self[index - 1]) { return sorted(by: isBefore) }
      index += 1
    }
    return self
  }
}
