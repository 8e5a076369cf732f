import Signalbox

/// An airport: an origin or a destination of flights.
struct Airport: Entity {
  /// Its code, such as `EWR`.
  let id: String
  let name: String

  static let attributes = Attributes(.id(\Airport.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Airport.init)
}

extension Airport {
  init(_ record: AirportRecord) {
    self.init(id: record.code, name: record.name)
  }
}
