import Foundation
import Signalbox

/// How far the replay is: the store's only row of its kind, written with every tick.
///
/// So the store always says which tick its board belongs to, whenever the program was killed.
struct Playhead: Entity {
  let id: Int
  /// Such as `2013-02-08`, or of a year the first and the last.
  let day: String
  /// The fingerprint of the tables and the edition of the rules that the board follows.
  let source: String
  /// Minutes that New York's clocks are ahead of UTC.
  let clockOffset: Int
  /// The last tick that is in the store, 0 before the first.
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
