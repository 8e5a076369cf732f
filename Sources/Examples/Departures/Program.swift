import DeparturesModel
import Foundation
import Signalbox
import TerminalScreen

#if PostgreSQL
import PostgreSQLPersistence
#endif

/// The program from its arguments to its exit status.
///
/// All errors of the input are found before the store is opened. So bad input creates no store, and
/// doesn't change an existing one.
@MainActor struct Program {
  /// The exit statuses of the program.
  enum Status {
    static let success: Int32 = 0
    /// A check failed, or the store failed in the middle of the day.
    static let failure: Int32 = 1
    /// The arguments, the files or the store can't be used.
    static let badInput: Int32 = 2
    /// The status that a shell reports for Control-C.
    ///
    /// For another signal, it is 128 plus its number.
    static let interrupted: Int32 = 130
  }

  let arguments: [String]
  private let output = LineOutput()

  init(arguments: [String]) { self.arguments = arguments }

  /// Runs the program.
  ///
  /// An error is printed as one line on standard error.
  func run() async -> Int32 {
    do {
      let options = try Options(arguments: arguments)
      if options.showsHelp {
        for line in Options.help.split(separator: "\n", omittingEmptySubsequences: false) {
          try output.print(String(line))
        }
        return Status.success
      }
      let folder = options.data ?? DayTables.bundledFolder
      let tables = try DayTables(in: folder, day: options.day, readsYear: options.isYear)
      return await run(options, tables)
    } catch is ReaderHasGone {
      return Status.success
    } catch {
      complain("\(error)")
      return Status.badInput
    }
  }

  private func run(_ options: Options, _ tables: DayTables) async -> Int32 {
    let file = options.store ?? Options.defaultStore(isYear: options.isYear)
    // The connection string may have a password.
    let name = options.server == nil ? file.path : "the PostgreSQL server"
    if options.isFollowing { return await follow(options, tables, file, name) }
    let replay: Replay
    do {
      let isOwnStore = StreamRun.isOwnStore(options)
      if options.store == nil, options.server == nil, !isOwnStore {
        try DataFolder.make(for: file)
      }
      // The last commits that a power failure loses are replayed, so no commit needs to wait for
      // the disk.
      replay = try Replay(
        tables, in: isOwnStore ? .inMemory : Self.backing(options, file),
        options: options, progress: Self.showImport)
    } catch {
      complain(name, error)
      return error is VerificationError ? Status.failure : Status.badInput
    }
    let note = Self.startNote(of: replay, name)
    if let note { StandardError.print(note) }
    do {
      try await run(options, replay, note: note ?? "")
      if replay.remaining.isEmpty, replay.commits == 0 || !options.isHeadless, !options.isStream {
        StandardError.print("The day is over. --fresh starts it again.")
      }
      return Status.success
    } catch is ReaderHasGone {
      // There is no reader left to notify. The committed changes are in the store.
      return Status.success
    } catch let error where error is CancellationError || error is EndedBySignal {
      StandardError.print(
        "Stopped at \(replay.presenter.clock). The next start goes on from there.")
      return (error as? EndedBySignal).map { 128 + $0.number } ?? Status.interrupted
    } catch {
      complain(name, error)
      return Status.failure
    }
  }

  /// Shows what another Departures commits.
  private func follow(
    _ options: Options, _ tables: DayTables, _ file: URL, _ name: String
  ) async -> Int32 {
    do {
      let run = try await FollowRun(tables, in: Self.backing(options, file), options: options)
      try await run.run { line in if !options.isHeadless { try output.print("\(line)") } }
      guard options.isHeadless else { return Status.success }
      for line in try Report(run).lines { try output.print(line) }
      return Status.success
    } catch is ReaderHasGone {
      return Status.success
    } catch is CancellationError {
      return Status.interrupted
    } catch {
      complain(name, error)
      return error is InputError ? Status.badInput : Status.failure
    }
  }

