import Signalbox

/// A carrier.
struct Airline: Entity {
  /// Its code, such as `UA`.
  let id: String
  var name: String

  static let schema = Schema(Airline.init, .id(\.id), .attribute("name", \.name))
}

extension Airline {
  init(_ record: AirlineRecord) {
    self.init(id: record.code, name: record.name)
  }
}
