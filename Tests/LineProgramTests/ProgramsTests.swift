#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The programs as a user starts them.
@Suite(.enabled(if: PipedProgram.isBuilt("Chat") && PipedProgram.isBuilt("Reminders")))
struct ProgramsTests {
  @Test func `Each line is answered at once, and the end of the input ends the program`() throws {
    let program = try PipedProgram("Reminders", ["--file", temporaryPath("reminders")])
    #expect(program.line("\"help\"") == "\"help\" lists the commands.")
    try program.write("list Home")
    #expect(program.line("+") == "+ Home 0")
    try program.write("add Tea")
    #expect(program.line("+") == "+ Open: 1 [ ] Tea, Home")
    #expect(program.line("today") == "today 0, scheduled 0, flagged 0, all 1")
    try program.write("undo")
    let (lines, errors, status) = try program.end()
    #expect(
      lines == [
        "undone: Add", "- Open: 1 [ ] Tea, Home", "~ Home 0",
        "today 0, scheduled 0, flagged 0, all 0",
      ])
    #expect(errors == "" && status == 0)
  }

  @Test func `A file keeps what was written`() throws {
    let path = temporaryPath("reminders")
    let first = try PipedProgram("Reminders", ["--file", path])
    for line in ["list Home", "add Tea", "tag 1 shop", "quit"] { try first.write(line) }
    #expect(try first.end().status == 0)
    let second = try PipedProgram("Reminders", ["--file", path])
    #expect(
      try second.end().lines == [
        "today 0, scheduled 0, flagged 0, all 1", "Home 1", "#shop 1", "Open",
        "  1 [ ] Tea, Home #shop", "\"help\" lists the commands.",
      ])
  }

  @Test func `S9: what was done in an earlier run is undone`() throws {
    let path = temporaryPath("reminders")
    let first = try PipedProgram("Reminders", ["--file", path])
    for line in ["list Home", "add Tea", "quit"] { try first.write(line) }
    #expect(try first.end().status == 0)
    let second = try PipedProgram("Reminders", ["--file", path])
    try second.write("undo")
    #expect(second.line("undone") == "undone: Add")
    #expect(second.line("-") == "- Open: 1 [ ] Tea, Home")
    #expect(try second.end().status == 0)
  }

  @Test func `Two chats on one file show each other's messages without a command`() throws {
    let path = temporaryPath("chat")
    let ann = try PipedProgram("Chat", ["--file", path, "--as", "Ann"])
    try ann.write("new Lake")
    #expect(ann.line("Lake") == "Lake")
    let bob = try PipedProgram("Chat", ["--file", path, "--as", "Bob"])
    try bob.write("open 1")
    #expect(bob.line("Lake") == "Lake")
    #expect(bob.line("unread") == "unread: 0")
    try ann.write("say hello")
    #expect(bob.line("+") == "+ 1 • Ann: hello")
    // A change that Ann's program reads before it has printed the message is a part of that line.
    #expect(ann.line("+") == "+ 1   Ann: hello")
    try bob.write("react 1 👍")
    #expect(ann.line("~") == "~ 1   Ann: hello 👍")
    #expect(try ann.end().status == 0)
    #expect(try bob.end().status == 0)
  }

  @Test(arguments: [
    ("Chat", ["--what"], "chat: \"--what\" is no option; --help lists them\n"),
    ("Chat", ["--file", "x"], "chat: --file needs --as NAME, too; the others see who writes\n"),
    ("Reminders", ["--file"], "reminders: --file needs a value; --help shows how\n"),
    (
      "Reminders", ["a\u{1B}[2J\n"],
      #"reminders: "a\u{1B}[2J\n" is no option; --help lists them"# + "\n"
    ),
  ])
  func `Bad options get one line and end with 2`(
    name: String, arguments: [String], error: String
  ) throws {
    let end = try PipedProgram(name, arguments).end()
    #expect(end.lines.isEmpty && end.errors == error && end.status == 2)
  }

  @Test(arguments: ["Chat", "Reminders"])
  func `The help lists the options and the commands`(name: String) throws {
    let end = try PipedProgram(name, ["--help"]).end()
    #expect(end.lines.first?.hasPrefix("\(name): ") == true)
    #expect(end.lines.contains { $0.hasPrefix("  --file PATH") })
    #expect(end.lines.contains("  quit"))
    #expect(end.lines.allSatisfy { $0.count <= 100 })
    #expect(end.errors == "" && end.status == 0)
  }
}
#endif
