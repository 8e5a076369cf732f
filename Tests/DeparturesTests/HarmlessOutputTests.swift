#if os(macOS) || os(Linux)
import EntityStore
import Foundation
import TestSupport
import Testing

@testable import Departures
@testable import DeparturesModel

/// What names and files bring with them stays in its line, and does nothing to a terminal.
struct HarmlessOutputTests {
  private let evil = "A\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{2028}\u{85}\u{7F}é🚃\u{E0067}"

  /// Whether each line, whose end is all that controls anything, is one.
  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isHarmless }
  }

  @Test func `A line of JSON says the same with escapes, and a line of text has them written out`()
    throws
  {
    let path = temporaryPath("lines")
    let file = open(path, O_CREAT | O_RDWR, 0o600)
    defer { close(file) }
    let output = LineOutput(descriptor: file)
    try output.print(json: JSONEncoder().encode([evil]))
    try output.print(json: JSONEncoder().encode(["Ann é"]))
    try output.print(evil + "\n")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(isHarmless(text))
    let lines = text.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(try JSONDecoder().decode([String].self, from: Data(lines[0].utf8)) == [evil])
    #expect(lines[1] == "[\"Ann é\"]")
    #expect(
      lines[2] == #"A\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{2028}\u{85}\u{7F}é🚃\u{E0067}\n"#)
  }

  @Test func `Every scalar that isn't harmless stands in a line of JSON as an escape`() throws {
    let path = temporaryPath("scalars")
    let file = open(path, O_CREAT | O_RDWR, 0o600)
    defer { close(file) }
    var all = ""
    for value in UInt32(0x20)...0x10FFFF {
      if let scalar = Unicode.Scalar(value), !scalar.isHarmless {
        all.unicodeScalars.append(scalar)
      }
    }
    try LineOutput(descriptor: file).print(json: JSONEncoder().encode([all]))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(isHarmless(text))
    #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == [all])
  }

  @Test func `The description of a mistake is harmless, and no longer than a page`() {
    let error = InputError("\"\(evil)\" is wrong", file: "/\(evil)", line: 3, column: 9)
    #expect("\(error)".isHarmless)
    #expect("\(error)".contains(#"\u{2028}\u{85}\u{7F}é🚃\u{E0067}:3:9: "A\u{1B}[2J"#))
    #expect("\(InputError(String(repeating: "x\n", count: 50_000)))".utf8.count < 5000)
  }

  @Test(.enabled(if: BuiltProgram.isThere))
  func `Whatever the arguments and tables are, standard error has one harmless line`() throws {
    let folder = try Folder(flights: ["2013,2,8,\(evil),B6,18,N1,JFK,EWR,99,529,5,32,x"])
    let file = folder.file("s.sqlite")
    let header = try Folder()
    try header.write("\(evil),\(evil)\n", to: "airlines.csv")
    let long = String(repeating: "x\n", count: 50_000)
    for arguments in [
      ["--data", folder.url.path], ["--data", header.url.path], ["--data", "/\(evil)"],
      ["--\(evil)"], [evil], ["--by", evil], ["--day", evil], ["--speed", evil], ["--after", evil],
      ["--stream", "--after", evil], ["--fresh=\(evil)"], ["--verify-every", evil],
      ["--day", long], [long], ["--store", "/\(evil)/\(evil)"], ["--store", long],
    ] {
      let errors = folder.file("errors")
      #expect(FileManager.default.createFile(atPath: errors, contents: nil))
      let process = Process()
      process.executableURL = BuiltProgram.url
      process.arguments = ["--headless", "--store", file] + arguments
      let handle = try #require(FileHandle(forWritingAtPath: errors))
      process.standardError = handle
      process.standardOutput = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try startingProcess { try process.runWithTests() }
      process.waitUntilExit()
      try handle.close()
      #expect(process.terminationStatus == 2)
      let text = try String(contentsOfFile: errors, encoding: .utf8)
      #expect(isHarmless(text), "\(arguments.map(\.debugDescription))")
      #expect(text.split(separator: "\n").count == 1)
      #expect(text.hasPrefix("departures: ") && text.utf8.count < 10_000)
    }
  }
}
#endif
