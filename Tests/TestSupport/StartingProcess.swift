// Where a program can start others.
#if os(macOS) || os(Linux)
internal import CTestProcess
public import Foundation

private let start = NSLock()
/// Held while a process begins or ends, so that the guardian is told of both in this order.
private let guarding = NSLock()

/// Makes the pipes of a process and starts it, while no other test does so.
///
/// Otherwise the other test's process might take one of the pipes with it, which then ends only with that one.
public func startingProcess<Result>(_ body: () throws -> Result) rethrows -> Result {
  try start.withLock(body)
}

/// Opens both ends of a new terminal: one that types, and the one of a program.
public func openTerminal() -> (typing: Int32, program: Int32)? {
  var (typing, program): (Int32, Int32) = (-1, -1)
  return test_process_open_terminal(&typing, &program) ? (typing, program) : nil
}

extension Process {
  /// Runs the process; it ends with the tests at the latest, also when they trap or are killed.
  public func runWithTests() throws {
    terminationHandler = { process in
      guarding.withLock { test_process_release(process.processIdentifier) }
    }
    try guarding.withLock {
      try run()
      test_process_guard(processIdentifier)
    }
  }
}
#endif
