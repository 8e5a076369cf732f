/// An exact sum of numbers with a fraction, which is rounded once when it is read.
///
///     var sum = ExactSum()
///     for number in [1e100, 1, -1e100] { sum.add(number) }
///     sum.total  // 1.0
///
/// A tree combines partial sums as it happens to be divided, and the total must not depend on that.
/// So nothing is lost: the sum is a whole number of the least positive `Double`, in digits of 32
/// bits with room for carries. Only the digits between the first and the last that aren't 0 are
/// kept. These are three or four for numbers of similar size.
package struct ExactSum: Sendable, Equatable {
  /// The digits from the one at `start` on, the lowest first.
  ///
  /// A digit may be negative or too large until `normalize()` is called.
  private var digits: ContiguousArray<Int64> = []
  private var start = 0
  /// The sum of the infinite numbers, or 0.
  private var infinite = 0.0

  package init() {}

  package static func == (a: ExactSum, b: ExactSum) -> Bool {
    // Two sums of opposite infinities are equal, though they are NaN.
    (a.infinite == b.infinite || a.infinite.isNaN && b.infinite.isNaN)
      && a.start == b.start && a.digits == b.digits
  }

  /// Adds a number; at most 2^30 may be added before `normalize()`.
  package mutating func add(_ number: Double) {
    guard number.isFinite else { return infinite += number }
    guard number != 0 else { return }
    let isSubnormal = number.exponentBitPattern == 0
    let significand = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    let exponent = Int(number.exponentBitPattern) - (isSubnormal ? 0 : 1)
    let (place, shift) = (exponent / 32, exponent % 32)
    makeRoom(place..<place + 3)
    let low = significand << UInt64(shift)
    let high = shift == 0 ? 0 : significand >> UInt64(64 - shift)
    let sign: Int64 = number < 0 ? -1 : 1
    let first = place - start
    digits[first] += sign * Int64(low & Self.digitMask)
    digits[first + 1] += sign * Int64(low >> 32)
    digits[first + 2] += sign * Int64(high)
  }

  /// Adds another sum, which must be normal; at most 2^30 may be added before `normalize()`.
  package mutating func add(_ other: ExactSum) {
    infinite += other.infinite
    guard !other.digits.isEmpty else { return }
    makeRoom(other.start..<other.start + other.digits.count)
    let first = other.start - start
    for (index, digit) in other.digits.enumerated() { digits[first + index] += digit }
  }

  private mutating func makeRoom(_ places: Range<Int>) {
    if digits.isEmpty { start = places.lowerBound }
    if places.lowerBound < start {
      digits.insert(contentsOf: repeatElement(0, count: start - places.lowerBound), at: 0)
      start = places.lowerBound
    }
    let missing = places.upperBound - start - digits.count
    if missing > 0 { digits.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Gives the sum its normal form, of which there is only one.
  ///
  /// The last digit has the sign, and all others are from 0 to 2^32 - 1. Neither the first nor the
  /// last digit is 0.
  package mutating func normalize() {
    var carry: Int64 = 0
    for index in digits.indices {
      let digit = digits[index] + carry
      carry = digit >> 32
      digits[index] = digit & Int64(Self.digitMask)
    }
    if carry != 0 { digits.append(carry) }
    while digits.last == 0 { digits.removeLast() }
    let zeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(zeros)
    start = digits.isEmpty ? 0 : start + zeros
    // A digit that is only a sign is merged into the digit before.
    while digits.count > 1, digits.last == -1 {
      digits.removeLast()
      digits[digits.count - 1] -= 1 << 32
    }
  }

  private static var digitMask: UInt64 { 0xFFFF_FFFF }
}

extension ExactSum {
  /// The sum, rounded to the nearest number; a tie is rounded to the even one.
  ///
  /// It is infinite if it is too large or if an infinite number was added. It is NaN if infinities
  /// of both signs were added.
  package var total: Double {
    guard infinite == 0 else { return infinite }
    var sum = self
    sum.normalize()
    guard let last = sum.digits.last else { return 0 }
    guard last < 0 else { return sum.magnitude }
    for index in sum.digits.indices { sum.digits[index].negate() }
    sum.normalize()
    return -sum.magnitude
  }

  /// Returns the average of `count` numbers, whose sum this is.
  ///
  /// The sum is rounded, and so is the quotient. The average of finite numbers is finite, also if
  /// their sum is too large.
  package func average(of count: Int) -> Double {
    let sum = total
    guard sum.isInfinite && infinite == 0 else { return sum / Double(count) }
    // No count has more than two digits, so a sum that is smaller by two digits isn't too large.
    var part = self
    part.start -= 2
    return part.total / Double(count) * 0x1p64
  }

  /// The value of a sum that is normal and positive.
  private var magnitude: Double {
    func digit(_ index: Int) -> UInt64 { index < 0 ? 0 : UInt64(digits[index]) }
    let last = digits.count - 1
    let width = 64 - digit(last).leadingZeroBitCount
    // The first 64 bits. Of the bits after them, it only matters whether one is set.
    var bits = digit(last) << UInt64(64 - width) | digit(last - 1) << UInt64(32 - width)
    bits |= digit(last - 2) >> UInt64(width)
    let isCut = digit(last - 2) & (1 << UInt64(width) - 1) != 0
    if isCut || digits.dropLast(3).contains(where: { $0 != 0 }) { bits |= 1 }
    let exponent = 32 * (start + last) + width - 64
    return Double(
      sign: .plus, exponent: exponent + Double.leastNonzeroMagnitude.exponent,
      significand: Double(bits))
  }
}
