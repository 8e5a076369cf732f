/// The kind of destination of a program's output.
package struct TerminalKind: Hashable, Sendable {
  /// True if it is a screen to draw on.
  ///
  /// Otherwise lines are printed one after another.
  package var isScreen: Bool
  /// True if the user wants colours there.
  package var isColored: Bool

  /// Creates the kind from the environment.
  ///
  /// See <https://no-color.org> for how a user turns colours off.
  package init(isTerminal: Bool, environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    isScreen = isTerminal && !name.isEmpty && name != "dumb"
    isColored = isScreen && (environment["NO_COLOR"] ?? "").isEmpty
  }
}
