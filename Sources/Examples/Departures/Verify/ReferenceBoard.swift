import DeparturesModel
import ListDiffing

/// A board computed from the tables alone, in plain Swift, for comparison.
///
/// It shares nothing with the store or the query. It has its own state and its own look-ups, and
/// sorts and groups everything from scratch for each board.
struct ReferenceBoard {
  private struct Line {
    var estimated: Minute
    var status: Status
  }

  /// The flights of one moment in order, with the number of rows of each section.
  struct Order {
    fileprivate var places: [ReferencePlace] = []
    fileprivate(set) var counts: [Int] = []

    var count: Int { places.count }

    /// Returns the id of the flight at a position.
    func flight(at position: Int) -> Flight.ID { places[position].flight }
  }

  private let grouping: BoardGrouping
  private let clocks: Clocks
  private let flights: [Flight]
  private let airlines: [String: String]
  private let airports: [String: String]
  private let models: [String: String]
  /// The ranks of airlines by name alone, and by name and then code.
  private let nameRanks: [String: Int]
  private let carrierRanks: [String: Int]
  private let originRanks: [String: Int]
  /// The visible lines, by flight.
  ///
  /// Ids count the flights from 1.
  private var shown: [Line?]
  /// For each status, the number of flights that have had it.
  private(set) var soFar: [Status: Int] = [:]

  init(_ tables: DayTables, by grouping: BoardGrouping) {
    self.grouping = grouping
    clocks = tables.clocks
    flights = tables.flights
    airlines = Dictionary(uniqueKeysWithValues: tables.airlines.map { ($0.code, $0.name) })
    airports = Dictionary(uniqueKeysWithValues: tables.airports.map { ($0.code, $0.name) })
    models = Dictionary(
      uniqueKeysWithValues: tables.planes.map { ($0.tailNumber, "\($0.manufacturer) \($0.model)") })
    (nameRanks, carrierRanks) = Self.ranks(of: tables.airlines)
    let origins = Set(tables.flights.map(\.origin)).sorted(by: Self.precedes)
    originRanks = Dictionary(uniqueKeysWithValues: zip(origins, origins.indices))
    shown = tables.flights.map {
      tables.isYear ? Line(estimated: $0.scheduled, status: .scheduled) : nil
    }
    if tables.isYear { soFar[.scheduled] = flights.count }
  }

  private static func ranks(
    of airlines: [AirlineRecord]
  ) -> (names: [String: Int], carriers: [String: Int]) {
    let sorted = airlines.sorted {
      $0.name == $1.name ? precedes($0.code, $1.code) : precedes($0.name, $1.name)
    }
    var (names, carriers): ([String: Int], [String: Int]) = ([:], [:])
    for (position, airline) in sorted.enumerated() {
      carriers[airline.code] = position
      let isSame = position > 0 && sorted[position - 1].name == airline.name
      names[airline.code] = isSame ? names[sorted[position - 1].code] : position
    }
    return (names, carriers)
  }

  /// Returns true if one text precedes another.
  ///
  /// Texts are ordered by their bytes.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Advances by one tick.
  mutating func apply(_ tick: Timeline.Tick) {
    for step in tick.steps {
      var line = shown[step.flight - 1]
      switch step.kind {
      case .show:
        line = Line(estimated: flights[step.flight - 1].scheduled, status: .scheduled)
      case .delay(let time):
        line?.estimated = time
      case .depart:
        line?.estimated = step.time
      case .board, .land, .divert, .cancel, .remove:
        break
      }
      if let status = step.kind.status {
        // A further delay doesn't change the status.
        if step.kind == .show || line?.status != status { soFar[status, default: 0] += 1 }
        line?.status = status
        shown[step.flight - 1] = line
      } else {
        shown[step.flight - 1] = nil
      }
    }
  }

  /// The order of all visible flights, sorted from scratch.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of flights.
  var order: Order {
    var places: [ReferencePlace] = []
    places.reserveCapacity(shown.count)
    for (index, line) in shown.enumerated() {
      guard let line else { continue }
      let flight = flights[index]
      places.append(
        ReferencePlace(
          section: sectionRank(of: flight, line), estimated: line.estimated,
          name: nameRanks[flight.carrier] ?? 0, number: flight.number, flight: flight.id))
    }
    places.sort()
    var order = Order(places: places)
    for (position, place) in places.enumerated() {
      if position == 0 || places[position - 1].section != place.section { order.counts.append(0) }
      order.counts[order.counts.count - 1] += 1
    }
    return order
  }

  private func sectionRank(of flight: Flight, _ line: Line) -> Int {
    switch grouping {
    case .status: line.status.order
    case .origin: originRanks[flight.origin] ?? 0
    case .carrier: carrierRanks[flight.carrier] ?? 0
    }
  }

  /// The whole board, computed from scratch.
  var board: Board {
    let order = order
    return board(order, 0..<order.count)
  }

  /// Returns the rows at some positions, in their sections.
  func board(_ order: Order, _ positions: Range<Int>) -> Board {
    var board: Board = []
    for position in positions {
      let flight = flights[order.flight(at: position) - 1]
      guard let line = shown[flight.id - 1] else { continue }
      let header = header(of: flight, line)
      if board.last?.header != header { board.append(ListSection(header: header, rows: [])) }
      board[board.count - 1].rows.append(row(of: flight, line))
    }
    return board
  }

  private func header(of flight: Flight, _ line: Line) -> BoardHeader {
    switch grouping {
    case .status: BoardHeader(key: line.status.rawValue, title: line.status.title)
    case .origin:
      BoardHeader(key: flight.origin, title: airports[flight.origin] ?? flight.origin)
    case .carrier: BoardHeader(key: flight.carrier, title: airlineName(of: flight))
    }
  }

  private func airlineName(of flight: Flight) -> String {
    airlines[flight.carrier] ?? flight.carrier
  }

  private func row(of flight: Flight, _ line: Line) -> BoardRow {
    BoardRow(
      id: flight.id, scheduled: clocks.clock(flight.scheduled),
      estimated: clocks.clock(line.estimated),
      flight: "\(flight.carrier) \(flight.number)", airline: airlineName(of: flight),
      origin: flight.origin, destination: airports[flight.destination] ?? flight.destination,
      aircraft: flight.tailNumber.map { models[$0] ?? $0 } ?? "", status: line.status)
  }
}

/// The position of a flight on the board, as two numbers that are compared one after the other.
private struct ReferencePlace: Comparable {
  /// The section, the time and the airline's name.
  private let first: UInt64
  /// The number and the id.
  private let second: UInt64

  init(section: Int, estimated: Minute, name: Int, number: Int, flight: Int) {
    first = UInt64(section) << 48 | UInt64(estimated.sinceEpoch) << 16 | UInt64(name)
    second = UInt64(number) << 32 | UInt64(flight)
  }

  static func < (one: ReferencePlace, other: ReferencePlace) -> Bool {
    (one.first, one.second) < (other.first, other.second)
  }

  var section: UInt64 { first >> 48 }
  var flight: Flight.ID { Int(second & 0xFFFF_FFFF) }
}
