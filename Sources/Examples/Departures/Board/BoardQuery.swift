import Signalbox

/// What the board is asked to show.
struct BoardRequest: Hashable, Sendable {
  /// What the sections are.
  var grouping = Options.Grouping.status
  /// Words that a flight has to have, all of them, or nothing for all flights.
  var search = ""

  /// What is on the board, in which order, and what each row needs of other objects.
  var query: Query<Departure> {
    order.including {
      $0.carrier.name
      $0.destination.name
      $0.aircraft.manufacturer
      $0.aircraft.model
    }
  }

  /// What is on the board and in which order, without what its rows show.
  var order: Query<Departure> {
    let query = search.split(separator: " ").reduce(Query<Departure>()) { query, word in
      query.filter { Self.matches($0, String(word)) }
    }
    return grouping.sectioned(
      query.sorted { [$0.estimated.ascending, $0.carrier.name.ascending, $0.number.ascending] })
  }

  /// Whether a flight has a word in what the board shows of it.
  private static func matches(
    _ flight: Row<Departure, Departure>, _ word: String
  ) -> Condition<Departure> {
    let airline =
      flight.carrier.id.equals(word, ignoring: .case)
      || flight.carrier.name.contains(word, ignoring: .case)
    // A step to an airport or aircraft that the tables lack gives nothing; the reference has the code.
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

extension Options.Grouping {
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

  /// The one that comes after it, and after the last the first.
  var next: Options.Grouping {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }
}
