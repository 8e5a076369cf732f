import Foundation

/// The terminal: taken for full-screen use, and given back as it was found.
final class TerminalDevice: Sendable {
  /// Held by whoever takes the terminal, gives it back or writes to it.
  private let lock = NSLock()
  let input: Int32

  /// - Throws: ``TerminalError`` if there is nothing to read keys from.
  init() throws(TerminalError) {
    // Standard input may be a file, though the output is a screen.
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR)
    var found = termios()
    guard input >= 0, tcgetattr(input, &found) == 0 else { throw .noKeyboard }
    UnsafeTerminalState.memory.pointee.found = found
    UnsafeTerminalState.memory.pointee.input = input
    UnsafeTerminalState.memory.pointee.output = STDOUT_FILENO
    // For those who call `exit` in the middle.
    atexit { UnsafeTerminalState.giveBack() }
  }

  /// Columns and rows, as they are now.
  var size: ScreenSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return ScreenSize(columns: 80, rows: 24) }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Goes over to the alternate screen, and has each key at once.
  ///
  /// Control-C and Control-Z stay signals, so that they work like those of other programs.
  func take() {
    lock.withLock {
      var raw = UnsafeTerminalState.memory.pointee.found
      cfmakeraw(&raw)
      raw.c_lflag |= tcflag_t(ISIG)
      // Before it is so: a signal may come in between.
      UnsafeTerminalState.memory.pointee.isTaken = 1
      _ = tcsetattr(input, TCSADRAIN, &raw)
      Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[0m\u{1B}[2J")
    }
  }

  /// Leaves the terminal as it was found.
  ///
  /// What is written from now on is lost.
  func giveBack() {
    lock.withLock { UnsafeTerminalState.giveBack() }
  }

  /// Writes to the screen, if the terminal is taken.
  func write(_ text: String) {
    lock.withLock {
      if UnsafeTerminalState.memory.pointee.isTaken == 1 { Self.write(text) }
    }
  }

  /// In one piece where that is possible, so that nothing flickers.
  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return  // whoever reads has gone
      }
      rest = rest.dropFirst(count)
    }
  }
}
