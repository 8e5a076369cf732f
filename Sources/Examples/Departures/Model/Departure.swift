import Foundation
import Signalbox

/// A flight on the board.
struct Departure: Entity {
  /// The flight's row among the day's rows.
  let id: Int
  let carrier: Ref<Airline>
  let number: Int
  let origin: Ref<Airport>
  /// Late-bound, for four airports are missing from the tables: the reference keeps the code.
  let destination: Ref<Airport>
  /// Late-bound, for many planes are missing from the tables: the reference keeps the tail number.
  let aircraft: Ref<Aircraft>?
  let scheduled: Date
  /// The departure as it is known now.
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
  /// The flight as it comes to the board.
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
