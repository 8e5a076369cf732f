// Where a program can start others.
#if os(macOS) || os(Linux)
import Foundation

private let start = NSLock()

/// Makes the pipes of a process and starts it, while no other test does so.
///
/// Otherwise the other test's process might take one of the pipes with it, which then ends only with that one.
public func startingProcess<Result>(_ body: () throws -> Result) rethrows -> Result {
  try start.withLock(body)
}
#endif
