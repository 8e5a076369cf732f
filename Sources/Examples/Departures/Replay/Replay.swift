import Foundation
import Signalbox

/// A day, or a year, on its way over the board: the store, who writes to it and who shows it.
@MainActor final class Replay {
  let dispatcher: Dispatcher
  let presenter: BoardPresenter
  /// How it began.
  let start: Dispatcher.Start
  private let verifier: BoardVerifier?
  /// The ticks that aren't in the store yet.
  private(set) var remaining: Slice<Timeline.Ticks>
  /// The ticks that have been committed since it began.
  private(set) var commits = 0

  /// Opens a store for a day's tables, and imports them unless it goes on from where it was.
  ///
  /// - Parameters:
  ///   - tables: The day, or the year.
  ///   - backing: Where the store is kept.
  ///   - options: How to show, and whether to verify or start over.
  ///   - progress: Told the rows of the import that are written, and their number.
  /// - Throws: What the store throws, or ``VerificationError``.
  init(
    _ tables: DayTables, in backing: StorageKind, options: Options,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws {
    let store = try Store(backing, entities: Dispatcher.entities)
    dispatcher = Dispatcher(store, tables: tables)
    start = try dispatcher.open(fresh: options.startsFresh, progress: progress)
    let done = if case .resuming(let tick) = start { tick } else { 0 }
    let ticks = dispatcher.timeline.ticks
    remaining = ticks.dropFirst(done)
    presenter = try BoardPresenter(
      BoardRequest(grouping: options.grouping), in: store, clocks: tables.clocks,
      windowLimit: tables.isYear ? Self.rowsInWindow : nil)
    verifier =
      options.verifies
      ? BoardVerifier(
        presenter, tables: tables, every: options.verifyEvery, after: ticks.prefix(done)) : nil
    try verifier?.checkStart(isCommit: imported)
  }

  /// How many rows of a year are held: more than a screen has, so that not each key moves the window.
  private static let rowsInWindow = 300

  /// The number of commits that have been verified, or nil if none is to be.
  var verified: Int? { verifier?.checked }

  /// Whether the store was started over, so that the import is a commit of this run.
  var imported: Bool {
    if case .resuming = start { false } else { true }
  }

  /// Commits the next tick.
  ///
  /// - Throws: What the store throws, ``ReplayError`` or ``VerificationError``.
  func advance() throws {
    guard let tick = remaining.first else { return }
    try dispatcher.apply(tick)
    remaining.removeFirst()
    commits += 1
    if let failure = presenter.failure { throw failure }
    try verifier?.check(tick, isLast: remaining.isEmpty)
  }

  /// Commits all that is left of the day, unless the task is cancelled meanwhile.
  func finish() throws {
    while !remaining.isEmpty {
      try Task.checkCancellation()
      try advance()
    }
  }
}
