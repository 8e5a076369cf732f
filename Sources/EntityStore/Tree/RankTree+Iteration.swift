extension RankTree {
  /// Calls `body` with each entry whose rank is in `range`, in order.
  ///
  /// It reads the tree as it is now, whatever `body` does to the variable that holds it.
  ///
  /// - Complexity: O(log *n* + *m*), where *m* is the length of the range.
  @inlinable package func forEach(
    in range: Range<Int>, _ body: (RankEntry) throws -> Void
  ) rethrows {
    try withExtendedLifetime(root) {
      var spans = UnsafeRankSpans(of: self, in: range)
      while let span = spans.next() {
        for entry in span { try body(entry) }
      }
    }
  }

  /// Calls `body` with each entry, in order.
  ///
  /// - Complexity: O(*n*)
  @inlinable package func forEach(_ body: (RankEntry) throws -> Void) rethrows {
    try forEach(in: 0..<count, body)
  }
}
