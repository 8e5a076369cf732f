public import EntityStore
public import Foundation

extension Attribute {
  /// Returns an attribute for a decimal number with a default that is written with a fraction.
  ///
  /// The default is the value that `Decimal` makes of that number.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double,
    renamedFrom formerNames: String...
  ) -> Attribute where Value == Decimal {
    Attribute(name, path, default: Decimal(floatLiteral: value), formerNames: formerNames)
  }

  /// Returns an attribute for an optional decimal number with a default written with a fraction.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double,
    renamedFrom formerNames: String...
  ) -> Attribute where Value == Decimal? {
    Attribute(name, path, default: Decimal(floatLiteral: value), formerNames: formerNames)
  }
}
