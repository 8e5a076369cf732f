import Foundation

/// What signal handlers need, in memory that is there before the first of them can run.
///
/// A handler may interrupt anything, an allocation or a lock included. So it only reads and writes here, and calls what
/// POSIX allows there: `write`, `tcsetattr`, `sigaction`, `raise`.
enum UnsafeTerminalState {
  struct Memory {
    /// How the terminal was found.
    var found = termios()
    var input: Int32 = -1
    var output: Int32 = -1
    /// Handlers write the number of their signal to the second end.
    ///
    /// It is never closed: a handler may run on any thread, also one that began before the signals were released.
    let pipe: (read: Int32, write: Int32)
    /// Whether the terminal has to be given back: 1 if so.
    var isTaken: sig_atomic_t = 0
    /// What shows the cursor, ends all styles and leaves the alternate screen.
    var farewell: UnsafeMutablePointer<UInt8>
    var farewellCount: Int
    /// What was done about each signal before.
    var actions: UnsafeMutablePointer<sigaction>
  }

  // One process has one terminal; whoever takes it holds `TerminalDevice`'s lock.
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

  /// Leaves the terminal as it was found, if it was taken; a handler may call it.
  static func giveBack() {
    guard memory.pointee.isTaken == 1 else { return }
    memory.pointee.isTaken = 0
    // Before whoever looks can see that it is as it was.
    _ = tcsetattr(memory.pointee.input, TCSANOW, &memory.pointee.found)
    _ = write(memory.pointee.output, memory.pointee.farewell, memory.pointee.farewellCount)
  }

  /// Lets `handler` take a signal, and remembers who took it before.
  static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    _ = sigaction(number, nil, &memory.pointee.actions[Int(number)])
    _ = signal(number, handler)
    // A stack that has overflowed can't carry a handler; the other one can.
    var action = sigaction()
    _ = sigaction(number, nil, &action)
    action.sa_flags |= SA_ONSTACK
    _ = sigaction(number, &action, nil)
  }

  /// The same for a signal of which nobody else has taken care, and which isn't ignored.
  static func handleIfDefault(
    _ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var found = sigaction()
    // Only asked for: whoever took it may have it called with more than the number, which `signal` can't give back.
    _ = sigaction(number, nil, &found)
    switch address(in: found) {
    case unsafeBitCast(SIG_DFL, to: Int.self): handle(number, handler)
    // Taken before, and not released.
    case unsafeBitCast(handler, to: Int.self): break
    default: memory.pointee.actions[Int(number)] = found
    }
  }

  /// The address of the handler, which is the first word on every platform.
  private static func address(in action: sigaction) -> Int {
    withUnsafeBytes(of: action) { $0.load(as: Int.self) }
  }

  /// Gives a signal back to who took it before.
  static func release(_ number: Int32) {
    _ = sigaction(number, &memory.pointee.actions[Int(number)], nil)
  }

  /// A second stack for this thread, on which a handler runs.
  static func makeSignalStack() {
    var stack = stack_t()
    stack.ss_size = 64 * 1024
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: Int(stack.ss_size), alignment: 16)
    _ = sigaltstack(&stack, nil)
  }
}
