/// What people can have changed from the board.
///
/// Who does it asks for the commits; the board learns of them by its events, like anybody.
protocol BoardCommands: Sendable {
  /// Gives an airline another name, on every row that shows it.
  func rename(airline code: String, to name: String) throws

  /// Gives an aircraft's model another name, on every row that shows it.
  func rename(aircraft tailNumber: String, to model: String) throws
}
