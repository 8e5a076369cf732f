internal import Foundation

/// An encoder that passes everything to another one, with sets and dictionaries in a fixed order.
///
/// A `Set` returns its elements in an order that differs from set to set. So does a dictionary
/// whose keys are encoded as values. Here they are in the order of their JSON. So equal values have
/// equal texts, however deep they are nested in another value. Texts in them are compared by their
/// bytes (S8), so two spellings of one character make two texts.
struct StableEncoder: Encoder {
  let base: any Encoder
  let orders: StableOrders

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      StableKeyedContainer(base: base.container(keyedBy: type), orders: orders))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    StableUnkeyedContainer(base: base.unkeyedContainer(), orders: orders)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    StableSingleContainer(base: base.singleValueContainer(), orders: orders)
  }
}

/// Returns true if nothing in a type can come in another order.
///
/// It also returns true for types that the JSON encoder knows and writes in its own way.
func isPlain<Value>(_ type: Value.Type) -> Bool {
  type == String.self || type == Int.self || type == Double.self || type == Bool.self
    || type == Data.self || type == Date.self || type == URL.self || type == Decimal.self
    || type == UUID.self || type == [String].self || type == [Int].self || type == [Double].self
    || type == Float.self || type is any FixedWidthInteger.Type
}

/// Returns the one value that is written for all that are equal to it: 0 for -0.0.
///
/// - Throws: `EncodingError.invalidValue` for a decimal NaN, for which JSON has no number.
private func written<Value: Encodable>(
  _ value: Value, at path: @autoclosure () -> [any CodingKey]
) throws -> Value {
  let zero: (any Encodable)? =
    switch value {
    case let number as Double where number == 0: 0.0
    case let number as Float where number == 0: Float(0)
    case let numbers as [Double] where numbers.contains(0): numbers.map { $0 == 0 ? 0 : $0 }
    case let date as Date where date.timeIntervalSinceReferenceDate == 0:
      Date(timeIntervalSinceReferenceDate: 0)
    case let number as Decimal where number.isNaN:
      throw EncodingError.invalidValue(
        value, .init(codingPath: path(), debugDescription: "A decimal NaN has no JSON."))
    default: nil
    }
  return zero as? Value ?? value
}

/// Returns what another encoder is given for a value.
///
/// - Throws: An error of `written`.
private func stable<Value: Encodable>(
  _ value: Value, _ orders: StableOrders, at path: @autoclosure () -> [any CodingKey]
) throws -> any Encodable {
  if isPlain(Value.self) { return try written(value, at: path()) }
  return StableValue(value: value, orders: orders)
}

// One generic method implements the sixteen requirements of each of the protocols.

private struct StableKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>
  let orders: StableOrders

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }

  // These are the types of most properties, without a detour.
  mutating func encode(_ value: String, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }
  mutating func encode(_ value: Int, forKey key: Key) throws { try base.encode(value, forKey: key) }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try base.encode(value == 0 ? 0 : value, forKey: key)
  }
  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let steady = try stable(value, orders, at: codingPath + [key])
    try base.encode(steady, forKey: key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      StableKeyedContainer<Nested>(
        base: base.nestedContainer(keyedBy: type, forKey: key), orders: orders))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    StableUnkeyedContainer(base: base.nestedUnkeyedContainer(forKey: key), orders: orders)
  }

  mutating func superEncoder() -> any Encoder {
    StableEncoder(base: base.superEncoder(), orders: orders)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    StableEncoder(base: base.superEncoder(forKey: key), orders: orders)
  }
}

private struct StableUnkeyedContainer: UnkeyedEncodingContainer {
  var base: any UnkeyedEncodingContainer
  let orders: StableOrders

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int { base.count }

  mutating func encodeNil() throws { try base.encodeNil() }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    let steady = try stable(value, orders, at: codingPath)
    try base.encode(steady)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      StableKeyedContainer(base: base.nestedContainer(keyedBy: type), orders: orders))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    StableUnkeyedContainer(base: base.nestedUnkeyedContainer(), orders: orders)
  }

  mutating func superEncoder() -> any Encoder {
    StableEncoder(base: base.superEncoder(), orders: orders)
  }
}

private struct StableSingleContainer: SingleValueEncodingContainer {
  var base: any SingleValueEncodingContainer
  let orders: StableOrders

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil() throws { try base.encodeNil() }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    let steady = try stable(value, orders, at: codingPath)
    try base.encode(steady)
  }
}
