/// A command of the user at the board.
enum BoardCommand: Hashable, Sendable {
  case move(by: Int)
  /// Moves by a number of pages.
  case movePage(by: Int)
  case moveToStart, moveToEnd
  case nextSection, previousSection
  case switchSections
  case pauseOrResume, faster, slower
  case search
  case open, inspect, help
  case renameAirline, renameAircraft
  /// Returns to the board.
  ///
  /// On the board, it shows all flights.
  case back
  case quit
}
