import DeparturesModel
import Signalbox

extension FeedValues {
  /// A row of the board: what a browser is sent of a flight.
  init(flight: EntityView<Departure>, clocks: Clocks) {
    let departure = flight.value
    self.init([
      "id": departure.id.storedValue,
      "scheduled": clocks.clock(Minute(departure.scheduled)).storedValue,
      "estimated": clocks.clock(Minute(departure.estimated)).storedValue,
      "number": departure.number.storedValue,
      "carrier": departure.carrier.id.storedValue,
      "airline": (flight.carrier?.name ?? departure.carrier.id).storedValue,
      "origin": departure.origin.id.storedValue,
      "destination": (flight.destination?.name ?? departure.destination.id).storedValue,
      "destinationCode": departure.destination.id.storedValue,
      "aircraft": (flight.aircraft?.model).storedValue,
      "tail": (departure.aircraft?.id).storedValue,
      "status": departure.stage.id.storedValue,
    ])
  }

  /// A flight in the panel, with more of its aircraft.
  init(detailsOf flight: EntityView<Departure>, clocks: Clocks) {
    let row = FeedValues(flight: flight, clocks: clocks)
    let aircraft = flight.aircraft
    self.init(
      row.values.merging([
        "manufacturer": (aircraft?.manufacturer).storedValue,
        "seats": (aircraft?.seats).storedValue,
        "built": (aircraft?.year ?? nil).storedValue,
      ]) { $1 })
  }

  /// The board's time.
  init(clock playhead: EntityView<Playhead>, clocks: Clocks) {
    self.init([
      "now": clocks.clock(Minute(playhead.now)).storedValue,
      "day": playhead.day.storedValue,
      "tick": playhead.tick.storedValue,
    ])
  }

  /// How many flights have had a status.
  init(stage: EntityView<Stage>) {
    self.init([
      "id": stage.value.id.storedValue, "title": stage.title.storedValue,
      "flights": stage.flights.storedValue,
    ])
  }
}
