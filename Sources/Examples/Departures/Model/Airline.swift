import Signalbox

/// A carrier.
struct Airline: Entity {
  /// Its code, such as `UA`.
  let id: String
  var name: String

  static let attributes = Attributes(.id(\Airline.id), .attribute("name", \.name))
  static let schema = Schema(attributes, Airline.init)
}

extension Airline {
  init(_ record: AirlineRecord) {
    self.init(id: record.code, name: record.name)
  }
}
