import Foundation

extension TerminalKind {
  /// The kind of standard output.
  package static var ofStandardOutput: TerminalKind {
    TerminalKind(
      isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)
  }
}
