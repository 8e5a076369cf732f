public import EntityStore
public import Foundation

extension Attribute {
  /// A decimal number whose default is written with a fraction, and is what `Decimal` makes of it.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double
  ) -> Attribute where Value == Decimal {
    attribute(name, path, default: Decimal(floatLiteral: value))
  }

  /// An optional decimal number whose default is written with a fraction.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double
  ) -> Attribute where Value == Decimal? {
    attribute(name, path, default: Decimal(floatLiteral: value))
  }
}
