public import EntityStore
public import Foundation

extension Attribute {
  /// A decimal number whose default is written with a fraction, and is what `Decimal` makes of it.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double,
    renamedFrom formerNames: String...
  ) -> Attribute where Value == Decimal {
    Attribute(name, path, default: Decimal(floatLiteral: value), formerNames: formerNames)
  }

  /// An optional decimal number whose default is written with a fraction.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double,
    renamedFrom formerNames: String...
  ) -> Attribute where Value == Decimal? {
    Attribute(name, path, default: Decimal(floatLiteral: value), formerNames: formerNames)
  }
}
