// Where a program can start others.
#if os(macOS) || os(Linux)
import Foundation

/// A real terminal of some size in which a shell runs, driven by `tmux`.
///
///     let terminal = try TmuxTerminal(columns: 80, rows: 24)
///     terminal.run("top")
///     terminal.waits(until: "load average")
///     terminal.press("q")
///
/// Each has a server of its own, which goes with it.
public final class TmuxTerminal {
  /// Where `tmux` is, or nil if this machine has none.
  public static let program: String? = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map { $0 + "/tmux" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// What a test says that is skipped for want of it.
  public static let reason = "tmux isn't installed, so there is no terminal to drive"

  private let socket = "signalbox-\(UUID().uuidString)"
  private let server = Process()

  /// Starts a shell.
  public init(columns: Int = 80, rows: Int = 24) throws {
    // A server that goes into the background would seem to be a process that never ends.
    try startingProcess { try Self.start(server, ["-D", "-f", "/dev/null", "-L", socket]) }
    let isStarted = becomesTrueBlocking(within: .seconds(60)) {
      let client = try? tmux(
        "-N", "new-session", "-d", "-P", "-F", "started", "-x", "\(columns)", "-y", "\(rows)",
        "env -u NO_COLOR -u TMUX LC_MESSAGES=C LANGUAGE= SWIFT_BACKTRACE=enable=no PS1='$ ' "
          + "HISTFILE= sh")
      return client?.hasPrefix("started") ?? false
    }
    // What is typed before the shell asks for it stands before its prompt, and the output behind that.
    guard isStarted, waits(until: "$") else { throw CocoaError(.executableLoad) }
  }

  // A server that a test's thread has started may have its signals blocked, and `kill-server` is one.
  deinit { _ = try? tmux("set-option", "-s", "exit-empty", "on", ";", "kill-session") }

  /// Types text, letter for letter.
  public func type(_ text: String) { _ = try? tmux("send-keys", "-l", "--", text) }

  /// Presses keys by their names, such as `Enter`, `Up`, `C-c`, or letters.
  public func press(_ keys: String...) { _ = try? tmux(["send-keys", "--"] + keys) }

  /// Has the shell run a command.
  public func run(_ command: String) {
    type(command)
    press("Enter")
  }

  /// The rows of the screen, without blanks at their ends.
  public var rows: [String] {
    let text = (try? tmux("capture-pane", "-p")) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { row in
      String(row.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// What is inverse of each row.
  public var inverseRows: [String] {
    var rows = [""]
    var isInverse = false
    var rest = styledText[...]
    while let character = rest.popFirst() {
      if character == "\u{1B}", rest.first == "[", let end = rest.firstIndex(of: "m") {
        for code in rest[..<end].dropFirst().split(separator: ";", omittingEmptySubsequences: false)
        {
          if code == "7" { isInverse = true }
          if ["", "0", "27"].contains(code) { isInverse = false }
        }
        rest = rest[rest.index(after: end)...]
      } else if character.isNewline {
        rows.append("")
      } else if isInverse {
        rows[rows.count - 1].append(character)
      }
    }
    return rows
  }

  /// The screen with its escape sequences.
  public var styledText: String { (try? tmux("capture-pane", "-p", "-e")) ?? "" }

  /// Whether a program has the alternate screen.
  public var isAlternate: Bool { flag("alternate_on") }

  /// Whether the cursor is shown.
  public var showsCursor: Bool { flag("cursor_flag") }

  /// Makes the screen larger or smaller, of which its program is told.
  public func resize(columns: Int, rows: Int) {
    _ = try? tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// Looks until the screen is as it should be; false if that doesn't come.
  public func waits(_ isRight: ([String]) -> Bool) -> Bool {
    becomesTrueBlocking(within: .seconds(60)) {
      let rows = rows
      // What couldn't be asked for has no row that could be looked at.
      return rows != [""] && isRight(rows)
    }
  }

  /// Looks until a text stands in a row of the screen.
  public func waits(until text: String) -> Bool {
    waits { rows in rows.contains { $0.contains(text) } }
  }

  /// Looks until a text stands in no row.
  public func waits(untilGone text: String) -> Bool {
    waits { rows in !rows.contains { $0.contains(text) } }
  }

  private func flag(_ name: String) -> Bool {
    let text = (try? tmux("display-message", "-p", "#{\(name)}")) ?? ""
    return text.hasPrefix("1")
  }

  @discardableResult private func tmux(_ arguments: String...) throws -> String {
    try tmux(arguments)
  }

  private func tmux(_ arguments: [String]) throws -> String {
    let process = Process()
    let output = try startingProcess {
      let output = Pipe()
      try Self.start(process, ["-u", "-L", socket] + arguments, output: output)
      return output
    }
    // A process that nobody waits for stays, and would keep the pipe.
    defer { try? output.fileHandleForReading.close() }
    // Its output ends with it. Waiting for the process besides runs a run loop that misses its end at times.
    let data = output.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self)
  }

  private static func start(
    _ process: Process, _ arguments: [String], output: Pipe? = nil
  ) throws {
    guard let program else { throw CocoaError(.fileNoSuchFile) }
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    if let output {
      process.standardOutput = output
    } else {
      process.standardOutput = FileHandle.nullDevice
    }
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.runWithTests()
  }
}
#endif
