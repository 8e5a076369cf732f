internal import Foundation

/// A value that is encoded by a `StableEncoder`.
struct StableValue<Value: Encodable>: Encodable {
  let value: Value
  /// The orders of collections, for an encoder that doesn't know them.
  var orders: StableOrders?

  func encode(to encoder: any Encoder) throws {
    let steady =
      encoder as? StableEncoder ?? StableEncoder(base: encoder, orders: orders ?? StableOrders())
    if isPlain(Value.self) {
      // The value must not encode itself: a decimal would be an object and not a number.
      var container = steady.singleValueContainer()
      try container.encode(value)
    } else if let unordered = value as? any UnorderedEncodable {
      try unordered.encodeInOrder(to: steady)
    } else {
      try value.encode(to: steady)
    }
  }
}
