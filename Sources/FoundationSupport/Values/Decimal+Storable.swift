public import EntityStore
public import Foundation

/// A decimal number is stored without loss, as text whose order is the numbers'.
///
///     12.5   p501125 12.5
///     10     p5011 10
///     9      p5009 9
///     0      o 0
///     -9     n4990~ -9
///     -12.5  n498874~ -12.5
///
/// The number stands behind the space, where other tools find it:
/// `CAST(substr(price, instr(price, ' ') + 1) AS REAL)`. Before it stand the sign, 500 more than the
/// power of ten, and the digits; those of a negative number are nine less each, and end with `~`.
/// There is one text for each number, so 1.0 and 1.00 are equal; any other text is refused.
extension Decimal: Storable {
  /// Text.
  public static var storedType: StoredType { .text }

  /// The text.
  ///
  /// NaN has the stored form that it has among `Double`s, which no storage takes: a commit throws
  /// `StoreError.notANumber`, and a condition stops the program.
  public var storedValue: StoredValue {
    isNaN ? .real(.nan) : .text(DecimalText(self).text)
  }

  /// The number.
  public init(storedValue: StoredValue) throws {
    guard case .text(let text) = storedValue, let value = DecimalText(text)?.value,
      value.storedValue == storedValue
    else { throw StoredValueError(storedValue, type: Decimal.self) }
    self = value
  }
}
