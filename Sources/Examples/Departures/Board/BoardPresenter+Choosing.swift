import DeparturesModel
import Signalbox

/// The names of a flight that can be changed.
struct FlightNames: Hashable, Sendable {
  var carrier: String
  var airline: String
  /// The tail number and the model, if the aircraft is known.
  var aircraft: (code: String, name: String)? { model.map { ($0.tailNumber, $0.name) } }
  var model: Model?

  struct Model: Hashable, Sendable {
    var tailNumber: String
    var name: String
  }
}

extension BoardPresenter {
  /// Chooses the row at a position among all rows, or the nearest one.
  func choose(_ position: Int) {
    chosen = nil
    scroll.choose(max(0, min(position, rowCount - 1)))
  }

  /// Keeps the chosen flight chosen at its current position.
  ///
  /// If it is no longer on the board, the row at its position is chosen.
  func followChosen() throws {
    guard let id = chosen?.id else { return }
    let position =
      if let overview {
        try overview.path(for: id).map(overview.snapshot.position)
      } else {
        position(of: id)
      }
    if let position { choose(position) }
  }

  /// Chooses the row at a distance below the chosen row.
  func move(by count: Int) { choose(scroll.chosen + count) }

  /// Chooses the first row of the section at a distance from this section.
  func moveToSection(_ count: Int) {
    var starts: [Int] = []
    var position = 0
    for rows in sectionCounts where rows > 0 {
      starts.append(position)
      position += rows
    }
    guard let current = starts.lastIndex(where: { $0 <= scroll.chosen }) else { return }
    // Moving back leads to the start of this section first.
    let isInside = count < 0 && scroll.chosen > starts[current]
    let target = current + (isInside ? 0 : count)
    choose(starts[max(0, min(target, starts.count - 1))])
  }

  /// The names of the chosen flight that can be changed, or nil if no row is chosen.
  var namesOfChosen: FlightNames? {
    guard let id = chosen?.id, let flight = departures.snapshot.row(for: id) else { return nil }
    let tailNumber = flight.value.aircraft?.id
    return FlightNames(
      carrier: flight.value.carrier.id, airline: flight.carrier?.name ?? "",
      model: tailNumber.flatMap { tailNumber in
        flight.aircraft.map { FlightNames.Model(tailNumber: tailNumber, name: $0.model) }
      })
  }
}
