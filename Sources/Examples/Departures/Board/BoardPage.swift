import DeparturesModel

/// The content of a view at one moment.
struct BoardPage: Sendable {
  /// The day, such as `2013-02-08`.
  var day: String
  /// The time, such as `05:30`.
  var clock: String
  /// The speed of the clock, such as `5 minutes a second` or `paused`.
  var pace = ""
  /// A message for the user, or an empty text.
  var note = ""
  /// The kind of the sections, such as `status`.
  var grouping = ""
  /// The search text, or an empty text.
  var search = ""
  /// The visible sections and rows.
  var board: Board
  /// The number of rows of each section of `board`, visible or not.
  var counts: [Int] = []
  /// The number of rows before the first visible one.
  var rowsBefore = 0
  /// The number of all rows.
  var total = 0
  /// The chosen row, if there is one.
  var chosen: BoardRow.ID?
  /// The rows that the last commit changed.
  var touched: Set<BoardRow.ID> = []
  /// The number of flights that leave within `minutesOfSoon`, or nil if they aren't counted.
  var leavingSoon: Int?
  static let minutesOfSoon = 30
  /// For each status, the number of flights that have had it since the board opened.
  var soFar: [Status: Int] = [:]
}
