import Foundation

/// The terminal, which is taken for full-screen use and restored afterwards.
final class TerminalDevice: Sendable {
  /// The lock that is held while the terminal is taken, restored or written to.
  private let lock = NSLock()
  let input: Int32

  /// Creates the device.
  ///
  /// - Throws: ``TerminalError`` if there is no terminal to read keys from.
  init() throws(TerminalError) {
    // Standard input may be a file even if the output is a screen.
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR)
    var found = termios()
    guard input >= 0, tcgetattr(input, &found) == 0 else { throw .noKeyboard }
    UnsafeTerminalState.memory.pointee.found = found
    UnsafeTerminalState.memory.pointee.input = input
    UnsafeTerminalState.memory.pointee.output = STDOUT_FILENO
    // This restores the terminal if the program calls `exit` at any point.
    atexit { UnsafeTerminalState.giveBack() }
  }

  /// The current number of columns and rows.
  var size: ScreenSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return ScreenSize(columns: 80, rows: 24) }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Switches to the alternate screen, and receives each key immediately.
  ///
  /// Control-C and Control-Z remain signals, so they work as in other programs.
  func take() {
    lock.withLock {
      var raw = UnsafeTerminalState.memory.pointee.found
      cfmakeraw(&raw)
      raw.c_lflag |= tcflag_t(ISIG)
      // It is set in advance, because a signal may arrive in between.
      UnsafeTerminalState.memory.pointee.isTaken = 1
      _ = tcsetattr(input, TCSADRAIN, &raw)
      Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[0m\u{1B}[2J")
    }
  }

  /// Restores the terminal.
  ///
  /// Text that is written afterwards is lost.
  func giveBack() {
    lock.withLock { UnsafeTerminalState.giveBack() }
  }

  /// Writes to the screen, if the terminal is taken.
  func write(_ text: String) {
    lock.withLock {
      if UnsafeTerminalState.memory.pointee.isTaken == 1 { Self.write(text) }
    }
  }

  /// Writes the text in one piece if possible, so that nothing flickers.
  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return  // the reader has closed it
      }
      rest = rest.dropFirst(count)
    }
  }
}
