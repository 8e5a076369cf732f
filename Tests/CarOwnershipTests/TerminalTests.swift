// Where a program can start others.
#if os(macOS) || os(Linux)
import EntityStore
import Foundation
import TestSupport
import Testing

/// The built program, as a user starts it.
private let executable = URL(filePath: CommandLine.arguments[0])
  .deletingLastPathComponent().appending(path: "CarOwnership").path

/// The program in a real terminal, by keys and by what is seen.
@Suite(.enabled(if: TmuxTerminal.program != nil, "\(TmuxTerminal.reason)"))
struct TerminalTests {
  private let file = temporaryPath("cars")

  private func start(_ terminal: TmuxTerminal, _ before: String = "") {
    // The shell that becomes the program tells its number.
    terminal.run(
      "\(before) sh -c 'echo $$ > \(file).pid; exec \(executable) --store \(file)'; echo ended $?")
    #expect(terminal.waits(until: "Corolla"))
  }

  /// Whether the row that begins with a text becomes the chosen one.
  private func isChosen(_ text: String, _ terminal: TmuxTerminal) -> Bool {
    becomesTrueBlocking(within: .seconds(60)) {
      terminal.inverseRows.dropFirst().contains { $0.hasPrefix("  \(text) ") }
    }
  }

  @Test func `Arrows, letters, sections and the index lead through the list`() throws {
    let terminal = try TmuxTerminal()
    start(terminal)
    #expect(isChosen("S500", terminal))
    terminal.press("Down")
    #expect(isChosen("X5", terminal))
    terminal.press("j")
    #expect(isChosen("3", terminal))
    terminal.press("Tab")
    #expect(isChosen("Corolla", terminal))
    terminal.press("BTab")
    #expect(isChosen("3", terminal))
    terminal.press("g", "a")
    #expect(isChosen("S500", terminal))
    terminal.press("End")
    #expect(isChosen("Corolla", terminal))
    terminal.press("Home")
    #expect(isChosen("S500", terminal))
    terminal.press("?")
    #expect(terminal.waits(until: "undo, redo"))
    terminal.press("Escape")
    #expect(terminal.waits(until: "Corolla"))
    terminal.press("q")
    #expect(terminal.waits(until: "ended 0"))
    #expect(!terminal.isAlternate && terminal.showsCursor)
  }

  @Test func `A car is inserted, its owner renamed, its mileage edited; undo and redo`() throws {
    let terminal = try TmuxTerminal()
    start(terminal)
    terminal.press("i", "C-u")
    for field in ["Zoë 日本", "01 02 1990", "Saab", "900", "1234"] {
      terminal.type(field)
      #expect(terminal.waits(until: field + "▏"))
      terminal.press("Enter")
    }
    #expect(terminal.waits(until: "1,234 km"))
    #expect(terminal.waits(until: "Zoë 日本 (1)"))
    #expect(isChosen("900", terminal))
    #expect(terminal.waits(until: "7 rows: touched 1, drew"))

    terminal.press("g", "j", "r", "C-u")
    terminal.type("Aa")
    terminal.press("Enter")
    // The section moves above the others, with its rows and the chosen one.
    #expect(terminal.waits { $0[1] == " Aa (3)" && $0[5] == " Amir (2)" })
    #expect(isChosen("3", terminal))

    terminal.press("e")
    #expect(terminal.waits(until: "now 61,200 km"))
    terminal.type("5")
    terminal.press("Enter")
    #expect(terminal.waits { $0[2].hasSuffix(" 5 km") })

    terminal.press("d")
    #expect(terminal.waits(until: "6 rows: touched 1, drew"))
    for name in ["delete 3", "mileage of 3", "rename John"] {
      terminal.press("u")
      #expect(terminal.waits(until: "Undone: \(name)."))
    }
    #expect(terminal.waits { $0[1] == " Amir (2)" && $0[4] == " John (3)" })
    terminal.press("U")
    #expect(terminal.waits(until: "Done again: rename John."))
    #expect(terminal.waits { $0[1] == " Aa (3)" })
  }

  @Test func `The list is filtered during typing, and sorted`() throws {
    let terminal = try TmuxTerminal()
    start(terminal)
    terminal.press("/")
    terminal.type("toy")
    #expect(terminal.waits(untilGone: "S500"))
    #expect(terminal.waits { $0[1] == " John (1)" && $0[3] == " Sara (1)" })
    terminal.press("BSpace", "BSpace", "BSpace")
    #expect(terminal.waits(until: "S500"))
    terminal.type("x")
    #expect(terminal.waits(untilGone: "S500"))
    terminal.press("Escape")
    #expect(terminal.waits(until: "S500"))
    terminal.press("s", "s")
    #expect(terminal.waits(until: "by mileage"))
    #expect(terminal.waits { $0[2].contains("S500") && $0[5].contains("320i") })
  }

