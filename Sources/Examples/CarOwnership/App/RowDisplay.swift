import TerminalScreen

/// A display for rows.
///
/// A ``TerminalSession`` is one.
@MainActor protocol RowDisplay: AnyObject {
  var size: ScreenSize { get }
  /// Shows rows from the top, and returns the number of rows that were written.
  @discardableResult func show(_ rows: [StyledRow]) -> Int
}

extension TerminalSession: RowDisplay {}
