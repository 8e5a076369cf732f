/// A result whose sections are found by position and by key.
protocol SectionedResult: Sendable {
  var plan: ResultPlan { get }
  func key(ofSection section: Int) -> SectionKey
  /// Returns the position of the section with a key, or nil if the result doesn't contain it.
  func section(_ key: SectionKey) -> Int?
}
