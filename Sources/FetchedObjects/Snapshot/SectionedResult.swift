internal import EntityStore
internal import ListDiffing

/// A result whose sections are found by position and by key.
protocol SectionedResult: Sendable {
  var plan: ResultPlan { get }
  /// The key of the section at a position.
  func key(ofSection section: Int) -> SectionKey
  /// The position of the section with a key, if it is here.
  func section(_ key: SectionKey) -> Int?
}
