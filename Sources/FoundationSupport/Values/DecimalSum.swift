internal import Foundation

/// An exact sum of decimal numbers.
///
///     var sum = DecimalSum()
///     for number in numbers { sum.add(number) }
///     sum.total  // nil if it has too many digits
///
/// The sum of a part of the numbers may have more digits than a `Decimal`, though the total hasn't.
/// So the digits of each power of ten are added up, and nothing is carried until the total is read.
struct DecimalSum {
  /// The sum of the digits of each power of ten, the least power first.
  ///
  /// A digit of a decimal has a power from -128 to 165. The others are for what is carried.
  private var places = [Int](repeating: 0, count: 320)

  /// Adds a number, which isn't NaN.
  mutating func add(_ number: Decimal) {
    let text = DecimalText(number)
    let first = text.power - DecimalText.leastPower
    for (index, digit) in text.digits.enumerated() {
      places[first - index] += text.isNegative ? -Int(digit) : Int(digit)
    }
  }

  /// The sum, or nil if no `Decimal` is equal to it.
  var total: Decimal? {
    if let digits = Self.carried(places) { return Self.decimal(digits, isNegative: false) }
    return Self.carried(places.map { -$0 }).flatMap { Self.decimal($0, isNegative: true) }
  }

  /// Returns the digits from 0 to 9 that make the same number, or nil if it is negative.
  private static func carried(_ places: [Int]) -> [UInt8]? {
    var carry = 0
    var digits: [UInt8] = []
    for place in places {
      let sum = place + carry
      let digit = (sum % 10 + 10) % 10
      carry = (sum - digit) / 10
      digits.append(UInt8(digit))
    }
    return carry < 0 ? nil : digits
  }

  private static func decimal(_ digits: [UInt8], isNegative: Bool) -> Decimal? {
    guard let last = digits.firstIndex(where: { $0 != 0 }),
      let first = digits.lastIndex(where: { $0 != 0 })
    else { return 0 }
    let text = DecimalText(
      isNegative: isNegative, digits: digits[last...first].reversed(),
      power: first + DecimalText.leastPower)
    // Foundation leaves out digits for which a number has no room.
    guard let total = text.value, !total.isNaN, DecimalText(total) == text else { return nil }
    return total
  }
}
