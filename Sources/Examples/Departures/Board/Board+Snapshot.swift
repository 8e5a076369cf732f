import DeparturesModel
import Signalbox

extension BoardRow {
  /// Creates the row of a departure, by New York's clocks.
  init(_ departure: EntityView<Departure>, clocks: Clocks) {
    let flight = departure.value
    let aircraft = departure.aircraft.map { "\($0.manufacturer) \($0.model)" }
    self.init(
      id: flight.id,
      scheduled: clocks.clock(Minute(flight.scheduled)),
      estimated: clocks.clock(Minute(flight.estimated)),
      flight: "\(flight.carrier.id) \(flight.number)",
      airline: departure.carrier?.name ?? flight.carrier.id,
      origin: flight.origin.id,
      destination: departure.destination?.name ?? flight.destination.id,
      aircraft: aircraft ?? flight.aircraft?.id ?? "",
      status: flight.stage.id)
  }
}

extension BoardHeader {
  init(_ section: SectionInfo<EntityView<Departure>>) {
    self.init(key: section.identity.description, title: section.name)
  }
}

extension Board {
  /// Creates a board with all rows of a snapshot.
  init(_ snapshot: ListSnapshot<EntityView<Departure>>, clocks: Clocks) {
    self = snapshot.sections.map { section in
      ListSection(
        header: BoardHeader(section),
        rows: section.map { BoardRow($0, clocks: clocks) })
    }
  }
}
