import Foundation

/// The signals that concern a program with a screen.
enum TerminalSignals {
  /// Those that end a program where it stands.
  ///
  /// The terminal is given back first.
  private static let crashes = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT,
  ]

  /// Those that the reader of keys is told of.
  private static let events = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]

  /// Takes them; those of `events` come as bytes from the pipe.
  static func take(pipe: Int32) {
    UnsafeTerminalState.memory.pointee.pipe = pipe
    UnsafeTerminalState.makeSignalStack()
    for number in crashes { UnsafeTerminalState.handle(number, crashed) }
    for number in events { UnsafeTerminalState.handle(number, noticed) }
  }

  /// Leaves them to who took them before.
  static func release() {
    for number in crashes + events { UnsafeTerminalState.release(number) }
    UnsafeTerminalState.memory.pointee.pipe = -1
  }

  /// Stops the process, as Control-Z does without us; returns when it goes on.
  static func stop() {
    _ = signal(SIGTSTP, SIG_DFL)
    unblock(SIGTSTP)
    raise(SIGTSTP)
    _ = signal(SIGTSTP, noticed)
  }

  /// Ends the process by a signal.
  static func end(_ number: Int32) {
    _ = signal(number, SIG_DFL)
    unblock(number)
    raise(number)
  }

  /// Lets a signal reach this thread.
  ///
  /// Threads of a dispatch queue, on which the main actor may run, block signals, and those that they start do too.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static let crashed: @convention(c) (Int32) -> Void = { number in
    UnsafeTerminalState.giveBack()
    // The next in line, such as Swift's backtrace, gets the signal when this one has returned.
    UnsafeTerminalState.release(number)
    raise(number)
  }

  private static let noticed: @convention(c) (Int32) -> Void = { number in
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(UnsafeTerminalState.memory.pointee.pipe, &byte, 1)
    errno = before
  }
}
