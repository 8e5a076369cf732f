/// The changes that the user can request from the board.
///
/// The conforming type makes the commits. The board receives them as events, like all other
/// commits.
public protocol BoardCommands: Sendable {
  /// Renames an airline, on every row that shows it.
  func rename(airline code: String, to name: String) throws

  /// Renames an aircraft's model, on every row that shows it.
  func rename(aircraft tailNumber: String, to model: String) throws
}
