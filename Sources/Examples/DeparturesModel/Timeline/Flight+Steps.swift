/// The rules of the board, in minutes.
///
/// The tables contain only when a flight left and how long it flew. The times of the announcements
/// are made up here, in the same way for every flight.
package enum BoardRules {
  /// A flight appears on the board this long before its scheduled departure.
  package static let shownAhead = 120
  /// A delay below this isn't announced, as in the official statistics.
  package static let announcedDelay = 15
  /// The next announcement is made this long before the last announced departure.
  package static let announcedAhead = 30
  /// The first announcement admits this much of a delay.
  ///
  /// Each further one admits twice as much.
  package static let firstAnnouncement = 30
  package static let boardsAhead = 20
  package static let cancelledAhead = 60
  /// No step is more than this many minutes before the scheduled departure.
  ///
  /// That covers the first step, and the boarding of a flight that left early.
  package static let earliestStep = shownAhead + boardsAhead
  /// A cancelled flight stays this long after its scheduled departure.
  package static let cancelledStays = 120
  /// A landed or diverted flight stays this long.
  package static let landedStays = 30
  /// The edition of the rules.
  ///
  /// Change it with the rules, so that no run continues from a store that followed other rules.
  package static let edition = 1
}

extension Flight {
  /// The time at which it left the gate, or nil if it never left.
  package var departed: Minute? { delay.map { scheduled + $0 } }

  /// The time at which its flight ends: the minutes in the air after it left.
  ///
  /// Taxiing isn't in the tables, and local arrival times would need the zone of every airport. So
  /// it lands some minutes early. 1,175 flights of the year left without reaching their destination
  /// on record. They end when most flights of that distance would: 18 minutes and 8 miles a minute.
  package var ended: Minute? { departed.map { $0 + (airTime ?? 18 + distance / 8) } }

  /// The steps of the flight, in order.
  package var steps: [Step] {
    [step(scheduled - BoardRules.shownAhead, .show)] + (leavingSteps ?? cancelledSteps)
  }

  private var cancelledSteps: [Step] {
    [
      step(scheduled - BoardRules.cancelledAhead, .cancel),
      step(scheduled + BoardRules.cancelledStays, .remove),
    ]
  }

  private var leavingSteps: [Step]? {
    guard let departed, let ended else { return nil }
    return delaySteps(until: departed) + [
      step(departed - BoardRules.boardsAhead, .board),
      step(departed, .depart),
      step(ended, airTime == nil ? .divert : .land),
      step(ended + BoardRules.landedStays, .remove),
    ]
  }

  /// Returns the announcements of a delay: 30 minutes, then 60, 120, … up to the actual delay.
  private func delaySteps(until departed: Minute) -> [Step] {
    guard departed - scheduled >= BoardRules.announcedDelay else { return [] }
    var steps: [Step] = []
    var announced = scheduled
    var admitted = BoardRules.firstAnnouncement
    while announced < departed {
      let time = announced - BoardRules.announcedAhead
      announced = min(scheduled + admitted, departed)
      steps.append(step(time, .delay(until: announced)))
      admitted *= 2
    }
    return steps
  }

  private func step(_ time: Minute, _ kind: Step.Kind) -> Step {
    Step(time: time, flight: id, kind: kind)
  }
}
