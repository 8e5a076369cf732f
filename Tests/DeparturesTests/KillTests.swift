import Foundation
import Signalbox
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct KillTests {
  @Test(
    .enabled(if: BuiltProgram.isThere),
    arguments: [SIGKILL, SIGINT, SIGTERM, SIGHUP])
  func `After a stop in the middle, the store opens and the run continues`(number: Int32) throws {
    let folder = try Folder()
    let file = folder.file("s.sqlite")
    let program = try RunningProgram(
      BuiltProgram.url.path, ["--store", file, "--speed", "300"])
    // Each line tells of a commit.
    for _ in 0..<100 { _ = try #require(program.line()) }
    program.kill(number)
    #expect(program.process.terminationReason == .uncaughtSignal)
    #expect(program.process.terminationStatus == number)

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
