/// What happens at a terminal.
package enum ScreenEvent: Hashable, Sendable {
  case key(Key)
  /// The screen has another size, or the program is back from the background: draw again.
  case redraw(ScreenSize)
  /// The program is asked to end, by this signal; Control-C is `SIGINT`.
  case end(signal: Int32)
}
