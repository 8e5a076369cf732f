import Foundation
import TestSupport
import Testing

@testable import Departures
@testable import DeparturesModel

/// The real program in a real terminal.
@Suite(
  .serialized,
  .enabled(if: TmuxTerminal.program != nil && BuiltProgram.isThere, "\(TmuxTerminal.reason)"))
struct TerminalTests {
  /// A terminal with the board on it, paused in the middle of the morning.
  private func start(
    _ folder: Folder, columns: Int = 100, rows: Int = 30, environment: String = ""
  ) throws -> TmuxTerminal {
    let terminal = try TmuxTerminal(columns: columns, rows: rows)
    terminal.run(
      "\(environment) '\(BuiltProgram.url.path)' --store '\(folder.file("s.sqlite"))' --speed 30")
    // The second row has the sums of all flights so far, seen or not.
    #expect(
      terminal.waits {
        $0.count > 1
          && $0[1].range(of: #"[1-9]\d departed"#, options: .regularExpression) != nil
      })
    terminal.press("Space")
    #expect(terminal.waits(until: "  paused  "))
    return terminal
  }

  private func heading(_ terminal: TmuxTerminal) -> String { terminal.rows.first ?? "" }

  /// Returns the part of a heading that ends with the speed.
  private func time(_ heading: String) -> String {
    heading.range(of: "  by ").map { String(heading[..<$0.lowerBound]) } ?? heading
  }

  /// Returns true if a row has a colour.
  ///
  /// Those of scheduled flights have none.
  private func isColored(_ terminal: TmuxTerminal) -> Bool {
    terminal.styledText.range(of: #"\x{1B}\[(\d+;)*3[1-6]m"#, options: .regularExpression) != nil
  }

  @Test func `Keys switch the sections, search, open a flight and the inspector, and rename`()
    throws
  {
    let folder = try Folder()
    // As many rows as flights may have departed by the time it is paused, on however slow a machine.
    let terminal = try start(folder, rows: 1_000)
    #expect(terminal.isAlternate)
    #expect(!terminal.showsCursor)
    #expect(isColored(terminal))
    terminal.press("s")
    #expect(terminal.waits(until: "  by origin  "))
    #expect(terminal.waits(until: " Newark Liberty Intl ("))
    terminal.press("s")
    #expect(terminal.waits(until: "  by carrier  "))

    terminal.press("/")
    terminal.type("jetblue")
    #expect(terminal.waits(until: "  /jetblue  "))
    #expect(terminal.waits { $0[2].hasPrefix(" JetBlue Airways (") })
    terminal.press("Enter")

    terminal.press("r")
    #expect(terminal.waits(until: "name of B6: JetBlue Airways"))
    terminal.press("C-u")
    terminal.type("jetblue & Co")
    terminal.press("Enter")
    #expect(terminal.waits { $0[2].hasPrefix(" jetblue & Co (") })
    #expect(terminal.waits(untilGone: "JetBlue"))

    terminal.press("Enter")
    #expect(terminal.waits(until: "airline      jetblue & Co (B6)"))
    terminal.press("Escape")
    #expect(terminal.waits(until: "  by carrier  "))
    terminal.press("i")
    #expect(terminal.waits(until: "rename B6: Airline ~1"))
    #expect(terminal.waits(until: " Departure, all rows"))
    terminal.press("i")
    #expect(terminal.waits(until: "  by carrier  "))
    terminal.press("q")
    #expect(terminal.waits { $0.last { !$0.isEmpty } == "$" })
    #expect(!terminal.isAlternate)
    #expect(terminal.showsCursor)
  }

  @Test func `The board fits the window, whatever becomes of it`() throws {
    let folder = try Folder()
    let terminal = try start(folder, environment: "NO_COLOR=1")
    for (columns, rows) in [(60, 10), (140, 40), (20, 4), (100, 30)] {
      terminal.resize(columns: columns, rows: rows)
      #expect(
        terminal.waits { screen in
          screen.count >= rows && screen[0].hasPrefix("Departures")
            && screen[rows - 1].hasPrefix("? keys")
        })
    }
    // The chosen row is seen, at the end too.
    terminal.press("End")
    #expect(
      terminal.waits { $0[0].range(of: #"-(\d+) of \1$"#, options: .regularExpression) != nil })
    #expect(!isColored(terminal))
  }

  @Test func `Control-C ends it between two commits, and the next start continues`() throws {
    let folder = try Folder()
    let terminal = try start(folder)
    terminal.press("C-c")
    #expect(terminal.waits(until: "The next start goes on from there."))
    #expect(!terminal.isAlternate)
    #expect(terminal.showsCursor)
    terminal.run("echo status $?")
    #expect(terminal.waits(until: "status 130"))
    terminal.run(
      "clear; '\(BuiltProgram.url.path)' --store '\(folder.file("s.sqlite"))' --speed 0.01")
    #expect(terminal.waits(until: "Going on after "))
    terminal.press("q")
    #expect(terminal.waits { !$0.contains { $0.hasPrefix("Departures") } })
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int)])
  func `Whatever signal ends it, the terminal is as it was found, and the status says which`(
    signal: Int32, status: Int
  ) throws {
    let folder = try Folder()
    let terminal = try TmuxTerminal(columns: 100, rows: 30)
    let notes = folder.file("stty")
    terminal.run("stty -a > \(notes).before; clear")
    terminal.run(
      "sh -c 'echo $$ > \(notes).pid; exec \(BuiltProgram.url.path) --store \(folder.file("s.sqlite"))'"
    )
    #expect(terminal.waits { $0[0].hasPrefix("Departures") })
    #expect(terminal.isAlternate)
    let number = try String(contentsOfFile: "\(notes).pid", encoding: .utf8)
    kill(try #require(Int32(number.dropLast())), signal)
    #expect(terminal.waits { _ in !terminal.isAlternate })
    terminal.run("echo status $?; stty -a > \(notes).after; echo com''pared")
    #expect(terminal.waits(until: "status \(status)"))
    #expect(terminal.waits { $0.contains("compared") })
    #expect(!terminal.isAlternate && terminal.showsCursor)
    let before = try String(contentsOfFile: "\(notes).before", encoding: .utf8)
    #expect(try String(contentsOfFile: "\(notes).after", encoding: .utf8) == before)
  }

  @Test func `A paused board stands still, and continues when space is pressed again`() throws {
    let folder = try Folder()
    let terminal = try start(folder)
    let clock = heading(terminal)
    terminal.press("+")
    terminal.press("Down")
    #expect(terminal.waits(until: "s sections"))
    // On a busy machine, the flights of the last minute may come just after the pause.
    #expect(time(heading(terminal)) == time(clock) && time(clock).hasSuffix("  paused"))
    terminal.press("Space")
    #expect(terminal.waits { $0[0].contains("  60 min/s  ") && time($0[0]) != time(clock) })
    for _ in 1...6 { terminal.press("+") }
    #expect(terminal.waits(until: "  the end  "))
    terminal.press("q")
    #expect(terminal.waits(until: "The day is over."))
  }

  @Test func `In a pipe there are lines, and no escape sequence`() throws {
    let folder = try Folder()
    let terminal = try TmuxTerminal(columns: 100, rows: 30)
    terminal.run(
      "'\(BuiltProgram.url.path)' --store '\(folder.file("s.sqlite"))' --speed 5000 | head -n 3 | cat -v"
    )
    #expect(
      terminal.waits { $0.count { $0.contains("  rows: ") && $0.contains("sections: ") } == 3 })
    #expect(!terminal.rows.contains { $0.contains("^[") })
  }
}
