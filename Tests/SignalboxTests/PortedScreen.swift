import Signalbox

// A screen that was written for NSFetchedResultsController, ported by its guide: the four methods of the
// delegate are the cases of a step. `PortedScreenTests` runs it.

struct Flight: Entity {
  let id: Int
  var number: String
  var gate: Int?
  var airline: Ref<Airline>
  static let attributes = Attributes(
    .id(\Flight.id), .attribute("number", \.number), .attribute("gate", \.gate),
    .one("airline", \.airline, onDelete: .cascade))
  static let schema = Schema(attributes, Flight.init)
}

struct Airline: Entity {
  let id: Int
  var name: String
  static let attributes = Attributes(.id(\Airline.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Airline.init)
}

@MainActor final class PortedScreen {
  let table = PlainTable()
  private let controller: FetchedObjectsModel<Flight>
  private var shown: ListSnapshot<EntityView<Flight>>
  private var token: SubscriptionToken?

  init(_ store: Store) throws {
    let query = Query<Flight>()
      .sorted { [$0.gate.ascending, $0.number.ascending] }
      .sectioned(
        by: { $0.airline.id }, title: { $0.airline.name }, order: { $0.airline.name.ascending }
      )
      .including { $0.airline.name }
    controller = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
    shown = controller.snapshot
    table.rowCounts = { [unowned self] in shown.rowCounts }
    table.cell = { [unowned self] path in text(shown[path]) }
    table.reloadData()
    token = controller.steps.subscribe(on: .mainActor) { [weak self] step in self?.show(step) }
  }

  func search(_ text: String) throws {
    try controller.setQuery(controller.query.filter { $0.number.contains(text) })
  }

  private func text(_ flight: EntityView<Flight>) -> String {
    "\(flight.number) at \(flight.gate.map(String.init) ?? "?"), \(flight.airline?.name ?? "nobody")"
  }

  private func show(_ step: EventStep<EntityView<Flight>>) {
    switch step {
    case .begin(let event):
      table.beginUpdates()
      shown = event.after
    case .section(_, .insert(let new)): table.insertSections([new])
    case .section(_, .delete(let old)): table.deleteSections([old])
    case .section(_, .move(let old, let new)): table.moveSection(old, toSection: new)
    case .section(_, .update(let old, _)): table.reloadSections([old])
    case .row(_, .insert(let new)): table.insertRows(at: [new])
    case .row(_, .delete(let old)): table.deleteRows(at: [old])
    case .row(_, .move(let old, let new)):  // it may have changed too
      table.deleteRows(at: [old])
      table.insertRows(at: [new])
    case .row(_, .update(let old, _)): table.reloadRows(at: [old])
    case .end: table.endUpdates()
    }
  }
}
