import Foundation
import Signalbox
import TestSupport
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct KillTests {
  @Test(
    .enabled(if: BuiltProgram.isThere),
    arguments: [SIGKILL, SIGINT, SIGTERM, SIGHUP])
  func `After a stop in the middle, the store opens and the run continues`(number: Int32)
    async throws
  {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    let file = folder.file("s.sqlite")
    let (isBySignal, status) = try await onOwnThread {
      let program = try RunningProgram(
        BuiltProgram.url.path, ["--store", file, "--speed", "300"])
      // Each line tells of a commit.
      for _ in 0..<100 { _ = try #require(program.line()) }
      program.kill(number)
      let isBySignal = program.process.terminationReason == .uncaughtSignal
      return (isBySignal, program.process.terminationStatus)
    }
    #expect(isBySignal && status == number)

    let tables = try bundledTables()
    let backing = StorageKind.sqlite(path: file, durability: .normal)
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
    // The expression names no replay: a failure would print all of its ticks.
    let isAtEnd = replay.remaining.isEmpty
    #expect(!isAtEnd)
    try replay.finish()

    let whole = try Replay(tables, in: .inMemory, options: Options())
    try whole.finish()
    #expect(try Report(replay).fingerprint == Report(whole).fingerprint)
    #expect(try Report(replay).soFar == Report(whole).soFar)
  }
}
