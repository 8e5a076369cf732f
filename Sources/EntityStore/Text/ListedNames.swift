extension Collection<String> {
  /// Returns the first `count` texts and the number of the others: `a, b, c and 7 others`.
  ///
  /// A message about thousands of objects is no longer than one about a few.
  func listed(atMost count: Int) -> String {
    // The name of one more text takes no more room than "and 1 other".
    if self.count <= count + 1 {
      return self.count < 2
        ? joined() : "\(dropLast().joined(separator: ", ")) and \(suffix(1).joined())"
    }
    return "\(prefix(count).joined(separator: ", ")) and \(self.count - count) others"
  }

  /// Returns the same, but with commas only, as in Swift, if no text is left out: `a, b, c`.
  func listedPlainly(atMost count: Int) -> String {
    self.count <= count ? joined(separator: ", ") : listed(atMost: count)
  }
}

extension [String] {
  /// A list of at most three of the texts, of which there may be many more: `a, b, c and others`.
  package var listedOrOthers: String {
    count > 3 ? prefix(3).joined(separator: ", ") + " and others" : listed(atMost: 3)
  }
}
