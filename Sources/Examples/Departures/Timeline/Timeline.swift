/// A day's steps, minute by minute: what the replay commits.
///
/// All steps of one minute are one tick, and one commit. Ticks are counted from 1, so that a store
/// can say how far it is. The board stops at 23:59 on New York's clocks: what happens to late
/// flights after that is left out, so the last board shows the night as it stood.
struct Timeline: Sendable {
  struct Tick: Sendable {
    var number: Int
    var time: Minute
    /// In their order: by flight, then kind.
    var steps: [Step]
  }

  let ticks: [Tick]
  /// The last minute of the day.
  let end: Minute

  init(flights: [Flight], day: Day, clockOffset: Int) {
    end = Minute(sinceEpoch: (day.sinceEpoch + 1) * 1440 - 1 - clockOffset)
    let end = end
    var ticks: [Tick] = []
    for step in flights.flatMap(\.steps).filter({ $0.time <= end }).sorted() {
      if ticks.last?.time == step.time {
        ticks[ticks.count - 1].steps.append(step)
      } else {
        ticks.append(Tick(number: ticks.count + 1, time: step.time, steps: [step]))
      }
    }
    self.ticks = ticks
  }

  init(_ tables: DayTables) {
    self.init(flights: tables.flights, day: tables.day, clockOffset: tables.clockOffset)
  }
}
