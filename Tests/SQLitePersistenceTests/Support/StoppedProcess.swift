import Foundation
import TestSupport
import Testing

/// The two sides of a test in which a process stops another one.
///
/// The child says its number with `wait()` at the place where it is to be stopped, and goes on from
/// there when the parent has called `goOn()`.
struct StoppedProcess {
  private let number: String
  private let permission: String

  init(_ name: String) {
    number = name + ".pid"
    permission = name + ".go"
  }

  // MARK: The child

  /// Waits to be stopped, and to go on.
  func wait() {
    let process = ProcessInfo.processInfo.processIdentifier
    try? "\(process)\n".write(toFile: number, atomically: true, encoding: .utf8)
    precondition(Self.text(of: permission) != nil, "The parent doesn't let this process go on")
  }

  // MARK: The parent

  /// Stops the child, and runs `body` while it is stopped.
  ///
  /// `body` may let it go on before it ends.
  func whileStopped<Result>(_ body: () throws -> Result) throws -> Result {
    guard let child = child() else { throw CocoaError(.executableNotLoadable) }
    kill(child, SIGSTOP)
    defer { goOn() }
    return try body()
  }

  /// Lets the child go on.
  func goOn() {
    if let child = child() { kill(child, SIGCONT) }
    try? "\n".write(toFile: permission, atomically: true, encoding: .utf8)
  }

  private func child() -> pid_t? {
    Self.text(of: number).flatMap { pid_t($0.dropLast()) }
  }

  /// Returns the text of a file that the other process writes.
  private static func text(of path: String) -> String? {
    var text: String?
    let isThere = becomesTrueBlocking {
      text = try? String(contentsOfFile: path, encoding: .utf8)
      return text?.hasSuffix("\n") ?? false
    }
    return isThere ? text : nil
  }
}
