import Signalbox

/// A place to leave from or fly to.
struct Airport: Entity {
  /// Its code, such as `EWR`.
  let id: String
  let name: String

  static let schema = Schema(Airport.init, .id(\.id), .attribute("name", \.name))
}

extension Airport {
  init(_ record: AirportRecord) {
    self.init(id: record.code, name: record.name)
  }
}
