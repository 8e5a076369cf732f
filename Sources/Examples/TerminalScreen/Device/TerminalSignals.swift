import Foundation

/// The signals that a program with a screen handles.
enum TerminalSignals {
  /// The signals that end a program at any point.
  ///
  /// The terminal is restored first.
  private static let crashes = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT,
  ]

  /// The other signals that end a program by default.
  private static let endings: [Int32] = {
    var numbers = [SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
    #if os(Linux)
    // Signals without a name here: SIGSTKFLT, SIGIO and SIGPWR, and the real-time signals after
    // those of the system.
    numbers += [16, 29, 30] + Array(34...64)
    #endif
    return numbers
  }()

  /// The signals that stop a program in the background, or when another process sends one.
  private static let stops = [SIGTTIN, SIGTTOU]

  /// The signals that are sent to the reader of keys.
  private static let events = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]

  /// Handles the signals.
  ///
  /// The signals in `events` arrive as bytes in the pipe.
  static func take() {
    UnsafeTerminalState.makeSignalStack()
    for number in crashes { UnsafeTerminalState.handle(number, crashed) }
    for number in events { UnsafeTerminalState.handle(number, noticed) }
    for number in endings { UnsafeTerminalState.handleIfDefault(number, crashed) }
    takeStops()
  }

  /// Handles the signals that stop the program.
  ///
  /// Call it again after a stop.
  static func takeStops() {
    for number in stops { UnsafeTerminalState.handleIfDefault(number, crashed) }
  }

  /// Restores the previous handlers.
  static func release() {
    for number in crashes + events + endings + stops { UnsafeTerminalState.release(number) }
  }

  /// Stops the process, as Control-Z does by default.
  ///
  /// It returns when the process continues.
  static func stop() {
    _ = signal(SIGTSTP, SIG_DFL)
    unblock(SIGTSTP)
    raise(SIGTSTP)
    _ = signal(SIGTSTP, noticed)
  }

  /// Ends the process by a signal, as the signal does by default.
  static func end(_ number: Int32) {
    _ = signal(number, SIG_DFL)
    unblock(number)
    raise(number)
  }

  /// Unblocks a signal for this thread.
  ///
  /// Threads of a dispatch queue block signals, and so do the threads that they start. The main
  /// actor may run on such a thread.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static let crashed: @convention(c) (Int32) -> Void = { number in
    UnsafeTerminalState.giveBack()
    // The next handler, such as Swift's backtrace, gets the signal when this one has returned.
    UnsafeTerminalState.release(number)
    raise(number)
  }

  private static let noticed: @convention(c) (Int32) -> Void = { number in
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(UnsafeTerminalState.memory.pointee.pipe.write, &byte, 1)
    errno = before
  }
}
