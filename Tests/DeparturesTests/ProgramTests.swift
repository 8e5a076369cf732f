import Foundation
import Signalbox
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct ProgramTests {
  @Test(arguments: [
    ["--day", "02-09"], ["--by", "plane"], ["--data", "/no/such/folder"], ["--speed", "-1"],
    ["--what"],
  ])
  func `Bad input ends with 2 and leaves no store`(arguments: [String]) async throws {
    let folder = try Folder()
    let file = folder.file("s.sqlite")
    let program = Program(arguments: ["--headless", "--store", file] + arguments)
    #expect(await program.run() == 2)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `A row that doesn't parse leaves a store as it was`() async throws {
    let folder = try Folder(flights: [
      "2013,2,8,0,B6,18,N1,JFK,EWR,99,529,5,32,2013-02-08T10:00:00Z",
      "2013,2,8,0,B6,18,N1,JFK,EWR,ninety,529,5,32,2013-02-08T10:00:00Z",
    ])
    let file = folder.file("s.sqlite")
    do {
      let replay = try Replay(
        bundledTables(), in: .sqlite(path: file, watching: .none), options: Options())
      for _ in 0..<20 { try replay.advance() }
    }
    let bytes = try Data(contentsOf: URL(filePath: file))
    let program = Program(arguments: ["--headless", "--store", file, "--data", folder.url.path])
    #expect(await program.run() == 2)
    #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
  }

  @Test func `A file that is no store is left alone`() async throws {
    let folder = try Folder()
    try folder.write("my novel", to: "novel.txt")
    let program = Program(arguments: ["--headless", "--store", folder.file("novel.txt")])
    #expect(await program.run() == 2)
    #expect(try Data(contentsOf: URL(filePath: folder.file("novel.txt"))) == Data("my novel".utf8))
  }

  @Test func `A cancelled run stops between two commits`() async throws {
    let folder = try Folder()
    let arguments = ["--headless", "--store", folder.file("s.sqlite")]
    let run = Task { await Program(arguments: arguments).run() }
    run.cancel()
    #expect(await run.value == 130)
    #expect(await Program(arguments: arguments).run() == 0)
  }
}
