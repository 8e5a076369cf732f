/// The changes that the user can request from the board.
///
/// The conforming type makes the commits. The board receives them as events, like all other
/// commits.
public protocol BoardCommands: Sendable {
  /// Renames an airline, on every row that shows it.
  ///
  /// - Returns: The version of the commit, or nil if it changed nothing.
  @discardableResult
  func rename(airline code: String, to name: String) throws -> Int64?

  /// Renames an aircraft's model, on every row that shows it.
  ///
  /// - Returns: The version of the commit, or nil if it changed nothing.
  @discardableResult
  func rename(aircraft tailNumber: String, to model: String) throws -> Int64?
}
