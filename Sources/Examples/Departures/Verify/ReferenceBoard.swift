import ListDiffing

/// The board worked out from the tables alone, in plain Swift, for comparison.
///
/// It shares nothing with the store or the query: it has its own state, its own look-ups, and sorts
/// and groups everything anew for each board.
struct ReferenceBoard {
  private struct Line {
    var flight: Flight
    var estimated: Minute
    var status: Status
  }

  private let grouping: Options.Grouping
  private let clockOffset: Int
  private let flights: [Flight]
  private let airlines: [String: String]
  private let airports: [String: String]
  private let models: [String: String]
  private var shown: [Flight.ID: Line] = [:]
  /// For each status the flights that have had it.
  private(set) var soFar: [Status: Int] = [:]

  init(_ tables: DayTables, by grouping: Options.Grouping) {
    self.grouping = grouping
    clockOffset = tables.clockOffset
    flights = tables.flights
    airlines = Dictionary(uniqueKeysWithValues: tables.airlines.map { ($0.code, $0.name) })
    airports = Dictionary(uniqueKeysWithValues: tables.airports.map { ($0.code, $0.name) })
    models = Dictionary(
      uniqueKeysWithValues: tables.planes.map { ($0.tailNumber, "\($0.manufacturer) \($0.model)") })
  }

  /// Goes on by one tick.
  mutating func apply(_ tick: Timeline.Tick) {
    for step in tick.steps {
      var line = shown[step.flight]
      switch step.kind {
      case .show:
        // Ids count the flights from 1.
        let flight = flights[step.flight - 1]
        line = Line(flight: flight, estimated: flight.scheduled, status: .scheduled)
      case .delay(let time):
        line?.estimated = time
      case .depart:
        line?.estimated = step.time
      case .board, .land, .divert, .cancel, .remove:
        break
      }
      if let status = step.kind.status {
        // A delay that grows is the same status again.
        if step.kind == .show || line?.status != status { soFar[status, default: 0] += 1 }
        line?.status = status
        shown[step.flight] = line
      } else {
        shown[step.flight] = nil
      }
    }
  }

  /// The whole board, from nothing.
  var board: Board {
    let lines = shown.values.sorted { left, right in
      for (one, other) in zip(sectionRank(of: left), sectionRank(of: right)) where one != other {
        return Self.precedes(one, other)
      }
      if left.estimated != right.estimated { return left.estimated < right.estimated }
      let (one, other) = (airlineName(of: left), airlineName(of: right))
      if one != other { return Self.precedes(one, other) }
      return (left.flight.number, left.flight.id) < (right.flight.number, right.flight.id)
    }
    var board: Board = []
    for line in lines {
      let header = header(of: line)
      if board.last?.header != header { board.append(ListSection(header: header, rows: [])) }
      board[board.count - 1].rows.append(row(of: line))
    }
    return board
  }

  /// What sections are ordered by: first this, then that.
  private func sectionRank(of line: Line) -> [String] {
    switch grouping {
    case .status: ["\(line.status.order)"]
    case .origin: [line.flight.origin]
    case .carrier: [airlineName(of: line), line.flight.carrier]
    }
  }

  /// Text is ordered by its bytes.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  private func header(of line: Line) -> BoardHeader {
    let flight = line.flight
    return switch grouping {
    case .status: BoardHeader(key: line.status.rawValue, title: line.status.title)
    case .origin:
      BoardHeader(key: flight.origin, title: airports[flight.origin] ?? flight.origin)
    case .carrier: BoardHeader(key: flight.carrier, title: airlineName(of: line))
    }
  }

  private func airlineName(of line: Line) -> String {
    airlines[line.flight.carrier] ?? line.flight.carrier
  }

  private func row(of line: Line) -> BoardRow {
    let flight = line.flight
    return BoardRow(
      id: flight.id, scheduled: flight.scheduled.clock(offset: clockOffset),
      estimated: line.estimated.clock(offset: clockOffset),
      flight: "\(flight.carrier) \(flight.number)", airline: airlineName(of: line),
      origin: flight.origin, destination: airports[flight.destination] ?? flight.destination,
      aircraft: flight.tailNumber.map { models[$0] ?? $0 } ?? "", status: line.status)
  }
}
