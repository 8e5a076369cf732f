internal import Foundation

// Foundation's division cuts the quotient off, and is NaN for some numbers that are small.
extension DecimalText {
  /// The least power of ten that a decimal's digit can have.
  static let leastPower = -128

  /// Returns the quotient by a positive number, rounded to as many digits as a decimal has.
  ///
  /// It is nil if a decimal has no room for it.
  func divided(by divisor: Int) -> Decimal? {
    // A decimal has room for numbers of 39 digits only if they begin with less than 3.4.
    for count in [39, 38] {
      let quotient = divided(by: divisor, digits: count)
      if let value = quotient.value, !value.isNaN, DecimalText(value) == quotient { return value }
    }
    return nil
  }

  /// Returns the quotient, rounded to so many digits; a half is rounded away from 0.
  private func divided(by divisor: Int, digits count: Int) -> DecimalText {
    var quotient: [UInt8] = []
    var (rest, place) = (0, power + 1)
    var coming = digits[...]
    while quotient.count < count && place > Self.leastPower {
      rest = rest * 10 + Int(coming.popFirst() ?? 0)
      place -= 1
      if !quotient.isEmpty || rest >= divisor { quotient.append(UInt8(rest / divisor)) }
      rest %= divisor
    }
    if (rest * 10 + Int(coming.first ?? 0)) / divisor >= 5 { Self.increment(&quotient) }
    // The power of the first digit is known by the place of the last one.
    let first = place + quotient.count - 1
    while quotient.last == 0 { quotient.removeLast() }
    if quotient.isEmpty { return DecimalText(isNegative: false, digits: [], power: 0) }
    return DecimalText(isNegative: isNegative, digits: quotient, power: first)
  }

  private static func increment(_ digits: inout [UInt8]) {
    guard let last = digits.lastIndex(where: { $0 != 9 }) else {
      digits = [1] + digits.map { _ in 0 }
      return
    }
    digits[last] += 1
    for place in (last + 1)..<digits.count { digits[place] = 0 }
  }
}
