/// All that a view shows of one moment.
struct BoardPage: Sendable {
  /// Such as `2013-02-08`.
  var day: String
  /// Such as `05:30`.
  var clock: String
  /// How the clock runs, such as `5 minutes a second` or `paused`.
  var pace = ""
  /// What else people should know, or nothing.
  var note = ""
  /// What the sections are, such as `status`.
  var grouping = ""
  /// What the flights are searched for, or nothing.
  var search = ""
  /// The sections and rows that are seen.
  var board: Board
  /// For each section of `board` how many rows it has, seen or not.
  var counts: [Int] = []
  /// How many rows stand before the first one that is seen.
  var rowsBefore = 0
  /// How many rows there are.
  var total = 0
  /// The chosen row, if there is one.
  var chosen: BoardRow.ID?
  /// The rows that the last commit touched.
  var touched: Set<BoardRow.ID> = []
  /// For each status the flights that have had it since the board opened.
  var soFar: [Status: Int] = [:]
}
