public import Foundation
public import Signalbox

/// A flight on the board.
public struct Departure: Entity {
  /// The number of the flight's row among the rows of the day.
  public let id: Int
  /// The airline.
  public let carrier: Ref<Airline>
  /// The number of the flight.
  public let number: Int
  /// The airport of departure.
  public let origin: Ref<Airport>
  /// The destination.
  ///
  /// It is late-bound because four airports are missing from the tables. The reference keeps the
  /// code.
  public let destination: Ref<Airport>
  /// The aircraft.
  ///
  /// It is late-bound because many planes are missing from the tables. The reference keeps the tail
  /// number.
  public let aircraft: Ref<Aircraft>?
  /// The time of the scheduled departure.
  public let scheduled: Date
  /// The departure time according to the latest announcement.
  public var estimated: Date
  /// The status, as the board shows it.
  public var stage: Ref<Stage>

  /// The attributes, in the order of the initialiser.
  public static let attributes = Attributes(
    .id(\Departure.id),
    .one("carrier", \.carrier),
    .attribute("number", \.number),
    .one("origin", \.origin),
    .one("destination", \.destination, lateBound: true),
    .one("aircraft", \.aircraft, lateBound: true),
    .attribute("scheduled", \.scheduled),
    .attribute("estimated", \.estimated),
    .one("stage", \.stage))
  /// The schema.
  public static let schema = Schema(attributes, Departure.init)
}

extension Departure {
  /// Creates the departure in the state in which it first appears on the board.
  public init(_ flight: Flight) {
    self.init(
      id: flight.id, carrier: Ref(flight.carrier), number: flight.number,
      origin: Ref(flight.origin), destination: Ref(flight.destination),
      aircraft: flight.tailNumber.map { Ref($0) }, scheduled: flight.scheduled.date,
      estimated: flight.scheduled.date, stage: Ref(.scheduled))
  }
}

extension Minute {
  /// The minute as a date.
  public var date: Date { Date(timeIntervalSince1970: Double(sinceEpoch) * 60) }

  /// Creates the minute that contains a date.
  ///
  /// A store's file may contain any number. A date that no number of minutes can say is one of the
  /// far past or future.
  public init(_ date: Date) {
    let minutes = (date.timeIntervalSince1970 / 60).rounded(.down)
    // The bound comes first, so that NaN becomes it.
    sinceEpoch = Int(min(max(-1e12, minutes), 1e12))
  }
}
