import Foundation

/// The signals that concern a program with a screen.
enum TerminalSignals {
  /// Those that end a program where it stands.
  ///
  /// The terminal is given back first.
  private static let crashes = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT,
  ]

  /// The others that end a program unless it does something about them.
  private static let endings: [Int32] = {
    var numbers = [SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
    #if os(Linux)
    // What has no name here: SIGSTKFLT, SIGIO and SIGPWR, and the real-time signals after those of the system.
    numbers += [16, 29, 30] + Array(34...64)
    #endif
    return numbers
  }()

  /// Those that stop a program in the background, or whenever somebody sends one.
  private static let stops = [SIGTTIN, SIGTTOU]

  /// Those that the reader of keys is told of.
  private static let events = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]

  /// Takes them; those of `events` come as bytes from the pipe.
  static func take() {
    UnsafeTerminalState.makeSignalStack()
    for number in crashes { UnsafeTerminalState.handle(number, crashed) }
    for number in events { UnsafeTerminalState.handle(number, noticed) }
    for number in endings { UnsafeTerminalState.handleIfDefault(number, crashed) }
    takeStops()
  }

  /// Takes those that stop the program, again if one has.
  static func takeStops() {
    for number in stops { UnsafeTerminalState.handleIfDefault(number, crashed) }
  }

  /// Leaves them to who took them before.
  static func release() {
    for number in crashes + events + endings + stops { UnsafeTerminalState.release(number) }
  }

  /// Stops the process, as Control-Z does without us; returns when it goes on.
  static func stop() {
    _ = signal(SIGTSTP, SIG_DFL)
    unblock(SIGTSTP)
    raise(SIGTSTP)
    _ = signal(SIGTSTP, noticed)
  }

  /// Ends the process by a signal, as it would end without us.
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
    _ = write(UnsafeTerminalState.memory.pointee.pipe.write, &byte, 1)
    errno = before
  }
}
