import Foundation

/// A table whose columns are wide enough from the start, so that rows print as they come.
struct ResultTable {
  private let titleWidth: Int
  private let baselineWidth: Int

  /// A table for the results of `benchmarks`.
  init(_ benchmarks: [Benchmark]) {
    titleWidth = Self.width(of: benchmarks.map(\.title.description), heading: "benchmark")
    baselineWidth = Self.width(of: benchmarks.map(\.baseline.name), heading: "baseline")
  }

  var heading: String {
    line(["benchmark", "median", "min", "baseline", "median", "min", "ratio", "samples", ""])
  }

  /// The line for one result, which ends with the aims that were missed.
  func row(_ comparison: Comparison) -> String {
    let text = comparison.unit.text(for:)
    return line([
      comparison.title.description,
      text(comparison.measured.median), text(comparison.measured.minimum),
      comparison.baseline.name,
      text(comparison.baseline.median), text(comparison.baseline.minimum),
      Self.text(ofRatio: comparison.ratio),
      "\(comparison.samples)", missedAims(comparison),
    ])
  }

  /// A ratio with as many digits as it takes to tell it from nothing.
  static func text(ofRatio ratio: Double) -> String {
    switch ratio {
    case ..<0.0995: String(format: "%.4f", ratio)
    case ..<9.995: String(format: "%.2f", ratio)
    default: String(format: "%.1f", ratio)
    }
  }

  private func missedAims(_ comparison: Comparison) -> String {
    var aims: [String] = []
    if comparison.missesAim, let aim = comparison.aim { aims.append("over \(aim)") }
    if comparison.missesAbsoluteAim, let aim = comparison.absoluteAim {
      aims.append("over \(comparison.unit.text(for: aim))")
    }
    return aims.joined(separator: ", ")
  }

  private func line(_ cells: [String]) -> String {
    let cost = CostUnit.widestText
    let widths = [titleWidth, cost, cost, baselineWidth, cost, cost, 7, 7, 0]
    let padded = zip(cells, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      let isText = column == 0 || column == 3 || column == 8
      return isText ? cell.0 + padding : padding + cell.0
    }
    let line = padded.joined(separator: "  ")
    return String(line.reversed().drop(while: \.isWhitespace).reversed()) + "\n"
  }

  private static func width(of texts: [String], heading: String) -> Int {
    texts.map(\.count).reduce(heading.count, max)
  }
}
