import Foundation
import Testing

/// The page of `Relay` in the documentation: its examples compile, and print what it says.
@Suite(.timeLimit(.minutes(20))) struct RelayPageTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func lines(of path: String) throws -> [String] {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines between each pair of markers, without their common indentation.
  private func blocks(in lines: [String], from start: String, to end: String) -> [[String]] {
    var blocks: [[String]] = []
    var indentation: Int?
    for line in lines {
      let bare = line.drop { $0 == " " }
      if bare == start {
        indentation = line.count - bare.count
        blocks.append([])
      } else if bare == end {
        indentation = nil
      } else if let indentation {
        blocks[blocks.count - 1].append(String(line.dropFirst(indentation)))
      }
    }
    return blocks
  }

  private func shown() throws -> [[String]] {
    blocks(
      in: try lines(of: "Sources/Relays/Relays.docc/Relay.md"), from: "```swift", to: "```")
  }

  /// What the comments of an example say it prints, in their order.
  private func promised(_ example: [String]) -> [String] {
    example.flatMap { line -> [String] in
      guard let comment = line.range(of: "// prints ") else { return [] }
      return line[comment.upperBound...].matches(of: /"([^"]*)"/).map { String($0.output.1) }
    }
  }

  @Test func `What the page shows is what is compiled here`() throws {
    let compiled = blocks(
      in: try lines(of: "Tests/RelaysTests/RelayPageExamples.swift"),
      from: "// PAGE begin", to: "// PAGE end")
    #expect(try shown() == compiled)
    #expect(compiled.count == 7)
  }

  @Test func `The examples print what the page says`() async throws {
    let examples = try shown()
    let runs: [(RelayPageExamples) async -> Void] = [
      { $0.order() }, { $0.reentrancy() }, { $0.cancelling() }, { $0.state() },
      { await $0.end() }, { await $0.operators() }, { await $0.places() },
    ]
    try #require(examples.count == runs.count)
    for (example, run) in zip(examples, runs) {
      let page = RelayPageExamples()
      await run(page)
      #expect(page.lines == promised(example))
    }
    #expect(examples.flatMap(promised).count == 13)
  }
}
