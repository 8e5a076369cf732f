public import Signalbox

/// A plane.
public struct Aircraft: Entity {
  /// Its tail number, such as `N14228`.
  public let id: String
  /// The company that built it.
  public let manufacturer: String
  /// The model, such as `737-824`.
  public var model: String
  /// The number of seats.
  public let seats: Int
  /// The year in which it was built, if known.
  public let year: Int?

  /// The attributes, in the order of the initialiser.
  public static let attributes = Attributes(
    .id(\Aircraft.id),
    .attribute("manufacturer", \.manufacturer),
    .attribute("model", \.model),
    .attribute("seats", \.seats),
    .attribute("year", \.year))
  /// The schema.
  public static let schema = Schema(attributes, Aircraft.init)
}

extension Aircraft {
  /// Creates the object of a row of the tables.
  public init(_ record: PlaneRecord) {
    self.init(
      id: record.tailNumber, manufacturer: record.manufacturer, model: record.model,
      seats: record.seats, year: record.year)
  }
}
