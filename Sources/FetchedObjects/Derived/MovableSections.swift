internal import ListDiffing

/// The sections that may move, with any of their rows, because they are those of another query.
///
/// The other sections belong to other parts of a concatenated list. So none of these passes them.
struct MovableSections: Sendable {
  /// The positions before the change of query.
  let before: Range<Int>
  /// The positions after it.
  let after: Range<Int>
}

extension MovableSections {
  /// Creates the sections that may move in an event, or nil if no query has changed.
  ///
  /// - Complexity: O(1)
  init?<Row: Diffable & Sendable>(of event: ShownEvent<Row>) {
    guard event.isNewQuery else { return nil }
    let (before, after) = (event.before.content, event.after.content)
    self =
      (after as? any DerivedVersion)?.movable
      ?? MovableSections(before: 0..<before.sectionCount, after: 0..<after.sectionCount)
  }

  /// Returns the positions in a list that has `sections` other sections before these.
  func offset(by sections: Int) -> MovableSections {
    MovableSections(
      before: before.lowerBound + sections..<before.upperBound + sections,
      after: after.lowerBound + sections..<after.upperBound + sections)
  }
}

/// A version of a list that is made of others.
protocol DerivedVersion {
  /// The sections that may have moved since the version before, or nil if no query has changed.
  var movable: MovableSections? { get }
}
