import Foundation
import Testing

/// Notes how often the test that runs has tried its promise, for the table in `Documentation/Tried.md`.
///
///     tried(kills, "kills of a process that commits")
///
/// Nothing is noted unless `.ci/tried` runs the tests, which names a file in `SIGNALBOX_TRIED`. A test
/// that takes its seeds from `seeds` needs no call: their number is noted.
///
/// - Parameters:
///   - count: How many there were.
///   - what: What was counted, in the plural.
public func tried(_ count: Int, _ what: String) {
  guard let path = ProcessInfo.processInfo.environment["SIGNALBOX_TRIED"], let test = Test.current
  else { return }
  let title = (test.displayName ?? test.name).replacing("`", with: "").replacing("()", with: "")
  let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
  guard file >= 0 else { return }
  defer { close(file) }
  // One write, so that lines of tests that run at once don't mix.
  let line = Array("\(title)\t\(count)\t\(what)\n".utf8)
  _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
}
