import Foundation

extension CostUnit {
  /// The widest text that `text(for:)` makes.
  static let widestText = 8

  /// A cost in three digits and whichever step of the unit suits it, such as `1.23 µs`.
  func text(for cost: Double) -> String {
    var amount = cost * (nanoseconds ?? 1)
    var steps = (nanoseconds == nil ? ["B", "kB", "MB", "GB"] : ["ns", "µs", "ms", "s"])[...]
    while abs(amount) >= 999.5, steps.count > 1 {
      amount /= 1000
      steps.removeFirst()
    }
    return "\(Self.threeDigits(amount)) \(steps[steps.startIndex])"
  }

  /// A round cost without the digits it does not need, such as `2 µs`.
  func tickText(for cost: Double) -> String {
    let text = text(for: cost)
    guard let space = text.firstIndex(of: " "), text.contains(".") else { return text }
    var digits = text[..<space]
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return String(digits + text[space...])
  }

  private static func threeDigits(_ amount: Double) -> String {
    switch abs(amount) {
    case ..<9.995: String(format: "%.2f", amount)
    case ..<99.95: String(format: "%.1f", amount)
    default: String(format: "%.0f", amount)
    }
  }
}
