import Signalbox

extension Options.Grouping {
  /// What is on the board, in which order, and what each row needs of other objects.
  var query: Query<Departure> {
    let query = Query<Departure>()
      .sorted { [$0.estimated.ascending, $0.carrier.name.ascending, $0.number.ascending] }
      .including {
        $0.carrier.name
        $0.destination.name
        $0.aircraft.manufacturer
        $0.aircraft.model
      }
    return switch self {
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
}
