import Foundation

extension RunDifference {
  /// The lines for a reader: what is slower, what is faster, what can't be compared, and how many.
  var text: String {
    var lines: [String] = []
    for verdict in [RecordChange.Verdict.slower, .faster] {
      lines += changes(verdict).map(Self.line)
    }
    lines += changes(.incomparable).map { "incomparable  \($0.new.title)" }
    lines += added.map { "added         \($0)" }
    lines += removed.map { "removed       \($0)" }
    lines.append(summary)
    return lines.map { $0 + "\n" }.joined()
  }

  private var summary: String {
    let parts = RecordChange.Verdict.allCases.map { verdict in
      "\(changes(verdict).count) \(verdict.rawValue)"
    }
    return "\(changes.count) in both: " + parts.joined(separator: ", ")
      + "; \(added.count) added, \(removed.count) removed"
  }

  private static func line(_ change: RecordChange) -> String {
    let unit = CostUnit(rawValue: change.new.unit)
    func text(_ cost: Double) -> String { unit?.text(for: cost) ?? "\(cost)" }
    let ratios = String(format: "ratio %.2f → %.2f", change.old.ratio, change.new.ratio)
    let factor = String(format: "× %.2f, noise %.2f", change.factor, 1 + change.noise)
    return "\(change.verdict.rawValue)        \(change.new.title)  \(text(change.old.median)) → "
      + "\(text(change.new.median)), \(ratios), \(factor)"
  }
}
