internal import Locking

// A literal in a schema is an `Int` or a `Double` before the compiler knows what it is the default of:
// the attributes are a parameter pack, whose types come last. So there is a form for each of these two.

extension Attribute {
  /// A number whose default is written as a whole number.
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

  /// An optional number whose default is written as a whole number.
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

  /// A number with a fraction whose default is written as one.
  @_disfavoredOverload
  public static func attribute(
    _ name: String, _ path: KeyPath<Root, Value>, default value: Double,
    renamedFrom formerNames: String...
  ) -> Attribute where Value: Storable & BinaryFloatingPoint {
    Attribute(name, path, default: Value(value), renamedFrom: formerNames)
  }

  /// An optional number with a fraction whose default is written as one.
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
