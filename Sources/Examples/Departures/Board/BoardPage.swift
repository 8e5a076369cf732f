/// All that a view shows of one moment.
struct BoardPage: Sendable {
  /// Such as `2013-02-08`.
  var day: String
  /// Such as `05:30`.
  var clock: String
  /// What else people should know, or nothing.
  var note = ""
  var board: Board
  /// The rows that the last commit touched.
  var touched: Set<BoardRow.ID> = []
  /// For each status the flights that have had it since the board opened.
  var soFar: [Status: Int] = [:]
}
