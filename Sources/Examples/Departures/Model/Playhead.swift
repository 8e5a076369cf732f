import Foundation
import Signalbox

/// The position of the replay.
///
/// It is the only row of its entity, and is written with every tick.
///
/// So the store always contains the tick to which its board belongs, whenever the program was
/// killed.
struct Playhead: Entity {
  let id: Int
  /// The day, such as `2013-02-08`.
  ///
  /// For a year, it is the first and the last day.
  let day: String
  /// The fingerprint of the tables, and the edition of the rules that the board follows.
  let source: String
  /// The number of minutes that New York's clocks are ahead of UTC.
  let clockOffset: Int
  /// The last tick in the store, or 0 before the first one.
  var tick: Int
  /// The board's time.
  var now: Date

  static let attributes = Attributes(
    .id(\Playhead.id),
    .attribute("day", \.day),
    .attribute("source", \.source),
    .attribute("clockOffset", \.clockOffset),
    .attribute("tick", \.tick),
    .attribute("now", \.now))
  static let schema = Schema(attributes, Playhead.init)

  /// The id of the only row.
  static let onlyID = 1
}
