import DeparturesModel
import Signalbox

/// A verifier that compares the board with one computed from the tables, after every commit or
/// every few.
///
/// Four boards must be equal: the reference, the model's board, a plain copy that is updated only
/// by the events, and the result of a new fetch from the store. For a year, the rows of the window
/// are compared. The window moves after each comparison, and ``OverviewVerifier`` checks the rest.
@MainActor final class BoardVerifier {
  private let presenter: BoardPresenter
  private let clocks: Clocks
  private let every: Int
  private var model: FetchedObjectsModel<Departure> { presenter.departures }
  private var reference: ReferenceBoard
  private var copy: Board
  private var events: [ListEvent<EntityView<Departure>>] = []
  private var token: SubscriptionToken?
  private var overview: OverviewVerifier?
  private var comparisons = 0

  /// The number of commits after which the boards were compared.
  private(set) var checked = 0
  private var taken = 0

  /// Creates a verifier of a board after these ticks.
  init(
    _ presenter: BoardPresenter, tables: DayTables, every: Int = 1,
    after ticks: some Sequence<Timeline.Tick>
  ) {
    self.presenter = presenter
    self.every = every
    clocks = tables.clocks
    reference = ReferenceBoard(tables, by: presenter.request.grouping)
    for tick in ticks { reference.apply(tick) }
    copy = Board(presenter.departures.snapshot, clocks: clocks)
    overview = presenter.overview.map { OverviewVerifier($0) }
    token = model.didChange.subscribe(on: .mainActor) { [weak self] in self?.events.append($0) }
  }

  /// Checks the board before the next tick.
  ///
  /// The import counts as a commit.
  func checkStart(isCommit: Bool) throws {
    try compare("when it opened")
    if isCommit { checked += 1 }
  }

  /// Checks the board after the commit of a tick, if it is due.
  ///
  /// It always checks that the events fit.
  ///
  /// - Parameters:
  ///   - tick: The committed tick.
  ///   - isLast: True for the last commit, which is always checked.
  /// - Throws: ``VerificationError``, or the errors of reading.
  func check(_ tick: Timeline.Tick, isLast: Bool) throws {
    let moment = "after commit \(tick.number) at \(clocks.clock(tick.time))"
    reference.apply(tick)
    // A change outside the window causes no event.
    let isExpected = events.count == 1 || events.isEmpty && presenter.windowLimit != nil
    guard isExpected else {
      throw VerificationError(description: "\(moment) there were \(events.count) events, not 1")
    }
    try takeEvents(moment)
    taken += 1
    guard taken % every == 0 || isLast else { return }
    try compare(moment)
    checked += 1
  }

  private func takeEvents(_ moment: String) throws {
    for event in events { try apply(event, moment) }
    events = []
  }

  /// Updates the copy.
  ///
  /// From the result after, it reads only the rows and sections that the changes name.
  private func apply(_ event: ListEvent<EntityView<Departure>>, _ moment: String) throws {
    // A window without rows has no section, and neither has a result without sections.
    guard event.before.rowCounts == copy.map(\.rows.count) else {
      throw VerificationError(description: "\(moment) the event begins with another board")
    }
    event.changes.apply(
      to: &copy, header: { BoardHeader(event.after.sections[$0]) },
      row: { BoardRow(event.after[$0], clocks: clocks) })
  }

  private func compare(_ moment: String) throws {
    let order = reference.order
    try compareRows(order, moment)
    guard let overview, let limit = presenter.windowLimit else { return }
    try overview.compare(order, moment)
    // Every other window has the first rows, where most changes happen.
    comparisons += 1
    let elsewhere = comparisons &* 7_368_787 % max(1, order.count)
    try model.setWindow(offset: comparisons % 2 == 0 ? 0 : elsewhere, limit: limit)
    try takeEvents(moment)
    try compareRows(order, "\(moment), the window moved")
  }

  private func compareRows(_ order: ReferenceBoard.Order, _ moment: String) throws {
    let snapshot = model.snapshot
    let end = presenter.windowLimit.map { min(order.count, snapshot.rowsBefore + $0) }
    let expected = reference.board(order, snapshot.rowsBefore..<(end ?? order.count))
    try expect(expected, Board(snapshot, clocks: clocks), "the model's board", moment)
    try expect(expected, copy, "the copy that the events brought up to date", moment)
    // For a year, sorting takes the storage a second.
    guard presenter.windowLimit == nil || comparisons % 100 == 0 else { return }
    let fetched = try presenter.store.fetch(model.query)
    let rows = expected.flatMap(\.rows)
    guard rows.count == fetched.count, zip(rows, fetched).allSatisfy(isEqual) else {
      throw VerificationError(description: "\(moment) the store gives other rows when asked anew")
    }
  }

  private func isEqual(_ row: BoardRow, _ departure: Departure) -> Bool {
    row.id == departure.id && row.status == departure.stage.id
      && row.estimated == clocks.clock(Minute(departure.estimated))
  }

  private func expect(_ expected: Board, _ found: Board, _ name: String, _ moment: String) throws {
    if let difference = BoardDifference(expected: expected, found: found) {
      throw VerificationError(description: "\(moment), in \(name), \(difference)")
    }
  }
}

/// An error that describes a wrong board.
struct VerificationError: Error, CustomStringConvertible {
  var description: String
}
