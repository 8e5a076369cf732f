import TerminalScreen

/// A view that uses the whole screen and receives the keys while it is on top.
@MainActor protocol ScreenView: AnyObject {
  /// Returns the rows for a screen of this size, at most as many as it has.
  func rows(for size: ScreenSize) -> [StyledRow]

  func take(_ key: Key)

  /// Called when the view has been drawn.
  ///
  /// It returns true if its rows have changed since.
  func didDraw(rowsWritten: Int, at time: ContinuousClock.Instant) -> Bool

  /// Called when the view becomes the top view, or when it is covered or removed.
  func didAppear()
  func didDisappear()
}

extension ScreenView {
  func didDraw(rowsWritten: Int, at time: ContinuousClock.Instant) -> Bool { false }
  func didAppear() {}
  func didDisappear() {}
}
