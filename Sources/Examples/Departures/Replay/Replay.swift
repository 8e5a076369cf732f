import DeparturesModel
import Foundation
import Signalbox
import SignalboxTesting

/// A replay of a day or a year: the store, the dispatcher that writes to it and the presenter that
/// shows it.
@MainActor final class Replay {
  let dispatcher: Dispatcher
  let presenter: BoardPresenter
  /// The way in which the replay began.
  let start: Dispatcher.Start
  private let verifier: BoardVerifier?
  /// The store's clock, which begins in 1970 and moves with the replay.
  private let clock = ManualClock()
  /// The ticks that aren't in the store yet.
  private(set) var remaining: Slice<Timeline.Ticks>
  /// The number of ticks that have been committed since the start.
  private(set) var commits = 0

  /// Opens a store for a day's tables, and imports them unless the store already contains part of
  /// the replay.
  ///
  /// - Parameters:
  ///   - tables: The day, or the year.
  ///   - backing: The storage of the store.
  ///   - options: The options for showing, verifying and starting over.
  ///   - progress: A closure that is called with the number of imported rows and the number of all
  ///     rows.
  /// - Throws: The errors of the store, or ``VerificationError``.
  init(
    _ tables: DayTables, in backing: StorageKind, options: Options,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws {
    let store = try Store(
      backing, entities: Dispatcher.entities,
      time: TimeSource(clock, startingAt: Minute(sinceEpoch: 0).date))
    dispatcher = Dispatcher(store, tables: tables)
    start = try dispatcher.open(fresh: options.startsFresh, progress: progress)
    let done = if case .resuming(let tick) = start { tick } else { 0 }
    let ticks = dispatcher.timeline.ticks
    remaining = ticks.dropFirst(done)
    if let last = ticks.prefix(done).last { clock.advance(by: .seconds(last.time.sinceEpoch * 60)) }
    presenter = try BoardPresenter(
      BoardRequest(grouping: options.grouping), in: store, clocks: tables.clocks,
      windowLimit: tables.isYear ? Self.rowsInWindow : nil)
    verifier =
      options.verifies
      ? BoardVerifier(
        presenter, tables: tables, every: options.verifyEvery, after: ticks.prefix(done)) : nil
    try verifier?.checkStart(isCommit: imported)
  }

  /// The number of rows of a year that are held.
  ///
  /// It is more than a screen has, so that not every key moves the window.
  private static let rowsInWindow = 300

  /// The number of verified commits, or nil without verification.
  var verified: Int? { verifier?.checked }

  /// True if the store was started over.
  ///
  /// Then the import is a commit of this run.
  var imported: Bool {
    if case .resuming = start { false } else { true }
  }

  /// Commits the next tick.
  ///
  /// - Throws: The errors of the store, ``ReplayError`` or ``VerificationError``.
  func advance() throws {
    guard let tick = remaining.first else { return }
    letTimePass(to: tick.time)
    try dispatcher.apply(tick)
    remaining.removeFirst()
    commits += 1
    if let failure = presenter.failure { throw failure }
    try verifier?.check(tick, isLast: remaining.isEmpty)
  }

  /// Moves the store's clock forward to a minute, unless it is there already.
  func letTimePass(to minute: Minute) {
    let passed = Duration.seconds(minute.sinceEpoch * 60) - clock.now.offset
    if passed > .zero { clock.advance(by: passed) }
  }

  /// Commits the rest of the day, unless the task is cancelled in the meantime.
  func finish() throws {
    while !remaining.isEmpty {
      try Task.checkCancellation()
      try advance()
    }
  }
}
