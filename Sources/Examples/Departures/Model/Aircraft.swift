import Signalbox

/// A plane.
struct Aircraft: Entity {
  /// Its tail number, such as `N14228`.
  let id: String
  let manufacturer: String
  var model: String
  let seats: Int
  /// The year in which it was built, if known.
  let year: Int?

  static let attributes = Attributes(
    .id(\Aircraft.id),
    .attribute("manufacturer", \.manufacturer),
    .attribute("model", \.model),
    .attribute("seats", \.seats),
    .attribute("year", \.year))
  static let schema = Schema(attributes, Aircraft.init)
}

extension Aircraft {
  init(_ record: PlaneRecord) {
    self.init(
      id: record.tailNumber, manufacturer: record.manufacturer, model: record.model,
      seats: record.seats, year: record.year)
  }
}
