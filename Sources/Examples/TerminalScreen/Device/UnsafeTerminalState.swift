import Foundation

/// The data of signal handlers, in memory that exists before the first handler can run.
///
/// A handler may interrupt anything, including an allocation or a lock. So it only reads and writes
/// this memory, and calls functions that POSIX allows in a handler: `write`, `tcsetattr`,
/// `sigaction`, `raise`.
enum UnsafeTerminalState {
  struct Memory {
    /// The original state of the terminal.
    var found = termios()
    var input: Int32 = -1
    var output: Int32 = -1
    /// The pipe.
    ///
    /// Handlers write the number of their signal to it.
    ///
    /// It is never closed. A handler may run on any thread, and may have begun before the signals
    /// were released.
    let pipe: (read: Int32, write: Int32)
    /// 1 if the terminal has to be restored.
    var isTaken: sig_atomic_t = 0
    /// The text that shows the cursor, ends all styles and leaves the alternate screen.
    var farewell: UnsafeMutablePointer<UInt8>
    var farewellCount: Int
    /// The previous action for each signal.
    var actions: UnsafeMutablePointer<sigaction>
  }

  // One process has one terminal. The code that takes it holds the lock of `TerminalDevice`.
  nonisolated(unsafe) static let memory: UnsafeMutablePointer<Memory> = {
    let text = Array("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l".utf8)
    let farewell = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
    farewell.initialize(from: text, count: text.count)
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    memory.initialize(
      to: Memory(
        pipe: makePipe(), farewell: farewell, farewellCount: text.count, actions: actions))
    return memory
  }()

  private static func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }

  /// Restores the terminal if it was taken.
  ///
  /// A handler may call it.
  static func giveBack() {
    guard memory.pointee.isTaken == 1 else { return }
    memory.pointee.isTaken = 0
    // The attributes are restored first, so both are restored once the screen is.
    _ = tcsetattr(memory.pointee.input, TCSANOW, &memory.pointee.found)
    _ = write(memory.pointee.output, memory.pointee.farewell, memory.pointee.farewellCount)
  }

  /// Sets the handler of a signal, and stores the previous one.
  static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    _ = sigaction(number, nil, &memory.pointee.actions[Int(number)])
    _ = signal(number, handler)
    // A stack that has overflowed can't run a handler. The second stack can.
    var action = sigaction()
    _ = sigaction(number, nil, &action)
    action.sa_flags |= SA_ONSTACK
    _ = sigaction(number, &action, nil)
  }

  /// Sets the handler of a signal if the signal has the default action.
  ///
  /// It isn't set if the signal is ignored or has another handler.
  static func handleIfDefault(
    _ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var found = sigaction()
    // This only reads the action. The previous handler may take more arguments than the number, and
    // `signal` can't restore such a handler.
    _ = sigaction(number, nil, &found)
    switch address(in: found) {
    case unsafeBitCast(SIG_DFL, to: Int.self): handle(number, handler)
    // The signal was handled before and hasn't been released.
    case unsafeBitCast(handler, to: Int.self): break
    default: memory.pointee.actions[Int(number)] = found
    }
  }

  /// Returns the address of the handler, which is the first word on every platform.
  private static func address(in action: sigaction) -> Int {
    withUnsafeBytes(of: action) { $0.load(as: Int.self) }
  }

  /// Restores the previous handler of a signal.
  static func release(_ number: Int32) {
    _ = sigaction(number, &memory.pointee.actions[Int(number)], nil)
  }

  /// Creates a second stack for this thread, on which a handler runs.
  static func makeSignalStack() {
    var stack = stack_t()
    stack.ss_size = 64 * 1024
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: Int(stack.ss_size), alignment: 16)
    _ = sigaltstack(&stack, nil)
  }
}
