public import EntityStore
public import Foundation

/// A decimal number is stored without loss, as text in the order of the numbers.
///
///     12.5   p501125 12.5
///     10     p5011 10
///     9      p5009 9
///     0      o 0
///     -9     n4990~ -9
///     -12.5  n498874~ -12.5
///
/// The number itself follows the space, where other tools find it: `CAST(substr(price, instr(price,
/// ' ') + 1) AS REAL)`. Before the space are the sign, the power of ten plus 500, and the digits.
/// In a negative number, each digit is subtracted from 9, and a `~` follows the digits. Each number
/// has exactly one text, so 1.0 and 1.00 are equal. Any other text is refused.
extension Decimal: Storable {
  /// The stored type: text.
  public static var storedType: StoredType { .text }

  /// The text.
  ///
  /// NaN has the same stored form as the NaN of a `Double`, which no storage takes: a commit throws
  /// `StoreError.notANumber`, and a condition traps.
  public var storedValue: StoredValue {
    isNaN ? .real(.nan) : .text(DecimalText(self).text)
  }

  /// Creates the number from its text.
  ///
  /// - Throws: `StoredValue.Mismatch` if the stored form isn't the text of a number.
  public init(storedValue: StoredValue) throws {
    guard case .text(let text) = storedValue, let value = DecimalText(text)?.value,
      value.storedValue == storedValue
    else { throw StoredValue.Mismatch(storedValue, type: Decimal.self) }
    self = value
  }
}
