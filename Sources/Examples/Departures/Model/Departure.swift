import Foundation
import Signalbox

/// A flight on the board.
struct Departure: Entity {
  /// The number of the flight's row among the rows of the day.
  let id: Int
  let carrier: Ref<Airline>
  let number: Int
  let origin: Ref<Airport>
  /// The destination.
  ///
  /// It is late-bound because four airports are missing from the tables. The reference keeps the
  /// code.
  let destination: Ref<Airport>
  /// The aircraft.
  ///
  /// It is late-bound because many planes are missing from the tables. The reference keeps the tail
  /// number.
  let aircraft: Ref<Aircraft>?
  let scheduled: Date
  /// The departure time according to the latest announcement.
  var estimated: Date
  var stage: Ref<Stage>

  static let attributes = Attributes(
    .id(\Departure.id),
    .one("carrier", \.carrier),
    .attribute("number", \.number),
    .one("origin", \.origin),
    .one("destination", \.destination, lateBound: true),
    .one("aircraft", \.aircraft, lateBound: true),
    .attribute("scheduled", \.scheduled),
    .attribute("estimated", \.estimated),
    .one("stage", \.stage))
  static let schema = Schema(attributes, Departure.init)
}

extension Departure {
  /// Creates the departure in the state in which it first appears on the board.
  init(_ flight: Flight) {
    self.init(
      id: flight.id, carrier: Ref(flight.carrier), number: flight.number,
      origin: Ref(flight.origin), destination: Ref(flight.destination),
      aircraft: flight.tailNumber.map { Ref($0) }, scheduled: flight.scheduled.date,
      estimated: flight.scheduled.date, stage: Ref(.scheduled))
  }
}

extension Minute {
  var date: Date { Date(timeIntervalSince1970: Double(sinceEpoch) * 60) }

  init(_ date: Date) {
    sinceEpoch = Int((date.timeIntervalSince1970 / 60).rounded(.down))
  }
}
