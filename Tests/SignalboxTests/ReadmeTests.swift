import Foundation
import Testing

@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// The lines of the first block of a language.
  private func block(_ language: String, of text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: "```\(language)") else { return [] }
    return Array(lines[(start + 1)...].prefix { $0 != "```" })
  }

  /// The lines between two markers, without their common indentation, joined over all such places.
  private func marked(_ marker: String, in text: String) -> [[String]] {
    var places: [[String]] = []
    var indentation: Int?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let bare = line.drop { $0 == " " }
      if bare == "// README \(marker)" {
        indentation = line.count - bare.count
        places.append([])
      } else if bare == "// README end" {
        indentation = nil
      } else if let indentation {
        places[places.count - 1].append(String(line.dropFirst(indentation)))
      }
    }
    return places
  }

  @Test func `The example compiles as shown, in a function and in a main-actor class`() throws {
    let shown = block("swift", of: try text("README.md"))
    let compiled = try text("Tests/SignalboxTests/ReadmeExample.swift")
    let declarations = marked("declarations", in: compiled)
    let statements = marked("statements", in: compiled)
    try #require(declarations.count == 1 && statements.count == 2)
    for statements in statements {
      #expect(["import Signalbox", ""] + declarations[0] + [""] + statements == shown)
    }
  }

  @Test @MainActor func `The example does what it says`() throws {
    #expect(try readmeStatements() == ["Ann"])
    #expect(try ReadmeScreen().show() == ["Ann"])
  }

  @Test func `Everything the README links to is there`() throws {
    let readme = try text("README.md")
    for match in readme.matches(of: /\]\(([^)#]+)\)/) {
      let path = String(match.output.1)
      #expect(
        FileManager.default.fileExists(atPath: Self.root.appending(path: path).path), "\(path)")
    }
  }
}