  /// Returns the storage of the store.
  private static func backing(_ options: Options, _ file: URL) throws -> StorageKind {
    guard let server = options.server else {
      // Another Departures may be writing to the file, and an import takes its time.
      return .sqlite(path: file.path, durability: .normal, busyTimeout: .seconds(60))
    }
    #if PostgreSQL
    return .postgreSQL(server, schema: "departures", durability: .normal)
    #else
    throw InputError(
      "this build has no PostgreSQL; run it with: swift run --traits PostgreSQL Departures")
    #endif
  }

  /// Runs the requested front end.
  private func run(_ options: Options, _ replay: Replay, note: String) async throws {
    let kind = TerminalKind.ofStandardOutput
    if options.isStream {
      _ = try await StreamRun(replay: replay, options: options, output: output).run()
    } else if options.isHeadless {
      let clock = ContinuousClock()
      let start = clock.now
      try replay.finish()
      var report = try Report(replay)
      report.duration = clock.now - start
      for line in report.lines { try output.print(line) }
    } else if kind.isScreen {
      try await LiveRun(replay, speed: options.speed, note: note, isColored: kind.isColored).run()
    } else {
      // An error of the output ends the run at the next commit.
      var failure: (any Error)?
      replay.presenter.onEvent = { line in
        do { try output.print("\(line)") } catch { failure = error }
      }
      try await Pace(speed: options.speed).play(replay) { _ in if let failure { throw failure } }
    }
  }

  // MARK: Messages during the run

  private func complain(_ text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    StandardError.print("departures: \(line)")
  }

  /// Prints an error, with the store's name unless the message contains it.
  private func complain(_ name: String, _ error: any Error) {
    let text = "\(error)"
    complain(error is InputError || text.contains(name) ? text : "\(name): \(text)")
  }

  private static func showImport(_ written: Int, of count: Int) {
    guard StandardError.isScreen else { return }
    StandardError.print(
      "Importing \(written) of \(count) …", start: "\r", terminator: written == count ? "\n" : "")
  }

  /// Returns a note about the previous content of the store, if there was any.
  private static func startNote(of replay: Replay, _ name: String) -> String? {
    switch replay.start {
    case .new: return nil
    case .replacing(let day):
      let today = replay.dispatcher.tables.title
      let what = day == today ? "other data of \(day)" : day
      return "\(name) kept \(what); starting over."
    case .resuming where replay.remaining.isEmpty: return nil
    case .resuming(let tick):
      let count = replay.dispatcher.timeline.ticks.count
      let clock = replay.presenter.clock
      return "Going on after \(clock), tick \(tick) of \(count)."
    }
  }
}

extension Report {
  /// Creates the report of a replay in its current state.
  ///
  /// - Throws: The errors of reading all rows.
  @MainActor init(_ replay: Replay) throws {
    try self.init(
      replay.presenter, imported: replay.imported, ticks: replay.commits,
      verified: replay.verified)
  }

  /// Creates the report of a board that followed others.
  ///
  /// - Throws: The errors of reading all rows.
  @MainActor init(_ run: FollowRun) throws {
    try self.init(
      run.presenter, imported: false, ticks: run.presenter.tick, verified: run.verified)
  }

  @MainActor private init(
    _ presenter: BoardPresenter, imported: Bool, ticks: Int, verified: Int?
  ) throws {
    // The memory is measured before all rows are read.
    let memory = PeakMemory.megabytes
    var onBoard: [Status: Int] = [:]
    var fingerprint = Fingerprint()
    var section: BoardHeader?
    try presenter.forEachRow { header, row in
      if header != section { fingerprint.add(header) }
      section = header
      fingerprint.add(row)
      onBoard[row.status, default: 0] += 1
    }
    self.init(
      day: presenter.day, clock: presenter.clock, onBoard: onBoard, soFar: presenter.soFar,
      imported: imported, ticks: ticks, events: presenter.events,
      changes: presenter.changes, fingerprint: fingerprint, verified: verified)
    self.memory = memory
  }
}
