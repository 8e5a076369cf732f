import Signalbox

/// Turns what the store shows into what a view needs.
///
/// Everything is delivered on the main actor, so that in the callback for one commit the board, the
/// totals and the clock all show that commit.
///
/// The board of a day is the whole result. That of a year is a window of it, which follows what is seen; the
/// sections' counts are those of an index, which the window stands on anyway.
@MainActor final class BoardPresenter {
  let departures: FetchedObjectsModel<Departure>
  let store: Store
  let clocks: Clocks
  /// How many rows the window has, or nil without one.
  let windowLimit: Int?
  /// What is shown.
  private(set) var request: BoardRequest
  /// The order of all rows, where the board is a window.
  private(set) var overview: IndexedObjectsModel<Departure>?
  private let stages: FetchedObjectsModel<Stage>
  private let playhead: ObservedEntity<Playhead>
  private var tokens: [SubscriptionToken] = []

  /// The events since the presenter came.
  private(set) var events = 0
  /// The changes of all those events.
  private(set) var changes = ChangeCounts()
  /// Why the board may be older than the store.
  private(set) var failure: (any Error)?
  /// The rows that the last event touched.
  private(set) var touched: Set<BoardRow.ID> = []
  var scroll = BoardScroll()
  /// The chosen row, and where all rows that were seen with it stood.
  var chosen: (id: BoardRow.ID, seen: Range<Int>)?

  /// Called after each event, with the line that tells of it.
  var onEvent: ((EventLine) -> Void)?

  init(
    _ request: BoardRequest, in store: Store, clocks: Clocks, windowLimit: Int? = nil
  ) throws {
    self.store = store
    self.request = request
    self.clocks = clocks
    self.windowLimit = windowLimit
    departures = try FetchedObjectsModel(
      request.query(upTo: windowLimit), in: store, delivery: .mainActor, policy: .every)
    overview = try windowLimit.map { _ in try Self.overview(of: request, in: store) }
    stages = try FetchedObjectsModel(
      Query<Stage>().sorted { [$0.order.ascending] }, in: store, delivery: .mainActor,
      policy: .every)
    playhead = try ObservedEntity(
      Playhead.onlyID, in: store, delivery: .mainActor, policy: .every)
    tokens = [
      departures.didChange.subscribe(on: .mainActor) { [weak self] in self?.take($0) },
      departures.errors.subscribe(on: .mainActor) { [weak self] in self?.failure = $0 },
      stages.errors.subscribe(on: .mainActor) { [weak self] in self?.failure = $0 },
      playhead.errors.subscribe(on: .mainActor) { [weak self] in self?.failure = $0 },
    ]
  }

  private static func overview(
    of request: BoardRequest, in store: Store
  ) throws -> IndexedObjectsModel<Departure> {
    try IndexedObjectsModel(
      request.order, in: store, delivery: .mainActor, policy: .every, cacheCapacity: 0)
  }

  private func take(_ event: FetchedObjectsEvent<Departure>) {
    events += 1
    changes.add(event.changes)
    let moved = event.changes.moves + event.changes.updates
    touched = Set((event.changes.inserts + moved.map(\.new)).map { event.after[$0].id })
    guard let onEvent else { return }
    var latest = ChangeCounts()
    latest.add(event.changes)
    onEvent(EventLine(clock: clock, changes: latest, counts: counts))
  }

  /// Goes over to other sections or another search: one event (F6).
  ///
  /// - Throws: what reading throws; then the board stays as it was.
  func show(_ request: BoardRequest) throws {
    guard request != self.request else { return }
    let before = overview
    // First, so that in the event the sections' counts are those of its rows.
    if windowLimit != nil { overview = try Self.overview(of: request, in: store) }
    do {
      try departures.setQuery(request.query(upTo: windowLimit))
    } catch {
      overview = before
      throw error
    }
    self.request = request
  }

  // MARK: What is shown

  /// The board's time.
  var clock: String { clock(at: Minute(playhead.now)) }

  func clock(at minute: Minute) -> String { clocks.clock(minute) }

  /// Such as `2013-02-08`.
  var day: String { playhead.day }

  /// The board as a plain list; of a year what is in the window.
  var board: Board { Board(departures.snapshot, clocks: clocks) }

  /// For each status the flights that have had it since the board opened.
  var soFar: [Status: Int] {
    let seen = stages.fetchedObjects.filter { $0.flights > 0 }
    return Dictionary(uniqueKeysWithValues: seen.map { ($0.id, $0.flights) })
  }

  /// How many flights on the board have each status.
  private var counts: [Status: Int] {
    departures.fetchedObjects.reduce(into: [:]) { $0[$1.stage.id, default: 0] += 1 }
  }

  /// The live models that the presenter shows, and who subscribes to them.
  var subscriptionCount: Int { departures.subscriptionCount + stages.subscriptionCount }
}

extension BoardRequest {
  /// The query, for so many rows if it is one for a window.
  func query(upTo limit: Int?) -> Query<Departure> { limit.map { query.limit($0) } ?? query }
}
