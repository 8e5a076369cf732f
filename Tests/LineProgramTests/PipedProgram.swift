#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// A built program that runs, with pipes to write its input and read its output.
final class PipedProgram {
  private let process = Process()
  private let input: Pipe
  private let output: Pipe
  private let errors: Pipe
  private var pending = Data()

  static func url(_ name: String) -> URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
  }

  static func isBuilt(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: url(name).path)
  }

  init(_ name: String, _ arguments: [String]) throws {
    process.executableURL = Self.url(name)
    process.arguments = arguments
    let process = process
    (input, output, errors) = try startingProcess {
      let pipes = (Pipe(), Pipe(), Pipe())
      process.standardInput = pipes.0
      process.standardOutput = pipes.1
      process.standardError = pipes.2
      try process.runWithTests()
      return pipes
    }
    // Stops a test that would wait forever: then the program's output ends. A thread of its own does
    // so, because tests that wait take the others. A program that a test starts may block a milder
    // signal, as the test's thread does.
    Thread { [weak process] in
      Thread.sleep(forTimeInterval: 300)
      if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }.start()
  }

  /// Writes a line of input.
  ///
  /// A program that has ended reads none, and the signal for that would end the tests.
  func write(_ line: String) throws {
    try #require(process.isRunning)
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Reads lines up to one that begins with a text, and returns that one; nil at the end.
  func line(_ beginning: String) -> String? {
    while let line = nextLine() {
      if line.hasPrefix(beginning) { return line }
    }
    return nil
  }

  private func nextLine() -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending = pending[(end + 1)...] }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      pending += data
    }
  }

  /// Ends the input, and returns all lines that are left, the errors and the exit status.
  func end() throws -> (lines: [String], errors: String, status: Int32) {
    try input.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    let data = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (lines, String(decoding: data, as: UTF8.self), process.terminationStatus)
  }
}
#endif
