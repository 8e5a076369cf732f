import Foundation

extension Report {
  /// One result as the file spells it, with costs in `unit`.
  struct Record: Codable, Hashable {
    let title: String
    let size: Int
    let unit: String
    let median: Double
    let min: Double
    let samples: Int
    let baseline: String
    let baselineMedian: Double
    let ratio: Double

    /// The highest wanted ratio, the one that is known instead, why, and the highest wanted cost.
    var aim: Double?
    var knownRatio: Double?
    var knownMiss: String?
    var absoluteAim: Double?
  }

  var records: [Record] {
    comparisons.map { comparison in
      Record(
        title: comparison.title.description, size: comparison.size,
        unit: comparison.unit.rawValue, median: comparison.measured.median,
        min: comparison.measured.minimum, samples: comparison.samples,
        baseline: comparison.baseline.name, baselineMedian: comparison.baseline.median,
        ratio: comparison.ratio, aim: comparison.aim,
        knownRatio: comparison.knownMiss?.ratio, knownMiss: comparison.knownMiss?.reason,
        absoluteAim: comparison.absoluteAim)
    }
  }

  /// The results as a JSON array.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(records) + Data("\n".utf8)
  }
}
