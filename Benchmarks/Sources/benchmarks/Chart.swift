/// What a group of benchmarks costs at each size, beside its baseline.
struct Chart {
  let title: String
  let unit: CostUnit
  let series: [Series]

  /// One line of the chart, in ascending order of size.
  struct Series {
    let name: String
    let points: [(size: Int, cost: Double)]
  }

  /// The chart of the medians of `comparisons`, which share a group.
  init(title: String, of comparisons: [Comparison]) {
    self.title = title
    unit = comparisons.first?.unit ?? .nanoseconds
    let sorted = comparisons.sorted { $0.size < $1.size }
    series =
      Self.series(sorted.map { ($0.measured, $0.size) })
      + Self.series(sorted.map { ($0.baseline, $0.size) })
  }

  /// A name for the chart's file, such as `Relays-send.svg`.
  var fileName: String {
    let name = title.map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    return String(name) + ".svg"
  }

  /// The distinct sizes, ascending.
  var sizes: [Int] { Set(series.flatMap { $0.points.map(\.size) }).sorted() }

  /// A standalone picture: lines over sizes, or bars if there is only one size.
  var svg: String {
    var canvas = Canvas(width: 720, height: sizes.count > 1 ? 440 : 84 + 56 * series.count)
    canvas.text(title, x: 24, y: 34, size: 18, weight: 600)
    if sizes.count > 1 { drawLines(on: &canvas) } else { drawBars(on: &canvas) }
    return canvas.svg
  }

  private static func series(_ costs: [(cost: Comparison.Cost, size: Int)]) -> [Series] {
    var names: [String] = []
    for (cost, _) in costs where !names.contains(cost.name) { names.append(cost.name) }
    return names.map { name in
      Series(
        name: name,
        points: costs.filter { $0.cost.name == name }.map { ($0.size, $0.cost.median) })
    }
  }
}
