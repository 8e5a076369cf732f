import Signalbox

extension Status: Storable {}

/// A status as the board shows it: a section's title and place, and how many flights have come so far.
///
/// It is an entity so that sections are ordered and named through a reference.
struct Stage: Entity {
  let id: Status
  let title: String
  /// Its place on the board.
  let order: Int
  /// The flights that have come to it since the board opened.
  var flights: Int

  static let attributes = Attributes(
    .id(\Stage.id),
    .attribute("title", \.title),
    .attribute("order", \.order),
    .attribute("flights", \.flights))
  static let schema = Schema(attributes, Stage.init)
}

extension Stage {
  /// The stage before any flight has come to it.
  init(_ status: Status) {
    self.init(id: status, title: status.title, order: status.order, flights: 0)
  }
}
