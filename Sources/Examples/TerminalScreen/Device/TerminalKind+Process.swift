import Foundation

extension TerminalKind {
  /// What standard output is.
  package static var ofStandardOutput: TerminalKind {
    TerminalKind(
      isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)
  }
}
