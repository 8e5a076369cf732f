import Foundation
import TerminalScreen

/// The stream for what isn't the program's result: progress, and what went wrong.
enum StandardError {
  static var isScreen: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes a line, with what isn't harmless written out.
  ///
  /// - Parameters:
  ///   - line: what it says; names and values from outside may stand in it.
  ///   - start: what comes before it, as it is.
  ///   - terminator: what comes after it, as it is.
  static func print(_ line: String, start: String = "", terminator: String = "\n") {
    try? FileHandle.standardError.write(
      contentsOf: Data((start + harmlessLine(line) + terminator).utf8))
  }
}
