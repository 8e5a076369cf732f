import Testing

@testable import LineProgram

struct LineProgramTests {
  @Test func `A line is a command, numbers and a text`() throws {
    var line = LineCommand("  Edit 12  I mean  tea \n")
    #expect(line.name == "edit")
    #expect(try line.number("message") == 12)
    #expect(try line.text("the text") == "I mean  tea")
    #expect(line.word() == nil)
    try line.end()
    #expect(LineCommand(" \t ").isEmpty)
  }

  @Test func `What a line lacks is named`() {
    var line = LineCommand("edit")
    #expect(message { _ = try line.number("message") }.contains("the number of a message"))
    #expect(message { _ = try line.text("the new text") }.contains("write the new text"))
    line = LineCommand("edit twelve tea")
    #expect(message { _ = try line.number("message") }.contains("\"twelve\" is no number"))
    #expect(message { try line.end() } == "Leave out \"tea\" after \"edit\"")
  }

  @Test func `An option has its value behind it or in it`() throws {
    #expect(try LineOptions(["--file", "a=b"], names: ["--file"]).values == ["--file": "a=b"])
    #expect(try LineOptions(["--file=a=b"], names: ["--file"]).values == ["--file": "a=b"])
    #expect(try LineOptions(["--help"], names: []).showsHelp)
    for (arguments, mistake) in [
      (["--file"], "--file needs a value"), (["--file="], "--file needs a value"),
      (["x"], "\"x\" is no option"), (["--fil=x"], "\"--fil=x\" is no option"),
    ] {
      let message = message { _ = try LineOptions(arguments, names: ["--file"]) }
      #expect(message.hasPrefix(mistake))
    }
  }

  @Test @MainActor func `Lines have no control characters`() {
    var lines: [String] = []
    LiveOutput { lines.append($0) }.print("a\u{1B}[2J\nb\u{202E}é👍🏽")
    #expect(lines == [#"a\u{1B}[2J\nb\u{202E}é👍🏽"#])
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}
