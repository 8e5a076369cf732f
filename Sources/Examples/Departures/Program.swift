import Foundation
import Signalbox

/// The program from its arguments to its exit status.
///
/// All that can be wrong with the input is found before the store is opened, so bad input leaves no
/// store behind, and a store that is there as it was.
@MainActor struct Program {
  /// What the program ends with.
  enum Status {
    static let success: Int32 = 0
    /// A check failed, or the store did in the middle of the day.
    static let failure: Int32 = 1
    /// The arguments, the files or the store can't be used.
    static let badInput: Int32 = 2
    /// As a shell has it for Control-C.
    static let interrupted: Int32 = 130
  }

  let arguments: [String]
  private let terminal = Terminal()

  init(arguments: [String]) { self.arguments = arguments }

  /// Runs the program; what is wrong is one line on standard error.
  func run() async -> Int32 {
    do {
      let options = try Options(arguments: arguments)
      if options.showsHelp {
        terminal.print(Options.help)
        return Status.success
      }
      let folder = options.data ?? DayTables.bundledFolder
      let tables = try DayTables(in: folder, day: options.day)
      return await run(options, tables)
    } catch {
      complain("\(error)")
      return Status.badInput
    }
  }

  private func run(_ options: Options, _ tables: DayTables) async -> Int32 {
    let file = options.store ?? Self.defaultStore
    let replay: Replay
    do {
      if options.store == nil { try Self.makeFolder(of: file) }
      // A tail lost with the power is replayed, so no commit need wait for the disk.
      replay = try Replay(
        tables, in: .sqlite(path: file.path, durability: .normal), options: options,
        progress: Self.showImport)
    } catch {
      complain(file, error)
      return error is VerificationError ? Status.failure : Status.badInput
    }
    let note = Self.startNote(of: replay, file)
    if let note { StandardError.print(note) }
    do {
      if options.isHeadless {
        try replay.finish()
        for line in Report(replay).lines { terminal.print(line) }
      } else {
        try await LiveRun(
          replay: replay, speed: options.speed, terminal: terminal, note: note ?? ""
        ).run()
      }
      if replay.commits == 0 || !options.isHeadless {
        StandardError.print("The day is over. --fresh starts it again.")
      }
      return Status.success
    } catch is CancellationError {
      StandardError.print(
        "Stopped at \(replay.presenter.clock). The next start goes on from there.")
      return Status.interrupted
    } catch {
      complain(file, error)
      return Status.failure
    }
  }

  // MARK: The store's file

  private static var defaultStore: URL {
    Options.defaultStore(
      environment: ProcessInfo.processInfo.environment,
      home: FileManager.default.homeDirectoryForCurrentUser)
  }

  private static func makeFolder(of file: URL) throws(InputError) {
    let folder = file.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw InputError("the folder can't be made; choose a file with --store", file: folder.path)
    }
  }

  // MARK: What people are told meanwhile

  private func complain(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    StandardError.print("departures: \(line)")
  }

  /// Names the store's file, unless the message does.
  private func complain(_ file: URL, _ error: any Error) {
    let text = "\(error)"
    complain(error is InputError || text.contains(file.path) ? text : "\(file.path): \(text)")
  }

  private static func showImport(_ written: Int, of count: Int) {
    guard StandardError.isScreen else { return }
    StandardError.print(
      "\rImporting \(written) of \(count) …", terminator: written == count ? "\n" : "")
  }

  /// What the store had kept, if anything.
  private static func startNote(of replay: Replay, _ file: URL) -> String? {
    switch replay.start {
    case .new: return nil
    case .replacing(let day):
      let today = "\(replay.dispatcher.tables.day)"
      let what = day == today ? "other data of \(day)" : day
      return "\(file.path) kept \(what); starting over."
    case .resuming where replay.remaining.isEmpty: return nil
    case .resuming(let tick):
      let count = replay.dispatcher.timeline.ticks.count
      let clock = replay.presenter.clock
      return "Going on after \(clock), tick \(tick) of \(count)."
    }
  }
}

extension Report {
  /// The figures of a replay as it stands.
  @MainActor init(_ replay: Replay) {
    let page = replay.presenter.page()
    self.init(
      day: page.day, clock: page.clock, onBoard: page.board.countsByStatus, soFar: page.soFar,
      imported: replay.imported, ticks: replay.commits, events: replay.presenter.events,
      changes: replay.presenter.changes, fingerprint: page.board.fingerprint,
      verified: replay.verified)
  }
}
