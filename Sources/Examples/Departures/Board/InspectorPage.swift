/// All that a view shows of the store at work.
struct InspectorPage: Sendable {
  struct CommitLine: Hashable, Sendable {
    var version: String
    var clock: String
    /// What it changed in the store, such as `Departure +1 ~2, Playhead ~1`.
    var objects: String
    /// What it changed on the board.
    var rows: String
    var sections: String
    /// What keeping the board up to date has cost.
    var cost: String
  }

  struct ResultLine: Hashable, Sendable {
    /// Such as `Departure, all rows`.
    var title: String
    var rows: Int
    /// How many models show it.
    var models: Int
    /// What it has cost since it is there.
    var work: String
  }

  /// The last one first.
  var commits: [CommitLine]
  var results: [ResultLine]
  /// How many subscriptions the board's models have.
  var subscriptions: Int
}
