import TerminalScreen

/// What rows are shown on; a ``TerminalSession`` is one.
@MainActor protocol RowDisplay: AnyObject {
  var size: ScreenSize { get }
  /// Shows rows from the top, and says how many had to be written.
  @discardableResult func show(_ rows: [StyledRow]) -> Int
}

extension TerminalSession: RowDisplay {}
