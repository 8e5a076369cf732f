/// The steps of a day or a year, minute by minute, as the replay commits them.
///
/// All steps of one minute are one tick, and one commit. Ticks are counted from 1, so that a store
/// can record its position. The board stops at 23:59 on New York's clocks. Later events of late
/// flights are omitted, so the last board shows the state at that time.
public struct Timeline: Sendable {
  /// All steps of one minute.
  public struct Tick: Sendable {
    /// The number of the tick, counted from 1.
    public var number: Int
    /// The minute.
    public var time: Minute
    /// The steps in order: by flight, then kind.
    public var steps: [Step]
  }

  /// The ticks, in order.
  public let ticks: Ticks
  /// The last minute.
  public let end: Minute

  /// Creates a timeline.
  ///
  /// - Parameters:
  ///   - flights: The flights.
  ///   - day: The last day.
  ///   - clockOffset: The number of minutes that the clocks are ahead of UTC at its end.
  ///   - keepsAll: True if all flights are on the board all the time.
  public init(flights: [Flight], day: Day, clockOffset: Int, keepsAll: Bool = false) {
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

  /// Creates the timeline of a day or a year.
  public init(_ tables: DayTables) {
    let day = tables.lastDay ?? tables.day
    self.init(
      flights: tables.flights, day: day,
      clockOffset: tables.clocks.offset(at: day.start(offset: tables.clockOffset) + 720),
      keepsAll: tables.isYear)
  }
}

extension Timeline {
  /// The ticks in order.
  ///
  /// Each is created on request.
  public struct Ticks: RandomAccessCollection, Sendable {
    private let steps: [PackedStep]
    /// The index of the first step of each tick, and the end of the last tick.
    private let starts: [Int32]
    private let origin: Minute

    /// Creates the ticks.
    ///
    /// - Precondition: The steps are in order.
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

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of ticks.
    public var endIndex: Int { starts.count - 1 }

    /// The tick at a position.
    public subscript(position: Int) -> Tick {
      let steps = steps[Int(starts[position])..<Int(starts[position + 1])]
        .map { $0.step(after: origin) }
      return Tick(number: position + 1, time: steps[0].time, steps: steps)
    }
  }
}
