public import Foundation
public import Signalbox

/// The position of the replay.
///
/// It is the only row of its entity, and is written with every tick.
///
/// So the store always contains the tick to which its board belongs, whenever the program was
/// killed.
public struct Playhead: Entity {
  /// The identity of the row.
  public let id: Int
  /// The day, such as `2013-02-08`.
  ///
  /// For a year, it is the first and the last day.
  public let day: String
  /// The fingerprint of the tables, and the edition of the rules that the board follows.
  public let source: String
  /// The number of minutes that New York's clocks are ahead of UTC.
  public let clockOffset: Int
  /// The last tick in the store, or 0 before the first one.
  public var tick: Int
  /// The board's time.
  public var now: Date

  /// The attributes, in the order of the initialiser.
  public static let attributes = Attributes(
    .id(\Playhead.id),
    .attribute("day", \.day),
    .attribute("source", \.source),
    .attribute("clockOffset", \.clockOffset),
    .attribute("tick", \.tick),
    .attribute("now", \.now))
  /// The schema.
  public static let schema = Schema(attributes, Playhead.init)

  /// The id of the only row.
  public static let onlyID = 1
}
