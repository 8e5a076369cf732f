/// One cost, measured beside the plain alternative.
struct Benchmark {
  let title: BenchmarkTitle
  let size: Int
  let unit: CostUnit

  /// The highest wanted ratio of our cost to the baseline's.
  let aim: Double?

  /// How far, and why, the aim is known to be missed, if it is.
  let knownMiss: KnownMiss?

  /// The highest wanted cost, in `unit` per operation.
  let absoluteAim: Double?

  let measured: Side
  let baseline: Side

  /// A benchmark that runs nothing yet; its sides set up when it runs.
  ///
  /// - Parameters:
  ///   - title: `Layer/what/size`.
  ///   - size: The place on the chart's axis; by default the number that ends the title.
  ///   - unit: What costs are reported in. Sides that take time need a unit of time.
  ///   - aim: The highest wanted ratio.
  ///   - knownMiss: How far, and why, the aim is known to be missed, if it is.
  ///   - absoluteAim: The highest wanted cost, in `unit` per operation.
  ///   - measured: Our side.
  ///   - baseline: The plain alternative.
  init(
    _ title: String, size: Int? = nil, unit: CostUnit = .nanoseconds, aim: Double? = nil,
    knownMiss: KnownMiss? = nil, absoluteAim: Double? = nil, measured: Side, baseline: Side
  ) {
    guard let parsed = BenchmarkTitle(title) else {
      preconditionFailure("The title \"\(title)\" does not read Layer/what/size")
    }
    guard let size = size ?? parsed.number else {
      preconditionFailure("The title \"\(title)\" ends in no number, and no size is given")
    }
    precondition(size >= 0, "The size of \"\(title)\" is negative")
    precondition(
      unit.nanoseconds != nil || (measured.isFigure && baseline.isFigure),
      "\"\(title)\" takes time, but its unit is \(unit.rawValue)")
    self.title = parsed
    self.size = size
    self.unit = unit
    self.aim = aim
    self.knownMiss = knownMiss
    self.absoluteAim = absoluteAim
    self.measured = measured
    self.baseline = baseline
  }
}
