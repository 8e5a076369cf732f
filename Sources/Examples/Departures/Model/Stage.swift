import Signalbox

extension Status: Storable {}

/// A status as the board shows it: the title and the position of a section, and the number of
/// flights so far.
///
/// It is an entity so that sections are ordered and named through a reference.
struct Stage: Entity {
  let id: Status
  let title: String
  /// The position on the board.
  let order: Int
  /// The number of flights that have had this status since the board opened.
  var flights: Int

  static let attributes = Attributes(
    .id(\Stage.id),
    .attribute("title", \.title),
    .attribute("order", \.order),
    .attribute("flights", \.flights))
  static let schema = Schema(attributes, Stage.init)
}

extension Stage {
  /// Creates the stage before any flight has had it.
  init(_ status: Status) {
    self.init(id: status, title: status.title, order: status.order, flights: 0)
  }
}
