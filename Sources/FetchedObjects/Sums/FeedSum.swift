/// The check sum of a range of a list, made of the hashes of its sections and rows.
///
/// Each section comes before its rows. The sum is a polynomial modulo 2^64. For each hash it is
/// `sum = sum * multiplier + hash`, beginning with 0. The sums of two consecutive ranges give the
/// sum of both. So a tree can keep a sum in each node.
struct FeedSum: Sendable, Hashable {
  /// The multiplier; it is Knuth's for the MMIX.
  ///
  /// It is odd, so that nothing is lost. It has the form 8 *k* + 5, so that its powers repeat as
  /// late as possible. See The Art of Computer Programming, volume 2, 3.3.4.
  static let multiplier: UInt64 = 6_364_136_223_846_793_005

  private(set) var value: UInt64 = 0
  /// The multiplier to the power of the number of hashes.
  private(set) var power: UInt64 = 1

  init() {}

  init(of hash: UInt64) {
    value = hash
    power = Self.multiplier
  }

  mutating func append(_ next: FeedSum) {
    value = value &* next.power &+ next.value
    power = power &* next.power
  }
}
