extension Collection<String> {
  /// The first `count` of some words, and how many others there are: `a, b, c and 7 others`.
  ///
  /// A message about thousands of objects is no longer than one about a few.
  func listed(atMost count: Int) -> String {
    // Naming one more takes no more room than saying that there is one.
    if self.count <= count + 1 {
      return self.count < 2
        ? joined() : "\(dropLast().joined(separator: ", ")) and \(suffix(1).joined())"
    }
    return "\(prefix(count).joined(separator: ", ")) and \(self.count - count) others"
  }

  /// The same with commas alone, as in Swift, where all are there: `a, b, c`.
  func listedPlainly(atMost count: Int) -> String {
    self.count <= count ? joined(separator: ", ") : listed(atMost: count)
  }
}