  @Test func `The screen may have any size, and another one at any moment`() throws {
    let terminal = try TmuxTerminal()
    start(terminal)
    terminal.press("End")
    for (columns, rows) in [(40, 8), (20, 5), (10, 2), (1, 1), (200, 50), (33, 7), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      let isRight = terminal.waits { shown in
        guard shown.count >= rows else { return false }
        guard rows > 3 else { return true }
        return shown[0].contains("CarOwn") && shown[rows - 1].contains("6 rows")
          && shown.contains { $0.contains("Corol") }
      }
      #expect(isRight, "\(columns) × \(rows)")
    }
    #expect(isChosen("Corolla", terminal))
    terminal.press("q")
    #expect(terminal.waits(until: "ended 0"))
  }

  @Test(
    arguments: [
      ("C-c", nil, "ended 130"), (nil, SIGTERM, "ended 143"), (nil, SIGHUP, "ended 129"),
      (nil, SIGSEGV, "ended 139"), (nil, SIGABRT, "ended 134"), (nil, SIGQUIT, "ended 131"),
      (nil, SIGPIPE, "ended 141"), (nil, SIGALRM, "ended 142"), (nil, SIGUSR1, "ended 138"),
      (nil, SIGUSR2, "ended 140"), (nil, SIGVTALRM, "ended 154"), (nil, SIGXCPU, "ended 152"),
    ] as [(String?, Int32?, String)])
  func `However it ends, the terminal is as it was found`(
    key: String?, signal: Int32?, end: String
  )
    throws
  {
    let terminal = try TmuxTerminal()
    let notes = temporaryPath("stty")
    terminal.run("stty -a > \(notes).before")
    start(terminal)
    #expect(terminal.isAlternate && !terminal.showsCursor)
    if let key {
      terminal.press(key)
      // A shell leaves out the rest of a line whose program Control-C has ended.
      #expect(terminal.waits { _ in !terminal.isAlternate })
      terminal.run("echo ended $?")
    }
    if let signal {
      let number = try String(contentsOfFile: "\(file).pid", encoding: .utf8)
      kill(try #require(Int32(number.dropLast())), signal)
    }
    #expect(terminal.waits(until: end))
    #expect(!terminal.isAlternate && terminal.showsCursor)
    terminal.run("stty -a > \(notes).after; echo com''pared")
    #expect(terminal.waits { $0.contains("compared") })
    let before = try String(contentsOfFile: "\(notes).before", encoding: .utf8)
    #expect(try String(contentsOfFile: "\(notes).after", encoding: .utf8) == before)
    #expect(before.contains("icanon"))
  }

  @Test func `Stopped by Control-Z it gives the terminal back, and takes it again`() throws {
    let terminal = try TmuxTerminal()
    let notes = temporaryPath("stty")
    terminal.run("stty -a > \(notes).before")
    start(terminal)
    for round in 0..<2 {
      terminal.press("C-z")
      #expect(terminal.waits { $0.contains { $0.contains("Stopped") } })
      #expect(!terminal.isAlternate && terminal.showsCursor)
      // The screen may still show the word of the round before.
      terminal.run("clear; stty -a > \(notes).stopped; echo loo''ked\(round)")
      #expect(terminal.waits { $0.contains("looked\(round)") })
      let before = try String(contentsOfFile: "\(notes).before", encoding: .utf8)
      #expect(try String(contentsOfFile: "\(notes).stopped", encoding: .utf8) == before)
      terminal.run("fg")
      #expect(terminal.waits(until: "Corolla"))
      #expect(terminal.isAlternate && !terminal.showsCursor)
    }
    terminal.press("End")
    #expect(isChosen("Corolla", terminal))
    // Another size while it was stopped is noticed, too.
    terminal.press("C-z")
    #expect(terminal.waits(until: "Stopped"))
    terminal.resize(columns: 50, rows: 12)
    terminal.run("fg")
    #expect(terminal.waits { $0.count >= 12 && $0[11].contains("6 rows") })
    terminal.press("q")
    #expect(becomesTrueBlocking(within: .seconds(60)) { !terminal.isAlternate })
  }

  @Test(arguments: [SIGTSTP, SIGTTIN, SIGTTOU])
  func `Stopped by a signal from outside, it gives the terminal back, too`(signal: Int32)
    throws
  {
    let terminal = try TmuxTerminal()
    start(terminal)
    let number = try String(contentsOfFile: "\(file).pid", encoding: .utf8)
    for _ in 0..<2 {
      kill(try #require(Int32(number.dropLast())), signal)
      #expect(terminal.waits { $0.contains { $0.contains("Stopped") } })
      #expect(!terminal.isAlternate && terminal.showsCursor)
      terminal.run("clear; fg")
      #expect(terminal.waits(until: "Corolla"))
      #expect(terminal.isAlternate && !terminal.showsCursor)
    }
    terminal.press("q")
    #expect(terminal.waits { _ in !terminal.isAlternate && terminal.showsCursor })
  }

  @Test func `Without a shell to return to, Control-Z stops nothing, and the program continues`()
    throws
  {
    let terminal = try TmuxTerminal()
    terminal.run("exec \(executable) --store \(file)")
    #expect(terminal.waits(until: "Corolla"))
    terminal.press("C-z", "End")
    #expect(isChosen("Corolla", terminal))
    #expect(terminal.isAlternate)
  }

  @Test func `Two programs on one file follow each other's edits`() throws {
    let first = try TmuxTerminal()
    let second = try TmuxTerminal()
    start(first)
    start(second)
    first.press("d")
    #expect(first.waits(untilGone: "S500"))
    #expect(second.waits(untilGone: "S500"))
    second.press("g", "j", "r", "C-u")
    second.type("Zed")
    second.press("Enter")
    #expect(second.waits { $0[5] == " Zed (3)" })
    #expect(first.waits { $0[5] == " Zed (3)" && $0[3] == " Sara (1)" })
    #expect(first.waits(until: "touched 3, drew"))
    // What one has open the other may delete.
    first.press("End", "e")
    #expect(first.waits(until: "Edit the mileage"))
    second.press("d", "d", "d")
    #expect(first.waits(until: "has been deleted"))
    first.press("Escape")
    #expect(first.waits(untilGone: "Zed"))
  }

  @Test func `Elsewhere than on a terminal the list is text`() throws {
    let terminal = try TmuxTerminal()
    let output = temporaryPath("output")
    // The words aren't whole in the command, which stands on the screen, too, in rows that depend on its length.
    terminal.run("\(executable) --store \(file) | cat > \(output); echo en''ded")
    #expect(terminal.waits { $0.contains("ended") })
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.hasPrefix("Amir (2)\n  Benz S500, 31,500 km\n"))
    #expect(text.split(separator: "\n").count == 9)
    #expect(!text.contains("\u{1B}"))
    terminal.run("clear; TERM=dumb \(executable) --store \(file); echo en''ded too")
    #expect(terminal.waits { $0.first == "Amir (2)" && $0.contains("ended too") })
  }

  @Test func `NO_COLOR leaves out colours and nothing else`() throws {
    let colors = ["[32m", "[33m", "[36m"]
    let terminal = try TmuxTerminal()
    start(terminal)
    #expect(colors.contains { terminal.styledText.contains($0) })
    terminal.press("q")
    #expect(terminal.waits(until: "ended 0"))
    terminal.run("clear")
    start(terminal, "NO_COLOR=1")
    #expect(isChosen("S500", terminal))
    let text = terminal.styledText
    #expect(!colors.contains { text.contains($0) })
  }

  @Test func `A name with escape sequences in it doesn't reach the terminal`() throws {
    let terminal = try TmuxTerminal()
    let table = temporaryPath("table")
    try Data(
      "owner,born,manufacturer,model,mileage\nA\u{1B}[2J\u{1B}]0;x\u{7}B,1970-01-02,V\tW,Corolla,1"
        .utf8
    )
    .write(to: URL(filePath: table))
    terminal.run("\(executable) --store \(file) --import \(table)")
    #expect(terminal.waits(until: "A·[2J·]0;x·B (1)"))
  }

  @Test func `Text from outside is escaped in a pipe and on standard error`() throws {
    let terminal = try TmuxTerminal()
    let evil = "A\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}\u{202E}\u{85}B"
    let long = String(repeating: "9x", count: 100_000)
    let tables = [
      "owner,born,manufacturer,model,mileage\n\(evil),1970-01-02,\(evil),\(evil),1",
      "owner,born,manufacturer,model,mileage\nA,1970-01-02,V,W,\(evil)",
      "owner,born,manufacturer,model,mileage\nA,\(evil),V,W,1",
      "owner,born,manufacturer,model,mileage\nA,1970-01-02,V,W,\(long)",
      "owner,born,manufacturer,\(evil)\n", evil, "",
    ]
    let name = temporaryPath("table") + "\u{1B}[2J"
    var runs = tables.indices.map { "--store \(file) --import '\(name)\($0)'" }
    for (index, table) in tables.enumerated() {
      try Data(table.utf8).write(to: URL(filePath: "\(name)\(index)"))
    }
    runs += ["'--\(evil)'", "'\(evil)'", "--store '/\(evil)/\(evil)'", "--help='\(evil)'"]
    runs.append("--store \(file)")
    let output = temporaryPath("output")
    let script = temporaryPath("script")
    try Data(runs.map { "\(executable) \($0) | cat\n" }.joined().utf8)
      .write(to: URL(filePath: script))
    terminal.run("sh \(script) > \(output) 2>&1; echo $((6 * 7)) done")
    // The line as it is typed may be cut anywhere.
    #expect(terminal.waits { $0.contains("42 done") })
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let lines = text.split(separator: "\n").map(\.isHarmless)
    #expect(!lines.contains(false))
    #expect(text.contains(#"A\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}\u{202E}\u{85}B (1)"#))
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count < 5000 })
    #expect(text.split(separator: "\n").count { $0.hasPrefix("carownership: ") } == runs.count - 1)
  }
}
#endif
