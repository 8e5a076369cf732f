/// The steps of a day or a year, minute by minute: what the replay commits.
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

  let ticks: Ticks
  /// The last minute.
  let end: Minute

  /// - Parameters:
  ///   - flights: whose steps they are.
  ///   - day: the last day.
  ///   - clockOffset: minutes that the clocks are ahead of UTC at its end.
  ///   - keepsAll: whether all flights are on the board all the time.
  init(flights: [Flight], day: Day, clockOffset: Int, keepsAll: Bool = false) {
    let end = day.start(offset: clockOffset) + (1440 - 1)
    self.end = end
    let start = (flights.map(\.scheduled).min() ?? end) - BoardRules.earliestStep
    var steps: [PackedStep] = []
    for flight in flights {
      for step in flight.steps where step.time <= end && !(keepsAll && step.kind.isOfBoard) {
        steps.append(PackedStep(step, after: start))
      }
    }
    steps.sort()
    ticks = Ticks(steps, after: start)
  }

  init(_ tables: DayTables) {
    let day = tables.lastDay ?? tables.day
    self.init(
      flights: tables.flights, day: day,
      clockOffset: tables.clocks.offset(at: day.start(offset: tables.clockOffset) + 720),
      keepsAll: tables.isYear)
  }
}

extension Timeline {
  /// The ticks in order, each made when it is asked for.
  struct Ticks: RandomAccessCollection, Sendable {
    private let steps: [PackedStep]
    /// Where the steps of each tick begin, and where the last one's end.
    private let starts: [Int32]
    private let origin: Minute

    /// - Precondition: the steps are in order.
    init(_ steps: [PackedStep], after origin: Minute) {
      self.steps = steps
      self.origin = origin
      var starts: [Int32] = []
      for (position, step) in steps.enumerated()
      where position == 0 || steps[position - 1].time != step.time {
        starts.append(Int32(position))
      }
      self.starts = starts + [Int32(steps.count)]
    }

    var startIndex: Int { 0 }
    var endIndex: Int { starts.count - 1 }

    subscript(position: Int) -> Tick {
      let steps = steps[Int(starts[position])..<Int(starts[position + 1])]
        .map { $0.step(after: origin) }
      return Tick(number: position + 1, time: steps[0].time, steps: steps)
    }
  }
}
