/// How much work a result has been, counted: for tests of what a commit costs.
///
///     let before = cars.work
///     try store.commit { … }
///     cars.work.commits - before.commits  // 0 if the commit didn't concern it
///
/// Models of equal queries share one result and its work.
public struct ResultWork: Sendable, Equatable {
  /// How many commits the result has been asked about.
  public internal(set) var commits = 0
  /// For how many objects it has been asked whether they belong.
  public internal(set) var candidates = 0
  /// How often the filter has been evaluated.
  public internal(set) var conditions = 0
  /// How many rows have come, gone or changed.
  public internal(set) var changes = 0
  /// How often two rows have been compared by what they hold, because the beginnings of their keys are
  /// the same.
  public internal(set) var comparisons = 0
  /// How many nodes of the result's trees have been summed up, for aggregates that somebody read and for the
  /// check sums of feeds.
  ///
  /// A node is a stretch of up to 128 rows, of some such stretches, or of some sections. Trees of equal
  /// rows keep their nodes, so what is read again isn't summed up again.
  public internal(set) var summaries = 0
  /// How often the changes of an event have been worked out; equal queries share the count.
  ///
  /// A model does so once for an event that somebody subscribes to, tracks through Observation or derives a
  /// list from, and not at all for any other.
  public internal(set) var differences = 0
  /// How many times the whole result has been read.
  public internal(set) var fetches = 0

  /// How many rows have been looked at: those that commits may concern, and those that they were compared
  /// with.
  public var rowsVisited: Int { candidates + comparisons }
}

extension ResultWork {
  /// Adds the work of what a result stands on.
  mutating func add(_ other: ResultWork) {
    commits += other.commits
    candidates += other.candidates
    conditions += other.conditions
    changes += other.changes
    comparisons += other.comparisons
    fetches += other.fetches
  }
}
