/// Where views are shown, one on top of the other.
@MainActor protocol ScreenHost: AnyObject {
  func push(_ view: any ScreenView)
  /// Takes the top view away; without the last one the program ends.
  func pop()
  /// The view on top has other rows.
  func setNeedsDisplay()
}
