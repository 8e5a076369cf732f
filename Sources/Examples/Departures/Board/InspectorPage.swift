/// The content of a view of the store at work.
struct InspectorPage: Sendable {
  struct CommitLine: Hashable, Sendable {
    var version: String
    var clock: String
    /// The changes in the store, such as `Departure +1 ~2, Playhead ~1`.
    var objects: String
    /// The changes on the board.
    var rows: String
    var sections: String
    /// The work of updating the board, if it was concerned.
    var work: WorkCounts?
  }

  struct ResultLine: Hashable, Sendable {
    /// The title, such as `Departure, all rows`.
    var title: String
    var rows: Int
    /// The number of models that show it.
    var models: Int
    /// The work since the result was created.
    var work: WorkCounts
  }

  /// The commits, with the last one first.
  var commits: [CommitLine]
  var results: [ResultLine]
  /// The number of subscriptions to the board's models.
  var subscriptions: Int
}
