import Signalbox

/// The one who asks for commits: it imports the day and applies the ticks.
struct Dispatcher: Sendable {
  /// How a run begins.
  enum Start: Hashable {
    /// The store was empty, or is started over as was asked.
    case new
    /// The store kept another day, or other data, and is started over.
    case replacing(day: String)
    /// The store kept this day up to a tick.
    case resuming(after: Int)
  }

  let store: Store
  let tables: DayTables
  let timeline: Timeline
  private let source: String

  static let entities: [any Entity.Type] = [
    Airline.self, Airport.self, Aircraft.self, Stage.self, Departure.self, Playhead.self,
  ]

  init(_ store: Store, tables: DayTables) {
    self.store = store
    self.tables = tables
    timeline = Timeline(tables)
    source = "\(tables.fingerprint), rules \(BoardRules.edition)"
  }

  /// Makes the store ready for the next tick; one commit at most.
  ///
  /// - Parameters:
  ///   - fresh: Whether to start over, though the store is in the middle of the day.
  ///   - progress: Told the rows written and their number, now and then.
  /// - Returns: What the store had kept.
  /// - Throws: What the store throws.
  func open(fresh: Bool, progress: (Int, Int) -> Void = { _, _ in }) throws -> Start {
    let stored = try store.find(Playhead.self, Playhead.onlyID)
    if let stored, stored.source == source, !fresh { return .resuming(after: stored.tick) }
    try store.commit { draft in
      try clear(draft)
      try fill(draft, progress: progress)
    }
    if let stored, stored.source != source { return .replacing(day: stored.day) }
    return .new
  }

  /// Deletes everything.
  ///
  /// What comes again unchanged makes no difference in the end.
  private func clear(_ draft: borrowing Draft) throws {
    for row in try draft.fetch(Query<Departure>()) { try draft.delete(Departure.self, row.id) }
    for row in try draft.fetch(Query<Stage>()) { try draft.delete(Stage.self, row.id) }
    for row in try draft.fetch(Query<Aircraft>()) { try draft.delete(Aircraft.self, row.id) }
    for row in try draft.fetch(Query<Airport>()) { try draft.delete(Airport.self, row.id) }
    for row in try draft.fetch(Query<Airline>()) { try draft.delete(Airline.self, row.id) }
    for row in try draft.fetch(Query<Playhead>()) { try draft.delete(Playhead.self, row.id) }
  }

  private func fill(_ draft: borrowing Draft, progress: (Int, Int) -> Void) throws {
    let count = tables.airlines.count + tables.airports.count + tables.planes.count
    var written = 0
    func advance() {
      written += 1
      if written % 100 == 0 || written == count { progress(written, count) }
    }
    for record in tables.airlines {
      try draft.insert(Airline(record))
      advance()
    }
    for record in tables.airports {
      try draft.insert(Airport(record))
      advance()
    }
    for record in tables.planes {
      try draft.insert(Aircraft(record))
      advance()
    }
    for status in Status.allCases { try draft.insert(Stage(status)) }
    try draft.insert(
      Playhead(
        id: Playhead.onlyID, day: "\(tables.day)", source: source,
        clockOffset: tables.clockOffset, tick: 0,
        now: (timeline.ticks.first?.time ?? timeline.end).date))
  }

  /// Commits what happens in one minute, and that it has happened.
  ///
  /// - Throws: ``ReplayError/overtaken`` if the store isn't at the tick before.
  func apply(_ tick: Timeline.Tick) throws {
    try store.commit { draft in
      try draft.update(Playhead.self, Playhead.onlyID) { playhead in
        guard playhead.source == source, playhead.tick == tick.number - 1 else {
          throw ReplayError.overtaken
        }
        playhead.tick = tick.number
        playhead.now = tick.time.date
      }
      for step in tick.steps { try apply(step, draft) }
    }
  }

  private func apply(_ step: Step, _ draft: borrowing Draft) throws {
    switch step.kind {
    case .show:
      // Ids count the flights from 1.
      try draft.insert(Departure(tables.flights[step.flight - 1]))
      try draft.update(Stage.self, .scheduled) { $0.flights += 1 }
    case .delay(let time): try move(step.flight, to: .delayed, estimated: time, draft)
    case .board: try move(step.flight, to: .boarding, draft)
    case .depart: try move(step.flight, to: .departed, estimated: step.time, draft)
    case .land: try move(step.flight, to: .landed, draft)
    case .divert: try move(step.flight, to: .diverted, draft)
    case .cancel: try move(step.flight, to: .cancelled, draft)
    case .remove: try draft.delete(Departure.self, step.flight)
    }
  }

  private func move(
    _ flight: Flight.ID, to status: Status, estimated: Minute? = nil, _ draft: borrowing Draft
  ) throws {
    let isNew = try draft.update(Departure.self, flight) { departure in
      if let estimated { departure.estimated = estimated.date }
      defer { departure.stage = Ref(status) }
      return departure.stage.id != status
    }
    if isNew { try draft.update(Stage.self, status) { $0.flights += 1 } }
  }
}

/// Why a replay can't go on.
enum ReplayError: Error, CustomStringConvertible {
  /// Someone else wrote to the store.
  case overtaken

  var description: String {
    switch self {
    case .overtaken: "another Departures is at work on this store; stop one of them"
    }
  }
}
