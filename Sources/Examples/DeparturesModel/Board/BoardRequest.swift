public import Signalbox

/// A request for the content of the board.
public struct BoardRequest: Hashable, Sendable {
  /// The kind of the sections.
  public var grouping: BoardGrouping
  /// The words that a flight must contain, all of them.
  ///
  /// An empty text selects all flights.
  public var search: String

  /// Creates a request.
  public init(grouping: BoardGrouping = .status, search: String = "") {
    self.grouping = grouping
    self.search = search
  }

  /// The flights on the board and their order, with the attributes of other objects that each row
  /// needs.
  public var query: Query<Departure> {
    order.including {
      $0.carrier.name
      $0.destination.name
      $0.aircraft.manufacturer
      $0.aircraft.model
    }
  }

  /// The flights on the board and their order, without the attributes of other objects.
  public var order: Query<Departure> {
    let query = search.split(separator: " ").reduce(Query<Departure>()) { query, word in
      query.filter { Self.matches($0, String(word)) }
    }
    return grouping.sectioned(
      query.sorted { [$0.estimated.ascending, $0.carrier.name.ascending, $0.number.ascending] })
  }

  /// Returns the condition that the visible attributes of a flight contain a word.
  private static func matches(
    _ flight: Row<Departure, Departure>, _ word: String
  ) -> Condition<Departure> {
    let airline =
      flight.carrier.id.equals(word, ignoring: .case)
      || flight.carrier.name.contains(word, ignoring: .case)
    // If the tables lack an airport or an aircraft, the path to it gives nothing. The reference has
    // the code.
    let destination: Field<Departure, Ref<Airport>> = flight.destination
    let tailNumber: Field<Departure, Ref<Aircraft>> = flight.aircraft
    let code = word.uppercased()
    let places =
      flight.origin.id.equals(word, ignoring: .case)
      || destination == Ref(code) || flight.destination.name.contains(word, ignoring: .case)
    let aircraft =
      tailNumber == Ref(code) || flight.aircraft.id.hasPrefix(word, ignoring: .case)
      || flight.aircraft.model.contains(word, ignoring: .case)
    let condition = airline || places || aircraft
    return Int(word).map { condition || flight.number == $0 } ?? condition
  }
}

extension BoardGrouping {
  fileprivate func sectioned(_ query: Query<Departure>) -> Query<Departure> {
    switch self {
    case .status:
      query.sectioned(
        by: { $0.stage.id }, title: { $0.stage.title }, order: { $0.stage.order.ascending })
    case .origin:
      query.sectioned(
        by: { $0.origin.id }, title: { $0.origin.name }, order: { $0.origin.id.ascending })
    case .carrier:
      query.sectioned(
        by: { $0.carrier.id }, title: { $0.carrier.name }, order: { $0.carrier.name.ascending })
    }
  }

  /// The next kind of sections.
  ///
  /// The first one follows the last.
  public var next: BoardGrouping {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }
}
