import Foundation

/// A logarithmic range that covers some values, with round ticks.
struct LogAxis {
  let lower: Double
  let upper: Double

  /// The axis from exactly `lower` to `upper`.
  init(from lower: Double, to upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// The axis from the round number below `values` to the one above.
  init(covering values: [Double]) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    let lowest = positive.min() ?? 1
    let highest = positive.max() ?? lowest
    let below = Self.roundNumbers(around: lowest).last { $0 <= lowest * (1 + 1e-9) } ?? lowest
    let above = Self.roundNumbers(around: highest).first { $0 >= highest * (1 - 1e-9) } ?? highest
    lower = below
    upper = above > below * 1.01 ? above : below * 2
  }

  /// Powers of ten if there are three of them, else also twice and five times those.
  var ticks: [Double] {
    let exponents = Int(log10(lower).rounded(.down))...Int(log10(upper).rounded(.up))
    let powers = exponents.map { pow(10, Double($0)) }
    if powers.count(where: contains) >= 3 { return powers.filter(contains) }
    return powers.flatMap { [$0, 2 * $0, 5 * $0] }.filter(contains)
  }

  /// Where a value lies, from 0 at the lower end to 1 at the upper.
  func position(of value: Double) -> Double {
    guard value > lower else { return 0 }
    return min(log10(value / lower) / log10(upper / lower), 1)
  }

  private func contains(_ value: Double) -> Bool {
    value >= lower * (1 - 1e-9) && value <= upper * (1 + 1e-9)
  }

  private static func roundNumbers(around value: Double) -> [Double] {
    let power = pow(10, log10(value).rounded(.down))
    return [0.5, 1, 2, 5, 10, 20].map { $0 * power }
  }
}
