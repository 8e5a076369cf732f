import Foundation
import Testing

@testable import Departures
@testable import DeparturesModel

@Suite struct FollowTests {
  private func checkSum(_ lines: [String]) -> String? { lines.first { $0.hasPrefix("check sum") } }

  @Test(.enabled(if: BuiltProgram.isThere))
  func `P5: boards follow a replay that is killed and started again`() throws {
    let folder = try Folder()
    let file = folder.file("s.sqlite")
    let board = ["--store", file, "--follow", "--headless", "--verify"]
    let boards = try (0..<2).map { _ in try RunningProgram(BuiltProgram.url.path, board) }
    // Each line tells of a commit.
    let first = try RunningProgram(BuiltProgram.url.path, ["--store", file, "--speed", "3000"])
    for _ in 0..<60 { _ = try #require(first.line()) }
    first.kill()
    let second = try RunningProgram(BuiltProgram.url.path, ["--store", file, "--headless"])
    let end = try #require(checkSum(second.lines()))
    for board in boards {
      let lines = board.lines()
      board.process.waitUntilExit()
      #expect(board.process.terminationStatus == 0)
      #expect(checkSum(lines) == end)
      #expect(lines.contains { $0.hasPrefix("verified") })
    }
    // A board that comes when the day is over shows its end.
    let last = try RunningProgram(BuiltProgram.url.path, board)
    #expect(checkSum(last.lines()) == end)
  }

  @Test func `P5: a board that follows replays nothing, so such options are refused`() {
    for option in ["--fresh", "--stream"] {
      #expect(throws: InputError.self) { try Options(arguments: ["--follow", option]) }
    }
    #expect((try? Options(arguments: ["--follow"]))?.isFollowing == true)
    let server = try? Options(arguments: ["--store", "postgresql://db/app"])
    #expect(server?.server == "postgresql://db/app" && server?.store == nil)
  }
}
