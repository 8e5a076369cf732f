import Foundation

/// How often a random test goes round: so often, times the factor in `SIGNALBOX_ROUNDS`, which is a tenth where
/// nobody sets it; at least once.
///
///     for _ in 0..<rounds(20) { … }  // 2, and with SIGNALBOX_ROUNDS=30 600
public func rounds(_ usual: Int) -> Int { max(1, Int((Double(usual) * factor).rounded(.up))) }

/// The seeds of a random test, as many as `rounds` says, from the one that `SIGNALBOX_SEED` says on.
///
///     for seed in seeds(20) { … }  // 0 to 19, and with SIGNALBOX_SEED=1000 from 1000 to 1019
///
/// - Parameters:
///   - usual: How many there are where no variable says otherwise.
///   - part: Which it is of the parts of a test that run beside each other, each with so many.
/// - Returns: the seeds, no two parts' the same.
public func seeds(_ usual: Int, part: Int = 0) -> Range<Int> {
  let count = rounds(usual)
  let start = first + part * count
  tried(count, "random rounds")
  return start..<start + count
}

private let usualFactor = 0.1
private let factor = setting("SIGNALBOX_ROUNDS", usualFactor)

/// Whether the environment asks for the usual rounds or for more of them.
let asksForMore =
  ProcessInfo.processInfo.environment["SIGNALBOX_ROUNDS"] != nil && factor >= usualFactor
private let first = setting("SIGNALBOX_SEED", 0)
/// The number that `SIGNALBOX_SEED` says, for tests that have one run.
let firstSeed = UInt64(truncatingIfNeeded: first)

/// What a variable of the environment says, and otherwise the usual.
private func setting<Number: LosslessStringConvertible & Comparable & Numeric>(
  _ name: String, _ usual: Number
) -> Number {
  guard let text = ProcessInfo.processInfo.environment[name] else { return usual }
  guard let number = Number(text), number >= 0 else {
    preconditionFailure("\(name) is to be a number that is not below 0, and says \(text)")
  }
  return number
}
