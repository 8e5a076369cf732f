/// What the place is that a program's output goes to.
package struct TerminalKind: Hashable, Sendable {
  /// Whether it is a screen that can be drawn on; otherwise lines are printed one after another.
  package var isScreen: Bool
  /// Whether colours are wanted there.
  package var isColored: Bool

  /// Judges by the environment; <https://no-color.org> asks for a way to want no colours.
  package init(isTerminal: Bool, environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    isScreen = isTerminal && !name.isEmpty && name != "dumb"
    isColored = isScreen && (environment["NO_COLOR"] ?? "").isEmpty
  }
}
