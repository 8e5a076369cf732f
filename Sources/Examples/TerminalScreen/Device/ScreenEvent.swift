/// An event of a terminal.
package enum ScreenEvent: Hashable, Sendable {
  case key(Key)
  /// The screen has another size, or the program has returned from the background: draw again.
  case redraw(ScreenSize)
  /// A signal asks the program to end.
  ///
  /// Control-C is `SIGINT`.
  case end(signal: Int32)
}
