public import Signalbox

/// The type that makes all commits: it imports the tables, applies the ticks, and renames objects
/// for the user.
public struct Dispatcher: Sendable {
  /// The way in which a run begins.
  public enum Start: Hashable {
    /// The store was empty, or starts over because the user asked for it.
    case new
    /// The store contained another day, or other data, and starts over.
    case replacing(day: String)
    /// The store contained this day up to a tick.
    case resuming(after: Int)
  }

  /// The store that is written to.
  public let store: Store
  /// The data.
  public let tables: DayTables
  /// The steps of the data.
  public let timeline: Timeline
  /// The fingerprint of the tables, and the edition of the board's rules.
  public let source: String

  /// The entities of the store.
  public static let entities: [any Entity.Type] = [
    Airline.self, Airport.self, Aircraft.self, Stage.self, Departure.self, Playhead.self,
  ]

  /// Creates a dispatcher that writes a day or a year to a store.
  public init(_ store: Store, tables: DayTables) {
    self.store = store
    self.tables = tables
    timeline = Timeline(tables)
    let kind = tables.isYear ? ", year" : ""
    source = "\(tables.fingerprint), rules \(BoardRules.edition)\(kind)"
  }

  /// Prepares the store for the next tick.
  ///
  /// For a day, this takes at most one commit. A year is too large for one commit, which is held in
  /// memory. So its flights are deleted and inserted some thousand at a time. The playhead is
  /// written last, so an import that was killed starts over.
  ///
  /// - Parameters:
  ///   - fresh: True to start over even if the store is in the middle of the day.
  ///   - progress: A closure that is called from time to time with the number of rows written and
  ///     the number of all rows.
  /// - Returns: The previous content of the store.
  /// - Throws: The errors of the store.
  public func open(fresh: Bool, progress: (Int, Int) -> Void = { _, _ in }) throws -> Start {
    let stored = try store.find(Playhead.self, Playhead.onlyID)
    if let stored, fits(stored), !fresh { return .resuming(after: stored.tick) }
    let isLarge = try tables.isYear || store.count(Query<Departure>()) > Self.flightsAtOnce
    if isLarge, stored != nil {
      try store.commit { try $0.delete(Playhead.self, Playhead.onlyID) }
    }
    if isLarge { try clearFlights() }
    try store.commit { draft in
      try clear(draft)
      try fill(draft, progress: progress)
      if !tables.isYear { try draft.insert(playhead) }
    }
    if tables.isYear { try fillFlights(progress: progress) }
    if let stored, !fits(stored) { return .replacing(day: stored.day) }
    return .new
  }

  /// Returns true if the playhead is on this timeline.
  ///
  /// Any program can write to a file, so its tick may be any number.
  private func fits(_ playhead: Playhead) -> Bool {
    playhead.source == source && (0...timeline.ticks.count).contains(playhead.tick)
  }

  /// Deletes everything.
  ///
  /// A row that is inserted again unchanged makes no difference in the end.
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
  }

  /// The playhead at the beginning of the replay.
  private var playhead: Playhead {
    Playhead(
      id: Playhead.onlyID, day: tables.title, source: source, clockOffset: tables.clockOffset,
      tick: 0, now: (timeline.ticks.first?.time ?? timeline.end).date)
  }

  // MARK: The flights of a year

  private static let flightsAtOnce = 5000

  private func clearFlights() throws {
    let some = Query<Departure>().limit(Self.flightsAtOnce)
    while case let flights = try store.fetch(some), !flights.isEmpty {
      try store.commit { draft in
        for flight in flights { try draft.delete(Departure.self, flight.id) }
      }
    }
  }

  private func fillFlights(progress: (Int, Int) -> Void) throws {
    let count = tables.flights.count
    for start in stride(from: 0, to: count, by: Self.flightsAtOnce) {
      let flights = tables.flights[start..<min(count, start + Self.flightsAtOnce)]
      try store.commit { draft in
        for flight in flights { try draft.insert(Departure(flight)) }
      }
      progress(flights.endIndex, count)
    }
    try store.commit { draft in
      try draft.update(Stage.self, .scheduled) { $0.flights = count }
      try draft.insert(playhead)
    }
  }

  // MARK: Ticks

  /// Commits the steps of one minute, together with the playhead.
  ///
  /// - Throws: ``ReplayError/overtaken`` if the store isn't at the previous tick. The errors of the
  ///   store.
  public func apply(_ tick: Timeline.Tick) throws {
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
      try addOne(to: .scheduled, draft)
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
    if isNew { try addOne(to: status, draft) }
  }

  private func addOne(to status: Status, _ draft: borrowing Draft) throws {
    // The number in the file may be any.
    try draft.update(Stage.self, status) { $0.flights &+= 1 }
  }
}

extension Dispatcher: BoardCommands {
  /// Renames an airline, in one commit.
  ///
  /// - Returns: The version of the commit, or nil if it changed nothing.
  /// - Throws: The errors of the store.
  @discardableResult
  public func rename(airline code: String, to name: String) throws -> Int64? {
    try store.commitReturningVersion(named: "rename \(code)") { draft in
      try draft.update(Airline.self, code) { $0.name = name }
    }
  }

  /// Renames an aircraft's model, in one commit.
  ///
  /// - Returns: The version of the commit, or nil if it changed nothing.
  /// - Throws: The errors of the store.
  @discardableResult
  public func rename(aircraft tailNumber: String, to model: String) throws -> Int64? {
    try store.commitReturningVersion(named: "rename \(tailNumber)") { draft in
      try draft.update(Aircraft.self, tailNumber) { $0.model = model }
    }
  }
}

/// The reason why a replay can't continue.
public enum ReplayError: Error, CustomStringConvertible {
  /// Another program wrote to the store.
  case overtaken

  /// The text for messages.
  public var description: String {
    switch self {
    case .overtaken: "another Departures is at work on this store; stop one of them"
    }
  }
}
