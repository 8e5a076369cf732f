#if PostgreSQL
import Fixtures
import Foundation
import TestSupport
import Testing

/// A program whose output is a file, so that it never waits for a reader.
private final class FiledProgram {
  private(set) var process = Process()
  private let output = NSTemporaryDirectory() + "signalbox-output-\(UUID().uuidString.prefix(8))"
  private let arguments: [String]

  init(_ arguments: [String]) throws {
    self.arguments = arguments
    try start(arguments)
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: output)
  }

  private func start(_ arguments: [String]) throws {
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let file = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardOutput = file
    process.standardError = file
    try startingProcess { try process.runWithTests() }
    try file.close()
  }

  /// Kills the program, and starts it again.
  func killAndStart(without option: String? = nil) throws {
    kill()
    process.waitUntilExit()
    try start(arguments.filter { $0 != option })
  }

  /// Kills the program, unless it has ended: another process may have its number then.
  private func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  var lines: [String] {
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  var checkSum: String? { lines.last { $0.hasPrefix("check sum") } }
}

@Suite struct ServerBoardsTests {
  /// Starts a program again that has ended because the server was away.
  private func startAgain(_ one: FiledProgram) throws {
    #expect(one.lines.last?.contains("server") ?? false, "\(one.lines.suffix(3))")
    #expect(!one.lines.contains { $0.contains("at tick") }, "\(one.lines.suffix(3))")
    try one.killAndStart(without: "--fresh")
  }

  @Test(.enabled(if: BuiltProgram.isThere))
  func `P5: boards on several machines stay equal, whatever is killed and started again`() throws {
    let server = try TestServer(settings: ["shared_buffers=32MB"])
    defer { server.stop() }
    let store = ["--store", server.connectionString]
    let board = store + ["--follow", "--headless", "--verify"]
    var random = SeededGenerator(seed: UInt64(Date().timeIntervalSince1970))
    var kills = [0, 0, 0]
    for _ in 0..<rounds(10) {
      // On a slow machine, programs that are killed again and again would come to no end.
      var (troubles, starts) = (0, 0)
      let committer = try FiledProgram(
        store + ["--fresh", "--speed", "120", "--verify-every", "50"])
      // The day of before is over until this one has begun.
      expectTrue(becomesTrueBlocking { committer.lines.count > 3 })
      let boards = try (0..<2).map { _ in try FiledProgram(board) }
      while committer.process.isRunning || committer.process.terminationStatus != 0 {
        Thread.sleep(forTimeInterval: Double.random(in: 0.2...1.5, using: &random))
        let what = troubles < 30 ? Int.random(in: 0..<4, using: &random) : 3
        if what < 3 { troubles += 1 }
        switch what {
        case 0:
          kills[0] += 1
          try committer.killAndStart(without: "--fresh")
        case 1:
          kills[1] += 1
          try boards[kills[1] % 2].killAndStart()
        case 2:
          kills[2] += 1
          try server.run(kills[2] % 2 == 0 ? .crash : .kill)
        default: break
        }
        // A program ends if the server is away when it starts, and a replay when it commits. Its user
        // starts it again.
        for one in [committer] + boards
        where !one.process.isRunning && one.process.terminationStatus != 0 {
          starts += 1
          try #require(starts < 200)
          try startAgain(one)
        }
      }
      for one in boards {
        // One that was starting when the server went away may end late.
        let isOver = becomesTrueBlocking { !one.process.isRunning }
        if isOver && one.process.terminationStatus != 0 { try startAgain(one) }
      }
      let end = try FiledProgram(store + ["--headless"])
      end.process.waitUntilExit()
      let sum = try #require(end.checkSum)
      for one in boards {
        let isOver = becomesTrueBlocking { !one.process.isRunning }
        #expect(isOver && one.process.terminationStatus == 0, "\(one.lines.suffix(3))")
        #expect(one.checkSum == sum)
        #expect(one.lines.contains { $0.hasPrefix("verified") })
      }
    }
    print("killed: \(kills[0]) replays, \(kills[1]) boards, \(kills[2]) servers")
  }
}
#endif
