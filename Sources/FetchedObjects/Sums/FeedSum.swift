internal import EntityStore
internal import Locking

/// The check sum of a stretch of a list: of the hashes of its sections and rows, each section before its
/// rows.
///
/// It is a polynomial modulo 2^64: `sum = sum * multiplier + hash` for each, beginning with 0. The sums
/// of two stretches give that of both, so a tree can keep one in each node.
struct FeedSum: Sendable, Hashable {
  /// Odd, so that nothing is lost, and of the form 8 *k* + 5, so that its powers repeat as late as can be;
  /// it is Knuth's for the MMIX (The Art of Computer Programming, volume 2, 3.3.4).
  static let multiplier: UInt64 = 6_364_136_223_846_793_005

  private(set) var value: UInt64 = 0
  /// The multiplier to the power of the number of hashes.
  private(set) var power: UInt64 = 1

  /// The sum of nothing.
  init() {}

  /// The sum of one row or section.
  init(of hash: UInt64) {
    value = hash
    power = Self.multiplier
  }

  /// Adds what comes after it.
  mutating func append(_ next: FeedSum) {
    value = value &* next.power &+ next.value
    power = power &* next.power
  }
}
