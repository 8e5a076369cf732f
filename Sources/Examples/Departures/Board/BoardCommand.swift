/// What people can do at the board.
enum BoardCommand: Hashable, Sendable {
  case move(by: Int)
  /// By so many pages.
  case movePage(by: Int)
  case moveToStart, moveToEnd
  case nextSection, previousSection
  case switchSections
  case pauseOrResume, faster, slower
  case search
  case open, inspect
  case renameAirline, renameAircraft
  /// To the board; on the board to all flights.
  case back
  case quit
}
