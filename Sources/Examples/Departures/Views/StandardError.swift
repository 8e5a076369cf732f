import Foundation

/// The stream for what isn't the program's result: progress, and what went wrong.
enum StandardError {
  static var isScreen: Bool { isatty(STDERR_FILENO) == 1 }

  static func print(_ line: String, terminator: String = "\n") {
    try? FileHandle.standardError.write(contentsOf: Data((line + terminator).utf8))
  }
}
