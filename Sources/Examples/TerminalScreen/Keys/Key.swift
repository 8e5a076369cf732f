/// A key as the user sees it, whatever bytes a terminal sends for it.
package enum Key: Hashable, Sendable {
  /// A character that can be typed.
  ///
  /// A combining mark arrives alone.
  case character(Character)
  /// A letter in lower case, with Control held.
  case control(Character)
  case up, down, left, right
  case pageUp, pageDown, home, end
  case enter, escape, tab, backTab, backspace, delete
}
