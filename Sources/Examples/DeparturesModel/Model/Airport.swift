public import Signalbox

/// An airport: an origin or a destination of flights.
public struct Airport: Entity {
  /// Its code, such as `EWR`.
  public let id: String
  /// The name.
  public let name: String

  /// The attributes, in the order of the initialiser.
  public static let attributes = Attributes(.id(\Airport.id), .attribute("name", \.name))
  /// The schema.
  public static let schema = Schema(attributes, Airport.init)
}

extension Airport {
  /// Creates the object of a row of the tables.
  public init(_ record: AirportRecord) {
    self.init(id: record.code, name: record.name)
  }
}
