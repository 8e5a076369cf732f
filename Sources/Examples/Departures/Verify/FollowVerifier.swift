import DeparturesModel
import Signalbox

/// A verifier that compares a board which follows others with one computed from the tables, after
/// every event.
///
/// Commits of others may come together as one event, so the board is that of the shown tick. In the
/// callback of an event, the board and the tick are those of one version.
@MainActor final class FollowVerifier {
  private let presenter: BoardPresenter
  private let tables: DayTables
  private let timeline: Timeline
  private var reference: ReferenceBoard
  private var tick = 0
  /// The version from which on all models of the board show the same one.
  ///
  /// Each has begun with the version that was the newest when it was created.
  private let start: Int64
  private var copy: Board
  private var token: SubscriptionToken?
  /// The first difference that was found.
  private(set) var failure: VerificationError?

  /// The number of events after which the boards were compared.
  private(set) var checked = 0

  /// - Parameters:
  ///   - presenter: the board.
  ///   - tables: the tables of the day.
  ///   - timeline: the ticks of the day.
  ///   - start: a version that the store had after the board's models were created.
  init(
    _ presenter: BoardPresenter, _ tables: DayTables, _ timeline: Timeline, from start: Int64
  ) {
    self.start = start
    self.presenter = presenter
    self.tables = tables
    self.timeline = timeline
    reference = ReferenceBoard(tables, by: presenter.request.grouping)
    copy = Board(presenter.departures.snapshot, clocks: tables.clocks)
    token = presenter.departures.didChange.subscribe(on: .mainActor) { [weak self] in
      self?.take($0)
    }
  }

  /// Updates the copy by what an event names, and compares.
  private func take(_ event: ListEvent<EntityView<Departure>>) {
    guard event.before.rowCounts == copy.map(\.rows.count) else {
      failure = VerificationError(description: "an event begins with another board")
      return
    }
    event.changes.apply(
      to: &copy, header: { BoardHeader(event.after.sections[$0]) },
      row: { BoardRow(event.after[$0], clocks: presenter.clocks) })
    // While the store can't be read, the board and the tick may be those of two versions.
    if event.versions.upperBound < start || presenter.staleness != nil { return }
    do { try compare() } catch { failure = failure ?? error }
  }

  /// Compares the shown board, the copy that the events patch, and the reference.
  ///
  /// - Throws: ``VerificationError``.
  func compare() throws(VerificationError) {
    // In the file it may be any number.
    let shown = max(0, presenter.tick)
    // Another program may have started the day over.
    if shown < tick {
      reference = ReferenceBoard(tables, by: presenter.request.grouping)
      tick = 0
    }
    for next in timeline.ticks.dropFirst(tick).prefix(shown - tick) {
      reference.apply(next)
    }
    tick = shown
    let order = reference.order
    let expected = reference.board(order, 0..<order.count)
    let moment = "at tick \(tick)"
    try expect(expected, presenter.board, "the model's board", moment)
    try expect(expected, copy, "the copy that the events brought up to date", moment)
    checked += 1
  }

  private func expect(
    _ expected: Board, _ found: Board, _ name: String, _ moment: String
  ) throws(VerificationError) {
    if let difference = BoardDifference(expected: expected, found: found) {
      throw VerificationError(description: "\(moment), in \(name), \(difference)")
    }
  }
}
