import Foundation
import TestSupport
import Testing

@testable import TerminalScreen

// Each in a process of its own, which a signal may end, and whose handlers are nobody else's.

/// What is done about a signal.
private func action(_ number: Int32) -> sigaction {
  var action = sigaction()
  precondition(sigaction(number, nil, &action) == 0)
  return action
}

/// The address of a handler, which is the first word.
private func handler(_ action: sigaction) -> Int {
  withUnsafeBytes(of: action) { $0.load(as: Int.self) }
}

@Suite(.timeLimit(.minutes(20))) struct `Signals that another handler has taken` {
  @Test func `A handler that takes more than the number stays as it was`() async {
    await #expect(processExitsWith: .success) {
      let own: @convention(c) (Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void =
        { _, _, _ in }
      var taken = sigaction()
      withUnsafeMutableBytes(of: &taken) {
        $0.storeBytes(of: unsafeBitCast(own, to: Int.self), as: Int.self)
      }
      taken.sa_flags |= SA_SIGINFO
      sigaddset(&taken.sa_mask, SIGUSR2)
      precondition(sigaction(SIGUSR1, &taken, nil) == 0)
      func expectItIsThere() {
        let found = action(SIGUSR1)
        precondition(handler(found) == unsafeBitCast(own, to: Int.self))
        precondition(found.sa_flags & SA_SIGINFO != 0)
        var mask = found.sa_mask
        precondition(sigismember(&mask, SIGUSR2) == 1)
      }
      expectItIsThere()
      UnsafeTerminalState.handleIfDefault(SIGUSR1) { _ in }
      expectItIsThere()
      UnsafeTerminalState.release(SIGUSR1)
      expectItIsThere()
    }
  }

  @Test func `An ignored signal stays ignored, and an unhandled one is taken and given back`() async
  {
    await #expect(processExitsWith: .success) {
      let own: @convention(c) (Int32) -> Void = { _ in }
      _ = signal(SIGUSR1, SIG_IGN)
      UnsafeTerminalState.handleIfDefault(SIGUSR1, own)
      precondition(handler(action(SIGUSR1)) == unsafeBitCast(SIG_IGN, to: Int.self))
      _ = signal(SIGUSR2, SIG_DFL)
      // The second time it finds its own handler, which isn't what was there before.
      for _ in 0..<2 {
        UnsafeTerminalState.handleIfDefault(SIGUSR2, own)
        precondition(handler(action(SIGUSR2)) == unsafeBitCast(own, to: Int.self))
      }
      UnsafeTerminalState.release(SIGUSR2)
      precondition(handler(action(SIGUSR2)) == unsafeBitCast(SIG_DFL, to: Int.self))
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct `A reader of keys and signals` {
  /// Makes a terminal the standard input, and gives the end that types.
  private static func makeTerminal() -> Int32 {
    guard let (typing, program) = openTerminal(), dup2(program, STDIN_FILENO) == STDIN_FILENO else {
      preconditionFailure("No terminal could be made")
    }
    return typing
  }

  @Test func `A handler that still runs when it has stopped writes to its pipe alone`() async {
    await #expect(processExitsWith: .success) {
      _ = Self.makeTerminal()
      let (_, events) = AsyncStream<ScreenEvent>.makeStream()
      let reader = TerminalReader(try TerminalDevice(), events)
      reader.start()
      // Another thread's handler has just read where to write to.
      let end = UnsafeTerminalState.memory.pointee.pipe.write
      reader.stop()
      precondition(fcntl(end, F_GETFD) >= 0)
      let file = open("/dev/null", O_RDWR)
      precondition(file >= 0 && file != end)
    }
  }

  @Test func `When it has stopped another one can begin, and gets keys and signals`() async {
    await #expect(processExitsWith: .success) {
      // For one that isn't told.
      alarm(1200)
      let typing = Self.makeTerminal()
      let device = try TerminalDevice()
      var first: Int32?
      for _ in 0..<20 {
        let (told, events) = AsyncStream<ScreenEvent>.makeStream()
        let reader = TerminalReader(device, events)
        reader.start()
        // Not `raise`, since the thread of a task may block signals.
        kill(getpid(), SIGWINCH)
        var next = told.makeAsyncIterator()
        guard case .redraw = await next.next() else { preconditionFailure("Not told of a signal") }
        precondition(write(typing, "a\n", 2) == 2)
        guard await next.next() == .key(.character("a")) else {
          preconditionFailure("Not told of a key")
        }
        reader.stop()
        events.finish()
        let descriptor = open("/dev/null", O_RDWR)
        precondition(descriptor >= 0)
        close(descriptor)
        // None of a reader is left open; the system may open some of its own.
        first = first ?? descriptor
        precondition(descriptor - (first ?? 0) < 10)
      }
    }
  }
}
