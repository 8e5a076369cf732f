import DeparturesModel
@_spi(Inspection) import Signalbox

/// A presenter that turns the store's data into pages for a view.
///
/// Everything is delivered on the main actor. So in the callback for one commit, the board, the
/// totals and the clock all show that commit.
///
/// The board of a day is the whole result. The board of a year is a window of it, which follows the
/// visible rows. The counts of the sections come from an index, which the window needs anyway.
@MainActor final class BoardPresenter {
  let departures: FetchedObjectsModel<Departure>
  let store: Store
  let clocks: Clocks
  /// The number of rows in the window, or nil without a window.
  let windowLimit: Int?
  /// The current request.
  private(set) var request: BoardRequest
  /// The order of all rows, if the board is a window.
  private(set) var overview: IndexedObjectsModel<Departure>?
  private let stages: FetchedObjectsModel<Stage>
  private let playhead: ObservedEntity<Playhead>
  private var tokens: [SubscriptionToken] = []

  /// The number of events since the presenter was created.
  private(set) var events = 0
  /// The changes of all those events.
  private(set) var changes = ChangeCounts()
  /// The error because of which the board may be older than the store.
  private(set) var failure: (any Error)?
  /// The rows that the last event changed.
  private(set) var touched: Set<BoardRow.ID> = []
  var scroll = BoardScroll()
  /// The chosen row, and the positions of all rows that were visible together with it.
  var chosen: (id: BoardRow.ID, seen: Range<Int>)?

  /// Called after each event, with the line that describes it.
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

  private func take(_ event: ListEvent<EntityView<Departure>>) {
    events += 1
    changes.add(event.changes)
    let moved = event.changes.moves + event.changes.updates
    touched = Set((event.changes.inserts + moved.map(\.new)).map { event.after[$0].id })
    guard let onEvent else { return }
    var latest = ChangeCounts()
    latest.add(event.changes)
    onEvent(EventLine(clock: clock, changes: latest, counts: counts))
  }

  /// Switches to other sections or another search.
  ///
  /// This is one event (F6).
  ///
  /// - Throws: The errors of reading. The board is unchanged then.
  func show(_ request: BoardRequest) throws {
    guard request != self.request else { return }
    let before = overview
    // It is replaced first, so that the counts of the sections match the rows in the event.
    if windowLimit != nil { overview = try Self.overview(of: request, in: store) }
    do {
      try departures.setQuery(request.query(upTo: windowLimit))
    } catch {
      overview = before
      throw error
    }
    self.request = request
  }

  // MARK: Visible content

  /// The error of a model that couldn't be read at the last commit, or nil.
  ///
  /// The model still shows what it had before. It is read again at the next commit.
  var staleness: (any Error)? { departures.error ?? stages.error ?? playhead.error }

  /// The last tick on the board.
  var tick: Int { playhead.tick }

  /// The board's time.
  var clock: String { clock(at: Minute(playhead.now)) }

  func clock(at minute: Minute) -> String { clocks.clock(minute) }

  /// The day, such as `2013-02-08`.
  var day: String { playhead.day }

  /// The board as a plain list.
  ///
  /// For a year, it contains the rows in the window.
  var board: Board { Board(departures.snapshot, clocks: clocks) }

  /// For each status, the number of flights that have had it since the board opened.
  var soFar: [Status: Int] {
    let seen = stages.fetchedObjects.filter { $0.flights > 0 }
    return Dictionary(uniqueKeysWithValues: seen.map { ($0.id, $0.flights) })
  }

  /// The number of flights on the board for each status.
  private var counts: [Status: Int] {
    departures.fetchedObjects.reduce(into: [:]) { $0[$1.stage.id, default: 0] += 1 }
  }

  /// The number of subscriptions to the presenter's models.
  var subscriptionCount: Int { departures.subscriptionCount + stages.subscriptionCount }
}

extension BoardRequest {
  /// Returns the query, limited to a number of rows if it is for a window.
  func query(upTo limit: Int?) -> Query<Departure> { limit.map { query.limit($0) } ?? query }
}
