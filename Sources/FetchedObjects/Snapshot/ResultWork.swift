/// The amount of work that a result has done, for tests of what a commit costs.
///
///     let before = cars.work
///     try store.commit { … }
///     cars.work.commits - before.commits  // 0 if the commit didn't concern it
///
/// Models of equal queries share one result and its work.
@_spi(Inspection) public struct ResultWork: Sendable, Equatable {
  /// The number of commits that the result has been asked about.
  public internal(set) var commits = 0
  /// The number of objects for which the result has checked whether they belong to it.
  public internal(set) var candidates = 0
  /// The number of times that the filter has been evaluated.
  public internal(set) var conditions = 0
  /// The number of rows that have been inserted, deleted or changed.
  public internal(set) var changes = 0
  /// The number of times that two rows have been compared by their contents.
  ///
  /// This is done only if the beginnings of their keys are the same.
  public internal(set) var comparisons = 0
  /// The number of nodes of the result's trees that have been summed up.
  ///
  /// Nodes are summed up for aggregates that are read, and for the check sums of feeds. A node is a
  /// range of up to 128 rows, a group of such ranges, or a group of sections. Trees of equal rows
  /// keep their nodes, so a second read doesn't sum them up again.
  public internal(set) var summaries = 0
  /// The number of times that the changes of an event have been computed.
  ///
  /// Equal queries share the count. A model computes the changes of an event once if the event has
  /// a subscriber, is tracked through Observation, or updates a derived list. Otherwise it doesn't
  /// compute them.
  public internal(set) var differences = 0
  /// The number of times that the whole result has been read.
  public internal(set) var fetches = 0

  /// The number of rows that have been examined.
  ///
  /// These are the rows that commits may concern, and the rows that they were compared with.
  public var rowsVisited: Int { candidates + comparisons }
}

extension ResultWork {
  /// Adds the work of a result that this one is built on.
  mutating func add(_ other: ResultWork) {
    commits += other.commits
    candidates += other.candidates
    conditions += other.conditions
    changes += other.changes
    comparisons += other.comparisons
    fetches += other.fetches
  }
}
