internal import Foundation

/// A decimal number as text whose order, byte by byte, is the order of the numbers.
///
/// A number is 0, or it consists of a sign, digits and a power of ten. The digits have no zeros at
/// either end, and the first one is before the point: 12.5 is + 1.25 × 10¹. The key of a number
/// consists of these parts:
///
/// 1. the sign: `n`, `o` for 0, or `p`;
/// 2. the power plus 500, in three digits; for a negative number the nines' complement of that;
/// 3. the digits; for a negative number their nines' complements and a `~`, so that fewer digits
///    come later.
///
/// A space follows the key, because it is less than any digit. The number as people write it comes
/// last.
struct DecimalText: Equatable {
  let isNegative: Bool
  /// The digits as numbers, none for 0.
  let digits: [UInt8]
  /// The power of ten of the first digit.
  let power: Int

  /// A number that is more than any power of ten that a decimal has.
  private static let bias = 500
  /// The largest power of ten that a decimal's last digit can have.
  private static let largestExponent = 127

  init(isNegative: Bool, digits: [UInt8], power: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.power = power
  }

  /// Creates the parts of a number, which isn't NaN.
  init(_ value: Decimal) {
    var digits = Self.digits(of: value.significand)
    guard let last = digits.lastIndex(where: { $0 != 0 }) else {
      (isNegative, self.digits, power) = (false, [], 0)
      return
    }
    power = value.exponent + digits.count - 1
    digits.removeSubrange((last + 1)...)
    self.digits = digits
    isNegative = value.sign == .minus
  }

  private static func digits(of number: Decimal) -> [UInt8] {
    var small = NSDecimalNumber(decimal: number).uint64Value
    // A description costs ten times as much, and only numbers of more than 19 digits need it.
    guard Decimal(small) == number else { return number.description.utf8.map { $0 - zero } }
    var digits: [UInt8] = []
    while small > 0 {
      digits.append(UInt8(small % 10))
      small /= 10
    }
    return digits.reversed()
  }

  /// Creates the parts from a key, or nil if the text doesn't begin with a key.
  init?(_ text: String) {
    var rest = Substring(text).utf8
    let sign = rest.popFirst()
    if sign == UInt8(ascii: "o") {
      (isNegative, digits, power) = (false, [], 0)
      return
    }
    guard sign == UInt8(ascii: "n") || sign == UInt8(ascii: "p"),
      let end = rest.firstIndex(of: UInt8(ascii: sign == UInt8(ascii: "n") ? "~" : " "))
    else { return nil }
    let isNegative = sign == UInt8(ascii: "n")
    let numbers = rest[..<end].map { isNegative ? Self.nine &- $0 : $0 &- Self.zero }
    // A decimal has up to 39 digits.
    guard (4...42).contains(numbers.count), numbers.allSatisfy({ $0 <= 9 }) else { return nil }
    self.isNegative = isNegative
    digits = Array(numbers[3...])
    power = numbers[..<3].reduce(0) { $0 * 10 + Int($1) } - Self.bias
  }

  /// The number, or nil if a decimal can't represent it.
  var value: Decimal? {
    var digits = digits
    if digits.isEmpty { return 0 }
    var exponent = power - digits.count + 1
    // The zeros at the end are needed if the power of the last digit would be too large.
    while exponent > Self.largestExponent && digits.count < 39 {
      digits.append(0)
      exponent -= 1
    }
    let number = String(decoding: digits.map { $0 + Self.zero }, as: UTF8.self)
    return Decimal(string: "\(isNegative ? "-" : "")\(number)e\(exponent)")
  }

  /// The key, a space and the number.
  var text: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * digits.count + 32)
    appendKey(to: &text)
    text.append(UInt8(ascii: " "))
    appendNumber(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private func appendKey(to text: inout [UInt8]) {
    guard !digits.isEmpty else { return text.append(UInt8(ascii: "o")) }
    let biased = power + Self.bias
    let places = [UInt8(biased / 100), UInt8(biased / 10 % 10), UInt8(biased % 10)]
    if isNegative {
      text.append(UInt8(ascii: "n"))
      for digit in places { text.append(Self.nine - digit) }
      for digit in digits { text.append(Self.nine - digit) }
      text.append(UInt8(ascii: "~"))
    } else {
      text.append(UInt8(ascii: "p"))
      for digit in places { text.append(Self.zero + digit) }
      for digit in digits { text.append(Self.zero + digit) }
    }
  }

  /// Appends the number as people write it.
  ///
  /// It has an exponent if it would need more than 21 digits before the point or 5 zeros after it.
  private func appendNumber(to text: inout [UInt8]) {
    guard !digits.isEmpty else { return text.append(Self.zero) }
    if isNegative { text.append(UInt8(ascii: "-")) }
    if -6 <= power && power < 0 {
      text += [Self.zero, UInt8(ascii: ".")]
      for _ in power + 1..<0 { text.append(Self.zero) }
      for digit in digits { text.append(Self.zero + digit) }
      return
    }
    let isPlain = 0 <= power && power <= 20
    let whole = isPlain ? power + 1 : 1
    for place in 0..<max(whole, digits.count) {
      if place == whole { text.append(UInt8(ascii: ".")) }
      text.append(Self.zero + (place < digits.count ? digits[place] : 0))
    }
    if !isPlain { text += "e\(power)".utf8 }
  }

  private static let zero = UInt8(ascii: "0")
  private static let nine = UInt8(ascii: "9")
}
