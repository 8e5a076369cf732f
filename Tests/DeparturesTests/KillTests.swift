import Foundation
import Signalbox
import TestSupport
import Testing

@testable import Departures

@MainActor struct KillTests {
  private func start(_ arguments: [String]) throws -> (Process, FileHandle) {
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    return try startingProcess {
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      return (process, output.fileHandleForReading)
    }
  }

  /// Reads until so many lines have come; each tells of a commit.
  private func read(_ lines: Int, from handle: FileHandle) {
    var count = 0
    while count < lines {
      let data = handle.availableData
      if data.isEmpty { return }
      count += data.count { $0 == UInt8(ascii: "\n") }
    }
  }

  @Test(
    .enabled(if: BuiltProgram.isThere),
    arguments: [SIGKILL, SIGINT])
  func `Stopped in the middle, the store opens and the run goes on`(number: Int32) throws {
    let folder = try Folder()
    let file = folder.file("s.sqlite")
    let (process, output) = try start(["--store", file, "--speed", "300"])
    read(100, from: output)
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    if number == SIGINT { #expect(process.terminationStatus == 130) }

    let tables = try bundledTables()
    let backing = Backing.sqlite(path: file, durability: .normal)
    var options = Options()
    options.verifies = true
    // It compares the stored board with that of the stored tick.
    _ = try Replay(tables, in: backing, options: options)
    let replay = try Replay(tables, in: backing, options: Options())
    guard case .resuming(let tick) = replay.start else {
      Issue.record("It started over")
      return
    }
    // What it told of had been committed.
    #expect(tick >= 100)
    #expect(!replay.remaining.isEmpty)
    try replay.finish()

    let whole = try Replay(tables, in: .inMemory, options: Options())
    try whole.finish()
    #expect(try Report(replay).fingerprint == Report(whole).fingerprint)
    #expect(try Report(replay).soFar == Report(whole).soFar)
  }
}
