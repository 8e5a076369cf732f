import Foundation
import Signalbox
import TestSupport
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct StreamTests {
  private func replay(_ count: Int = 40) throws -> Replay {
    var tables = try bundledTables()
    tables.flights = Array(tables.flights.prefix(count))
    return try Replay(tables, in: .inMemory, options: Options())
  }

  /// A line as a client in Swift reads it.
  private func page(_ line: Data) throws -> FeedPage<BoardRow> {
    try JSONDecoder().decode(FeedPage<BoardRow>.self, from: line)
  }

  @Test func `F14: A client that applies every line has the board`() throws {
    let replay = try replay()
    let stream = BoardStream(replay.presenter, of: replay.dispatcher.tables.fingerprint)
    try stream.start(after: nil)
    var list = FeedList<BoardRow>()
    try list.apply(page(try #require(try stream.line())))
    #expect(try stream.line() == nil)
    while !replay.remaining.isEmpty {
      try replay.advance()
      try list.apply(page(try #require(try stream.line())))
      let rows = list.sections.map { $0.rows.map(\.content) }
      #expect(rows == replay.presenter.board.map(\.rows))
    }
    let last = try #require(try stream.line(isLast: true))
    #expect(String(decoding: last, as: UTF8.self).contains("\"end\":true"))
  }

  @Test
  func `F14: A cursor of another run of the same data continues, one with another sum is a reset`()
    throws
  {
    let (one, other) = (try replay(), try replay())
    for _ in 0..<30 {
      try one.advance()
      try other.advance()
    }
    let stream = BoardStream(one.presenter, of: one.dispatcher.tables.fingerprint)
    try stream.start(after: nil)
    _ = try stream.line()
    let cursor = try #require(stream.cursor)

    let resumed = BoardStream(other.presenter, of: other.dispatcher.tables.fingerprint)
    try resumed.start(after: .cursor(cursor))
    #expect(try resumed.line() == nil)
    try other.advance()
    let next = try page(try #require(try resumed.line()))
    guard case .changes(let changes) = next.news else {
      Issue.record("It isn't told the change")
      return
    }
    #expect(changes.after == cursor)

    let wrong = FeedCursor(feed: cursor.feed, version: cursor.version, sum: cursor.sum &+ 1)
    let reset = BoardStream(other.presenter, of: other.dispatcher.tables.fingerprint)
    try reset.start(after: .cursor(wrong))
    let whole = try page(try #require(try reset.line()))
    guard case .reset = whole.news else {
      Issue.record("It isn't told the whole board")
      return
    }
  }

  /// Whether the programs are there, and what is missing otherwise.
  nonisolated private static let hasPrograms = BuiltProgram.isThere && BuiltProgram.python != nil

  /// Runs the client until so many pages have come, or to the end; gives what it printed.
  ///
  /// It is for a thread of its own, since it waits for other processes.
  nonisolated private static func runClient(
    _ state: String, _ arguments: [String], pages: Int? = nil
  ) throws -> [String] {
    let client = try RunningProgram(
      try #require(BuiltProgram.python),
      [BuiltProgram.testFile("StreamClient/stream_client.py").path, state, BuiltProgram.url.path]
        + arguments)
    guard let pages else {
      let lines = client.lines()
      client.process.waitUntilExit()
      try #require(client.process.terminationStatus == 0)
      return lines
    }
    var lines: [String] = []
    while lines.count < pages, let line = client.line() { lines.append(line) }
    client.kill()
    return lines
  }

  /// What the client prints that is never killed, run once for all tests.
  nonisolated private static let uninterrupted = Result {
    let folder = try Folder()
    return try runClient(folder.file("whole"), ["--stream", "--headless", "--by", "carrier"])
  }

  @Test(.enabled(if: hasPrograms, "the program isn't built, or there is no python3"))
  func `A client in Python that is killed and resumed anywhere ends with the same sum`()
    async throws
  {
    let folder = try Folder()
    let arguments = ["--stream", "--headless", "--by", "carrier"]
    let whole = try await onOwnThread { try Self.uninterrupted.get() }
    let sum = try #require(whole.last)
    #expect(sum.hasPrefix("sum "))
    #expect(whole.count > 900)

    let lines = try await onOwnThread {
      var random = SeededGenerator(number: 9)
      var lines: [String] = []
      for _ in 0..<rounds(20) {
        lines += try Self.runClient(
          folder.file("killed"), arguments, pages: Int.random(in: 1...250, using: &random))
      }
      return lines + (try Self.runClient(folder.file("killed"), arguments))
    }
    #expect(lines.last == sum)
    // Each version can be made again, so nobody is told the whole board twice.
    #expect(lines.count { $0 == "reset" } == 1)
  }

  @Test(.enabled(if: hasPrograms, "the program isn't built, or there is no python3"))
  func `On a file a client that is behind gets the whole board, and ends with the same sum`()
    async throws
  {
    let folder = try Folder()
    let file = folder.file("s.sqlite")
    let arguments = ["--stream", "--headless", "--by", "carrier", "--store", file]
    let (last, expected) = try await onOwnThread {
      for pages in [3, 200] {
        _ = try Self.runClient(folder.file("killed"), arguments, pages: pages)
      }
      let last = try Self.runClient(folder.file("killed"), arguments).last
      return (last, try Self.uninterrupted.get().last)
    }
    #expect(last == expected)
  }

  @Test(.enabled(if: BuiltProgram.isThere))
  func `A reader that closes the pipe ends the program without a failure`() async throws {
    let folder = try Folder()
    let program = BuiltProgram.url.path
    for arguments in ["--stream --headless", "--speed 5000 --store \(folder.file("s.sqlite"))"] {
      let count = try await onOwnThread {
        let shell = try RunningProgram(
          "/bin/sh",
          ["-c", "('\(program)' \(arguments); echo $? > '\(folder.file("status"))') | head -n 3"])
        let count = shell.lines().count
        shell.process.waitUntilExit()
        return count
      }
      #expect(count == 3)
      let status = try String(contentsOfFile: folder.file("status"), encoding: .utf8)
      #expect(status == "0\n")
    }
  }
}
