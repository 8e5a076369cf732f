internal import Locking

// A literal in a schema becomes an `Int` or a `Double` before the compiler knows the type of its
// attribute: the attributes are a parameter pack, whose types are inferred last. So there is a
// function for each of these two types.

extension Attribute {
  /// Returns the attribute of a number whose default is written as a whole number.
  ///
  ///     .attribute("rating", \.rating, default: 3)  // of type Float, Int64, UInt8, Decimal …
  ///
  /// - Precondition: the default is a number of the attribute's type.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Int,
    renamedFrom formerNames: String...
  ) -> Attribute where Value: Storable & Numeric {
    Attribute(name, path, default: number(value, of: name), renamedFrom: formerNames)
  }

  /// Returns the attribute of an optional number whose default is written as a whole number.
  ///
  /// - Precondition: the default is a number of the attribute's type.
  @_disfavoredOverload
  public static func attribute<Number: Storable & Numeric>(
    _ name: String, _ path: KeyPath<Root, Number?>, default value: Int,
    renamedFrom formerNames: String...
  ) -> Attribute where Value == Number? {
    Attribute(
      name, path, default: number(value, of: name) as Number, renamedFrom: formerNames)
  }

  /// Returns the attribute of a number with a fraction whose default is written as one.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double,
    renamedFrom formerNames: String...
  ) -> Attribute where Value: Storable & BinaryFloatingPoint {
    Attribute(name, path, default: Value(value), renamedFrom: formerNames)
  }

  /// Returns the attribute of an optional number with a fraction whose default is written as one.
  @_disfavoredOverload
  public static func attribute<Number: Storable & BinaryFloatingPoint>(
    _ name: String, _ path: KeyPath<Root, Number?>, default value: Double,
    renamedFrom formerNames: String...
  ) -> Attribute where Value == Number? {
    Attribute(name, path, default: Number(value), renamedFrom: formerNames)
  }

  private static func number<Number: Numeric>(_ value: Int, of name: String) -> Number {
    guard let number = Number(exactly: value) else {
      mistake(
        "The default of \(Root.entityName).\(name) is \(value), which is no \(Number.self)")
    }
    return number
  }
}
