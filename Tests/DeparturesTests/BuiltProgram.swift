import Foundation
import TestSupport

/// The built program, as a user starts it.
enum BuiltProgram {
  static let url = URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "Departures")

  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: url.path) }

  /// Where Python is, or nil if this machine has none.
  static let python: String? = [
    "/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// A file beside the tests' targets.
  static func testFile(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: path)
  }
}

/// A program that runs, with what it prints.
final class RunningProgram {
  let process = Process()
  private let output: Pipe
  private var pending = Data()

  init(_ path: String, _ arguments: [String]) throws {
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    let process = process
    output = try startingProcess {
      let output = Pipe()
      process.standardOutput = output
      Self.makeSmall(output)
      try process.runWithTests()
      return output
    }
  }

  /// Lets the program get only a few lines ahead of a reader that the machine keeps waiting.
  ///
  /// Otherwise it may have finished before a test stops it in the middle.
  private static func makeSmall(_ pipe: Pipe) {
    #if os(Linux)
    let setPipeSize: Int32 = 1031
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, setPipeSize, 4096)
    #endif
  }

  /// The next line; nil at the end.
  func line() -> String? {
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

  /// All lines that are left.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  func kill(_ number: Int32 = SIGKILL) {
    // Another process may have the number of one that has ended.
    if process.isRunning { Foundation.kill(process.processIdentifier, number) }
    // It may wait for room in the pipe.
    _ = lines()
    process.waitUntilExit()
  }
}
