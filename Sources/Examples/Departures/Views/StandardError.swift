import Foundation
import TerminalScreen

/// The stream for everything that isn't the program's result: progress and errors.
enum StandardError {
  static var isScreen: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes a line.
  ///
  /// Characters that aren't harmless are written out.
  ///
  /// - Parameters:
  ///   - line: The text, which may contain names and values from outside.
  ///   - start: The text before it, which is written unchanged.
  ///   - terminator: The text after it, which is written unchanged.
  static func print(_ line: String, start: String = "", terminator: String = "\n") {
    try? FileHandle.standardError.write(
      contentsOf: Data((start + harmlessLine(line) + terminator).utf8))
  }
}
