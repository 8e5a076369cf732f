/// A reason why the terminal can't be used as a screen.
package enum TerminalError: Error, Hashable, CustomStringConvertible {
  /// There is no terminal to read keys from.
  case noKeyboard

  package var description: String {
    "there is no terminal to read keys from; send the output through a pipe to have it as text"
  }
}
