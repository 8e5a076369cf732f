/// A stack of views.
///
/// The top one is visible.
@MainActor protocol ScreenHost: AnyObject {
  func push(_ view: any ScreenView)
  /// Removes the top view.
  ///
  /// Without a view, the program ends.
  func pop()
  /// Draws the top view again because its rows have changed.
  func setNeedsDisplay()
}
