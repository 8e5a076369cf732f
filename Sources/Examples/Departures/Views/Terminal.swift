import Foundation

/// The place where the program is shown: a terminal's screen, or a pipe.
struct Terminal {
  /// Whether standard output is a screen that can be drawn over.
  let isScreen: Bool
  let style: Style

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    isScreen = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
    style = Style(isColored: isScreen && (environment["NO_COLOR"] ?? "").isEmpty)
  }

  /// Columns and lines, as they are now.
  var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Clears the screen and hides the cursor.
  func open() {
    write("\u{1B}[?25l\u{1B}[H\u{1B}[2J")
  }

  /// Draws the lines over what was there, in one write so that nothing flickers.
  func draw(_ lines: [String]) {
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    write("\u{1B}[H" + text + "\u{1B}[J")
  }

  /// Shows the cursor again, below the board.
  func close() {
    write("\u{1B}[?25h\r\n")
  }

  func print(_ line: String) {
    write(line + "\n")
  }

  private func write(_ text: String) {
    // Whoever reads may have gone; then there is nobody to tell.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}

/// The stream for what isn't the program's result: progress, and what went wrong.
enum StandardError {
  static var isScreen: Bool { isatty(STDERR_FILENO) == 1 }

  static func print(_ line: String, terminator: String = "\n") {
    try? FileHandle.standardError.write(contentsOf: Data((line + terminator).utf8))
  }
}
