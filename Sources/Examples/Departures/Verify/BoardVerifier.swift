import Signalbox

/// Compares the board with one worked out from the tables, after every commit.
///
/// Four boards must be equal: the reference; the model's; a plain copy that only the events have
/// brought up to date; and what the store gives when it is asked anew.
@MainActor final class BoardVerifier {
  private let model: FetchedObjectsModel<Departure>
  private let store: Store
  private let clockOffset: Int
  private var reference: ReferenceBoard
  private var copy: Board
  private var events: [FetchedObjectsEvent<Departure>] = []
  private var token: SubscriptionToken?

  /// The number of commits that have been checked.
  private(set) var checked = 0

  /// A verifier of a model that shows the board after these ticks.
  init(
    _ model: FetchedObjectsModel<Departure>, in store: Store, by grouping: Options.Grouping,
    tables: DayTables, after ticks: some Sequence<Timeline.Tick>
  ) {
    self.model = model
    self.store = store
    clockOffset = tables.clockOffset
    reference = ReferenceBoard(tables, by: grouping)
    for tick in ticks { reference.apply(tick) }
    copy = Board(model.snapshot, clockOffset: clockOffset)
    token = model.didChange.subscribe(on: .mainActor) { [weak self] in self?.events.append($0) }
  }

  /// Checks the board before the next tick; the import is a commit too.
  func checkStart(isCommit: Bool) throws {
    try compare("when it opened")
    if isCommit { checked += 1 }
  }

  /// Checks the board after a tick's commit.
  func check(_ tick: Timeline.Tick) throws {
    let moment = "after commit \(tick.number) at \(tick.time.clock(offset: clockOffset))"
    reference.apply(tick)
    guard events.count == 1 else {
      throw VerificationError(description: "\(moment) there were \(events.count) events, not 1")
    }
    for event in events { try apply(event, moment) }
    events = []
    try compare(moment)
    checked += 1
  }

  /// Brings the copy up to date, taking from the result after only what the changes name.
  private func apply(_ event: FetchedObjectsEvent<Departure>, _ moment: String) throws {
    guard event.before.rowCounts == copy.map(\.rows.count) else {
      throw VerificationError(description: "\(moment) the event begins with another board")
    }
    event.changes.apply(
      to: &copy, header: { BoardHeader(event.after.sections[$0]) },
      row: { BoardRow(event.after[$0], clockOffset: clockOffset) })
  }

  private func compare(_ moment: String) throws {
    let expected = reference.board
    try expect(
      expected, Board(model.snapshot, clockOffset: clockOffset), "the model's board", moment)
    try expect(expected, copy, "the copy that the events brought up to date", moment)
    let fetched = try store.fetch(model.query)
    let rows = expected.flatMap(\.rows)
    guard rows.count == fetched.count, zip(rows, fetched).allSatisfy(isEqual) else {
      throw VerificationError(description: "\(moment) the store gives other rows when asked anew")
    }
  }

  private func isEqual(_ row: BoardRow, _ departure: Departure) -> Bool {
    row.id == departure.id && row.status == departure.stage.id
      && row.estimated == Minute(departure.estimated).clock(offset: clockOffset)
  }

  private func expect(_ expected: Board, _ found: Board, _ name: String, _ moment: String) throws {
    if let difference = BoardDifference(expected: expected, found: found) {
      throw VerificationError(description: "\(moment), in \(name), \(difference)")
    }
  }
}

/// A board that isn't what it should be.
struct VerificationError: Error, CustomStringConvertible {
  var description: String
}
