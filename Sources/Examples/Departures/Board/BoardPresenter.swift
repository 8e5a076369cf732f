import Signalbox

/// Turns what the store shows into what a view needs.
///
/// Everything is delivered on the main actor, so that in the callback for one commit the board, the
/// totals and the clock all show that commit.
@MainActor final class BoardPresenter {
  let departures: FetchedObjectsModel<Departure>
  private let stages: FetchedObjectsModel<Stage>
  private let playhead: ObservedEntity<Playhead>
  private var tokens: [SubscriptionToken] = []

  /// The events since the presenter came.
  private(set) var events = 0
  /// The changes of all those events.
  private(set) var changes = ChangeCounts()
  /// Why the board may be older than the store.
  private(set) var failure: (any Error)?
  private var touched: Set<BoardRow.ID> = []

  /// Called after each event, with the line that tells of it.
  var onEvent: (EventLine) -> Void = { _ in }

  init(_ grouping: Options.Grouping, in store: Store) throws {
    departures = try FetchedObjectsModel(
      grouping.query, in: store, delivery: .mainActor, policy: .each)
    stages = try FetchedObjectsModel(
      Query<Stage>().sorted { [$0.order.ascending] }, in: store, delivery: .mainActor,
      policy: .each)
    playhead = try ObservedEntity(
      Playhead.onlyID, in: store, delivery: .mainActor, policy: .each)
    tokens = [
      departures.didChange.subscribe(on: .mainActor) { [weak self] in self?.take($0) },
      departures.errors.subscribe(on: .mainActor) { [weak self] in self?.failure = $0 },
      stages.errors.subscribe(on: .mainActor) { [weak self] in self?.failure = $0 },
      playhead.errors.subscribe(on: .mainActor) { [weak self] in self?.failure = $0 },
    ]
  }

  private func take(_ event: FetchedObjectsEvent<Departure>) {
    events += 1
    changes.add(event.changes)
    let moved = event.changes.moves + event.changes.updates
    touched = Set((event.changes.inserts + moved.map(\.new)).map { event.after[$0].id })
    var latest = ChangeCounts()
    latest.add(event.changes)
    onEvent(EventLine(clock: clock, changes: latest, counts: counts))
  }

  /// The board's time.
  var clock: String { clock(at: Minute(playhead.now)) }

  func clock(at minute: Minute) -> String { minute.clock(offset: playhead.clockOffset) }

  /// The board as a plain list.
  var board: Board { Board(departures.snapshot, clockOffset: playhead.clockOffset) }

  /// For each status the flights that have had it since the board opened.
  var soFar: [Status: Int] {
    let seen = stages.fetchedObjects.filter { $0.flights > 0 }
    return Dictionary(uniqueKeysWithValues: seen.map { ($0.id, $0.flights) })
  }

  /// How many flights on the board have each status.
  private var counts: [Status: Int] {
    departures.fetchedObjects.reduce(into: [:]) { $0[$1.stage.id, default: 0] += 1 }
  }

  /// All that a view shows, with the clock at a minute or at the last commit.
  func page(at minute: Minute? = nil) -> BoardPage {
    BoardPage(
      day: playhead.day, clock: minute.map(clock) ?? clock, board: board, touched: touched,
      soFar: soFar)
  }
}
