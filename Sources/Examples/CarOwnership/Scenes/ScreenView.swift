import TerminalScreen

/// What takes the whole screen, and the keys, while it is on top.
@MainActor protocol ScreenView: AnyObject {
  /// The rows for a screen of some size, at most as many as it has.
  func rows(for size: ScreenSize) -> [StyledRow]

  func take(_ key: Key)

  /// Something the view has shown has been drawn; says whether its rows are others now.
  func didDraw(rowsWritten: Int, at time: ContinuousClock.Instant) -> Bool

  /// The view comes on top, or is covered or gone.
  func didAppear()
  func didDisappear()
}

extension ScreenView {
  func didDraw(rowsWritten: Int, at time: ContinuousClock.Instant) -> Bool { false }
  func didAppear() {}
  func didDisappear() {}
}
