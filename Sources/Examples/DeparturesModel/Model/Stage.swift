public import Signalbox

extension Status: Storable {}

/// A status as the board shows it: the title and the position of a section, and the number of
/// flights so far.
///
/// It is an entity so that sections are ordered and named through a reference.
public struct Stage: Entity {
  /// The status.
  public let id: Status
  /// The title on the board.
  public let title: String
  /// The position on the board.
  public let order: Int
  /// The number of flights that have had this status since the board opened.
  public var flights: Int

  /// The attributes, in the order of the initialiser.
  public static let attributes = Attributes(
    .id(\Stage.id),
    .attribute("title", \.title),
    .attribute("order", \.order),
    .attribute("flights", \.flights))
  /// The schema.
  public static let schema = Schema(attributes, Stage.init)
}

extension Stage {
  /// Creates the stage before any flight has had it.
  public init(_ status: Status) {
    self.init(id: status, title: status.title, order: status.order, flights: 0)
  }
}
