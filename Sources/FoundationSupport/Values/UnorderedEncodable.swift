/// A collection that encodes its elements in no fixed order.
protocol UnorderedEncodable {
  func encodeInOrder(to encoder: StableEncoder) throws
}

extension Set: UnorderedEncodable where Element: Encodable {
  func encodeInOrder(to encoder: StableEncoder) throws {
    let parts = try encoder.orders.order(of: self, by: { $0 }, find: { contains($0) ? $0 : nil })
    var container = encoder.unkeyedContainer()
    for part in parts {
      encoder.orders.expect(part.orders)
      try container.encode(part.element)
    }
  }
}

extension Dictionary: UnorderedEncodable where Key: Encodable, Value: Encodable {
  func encodeInOrder(to encoder: StableEncoder) throws {
    // These keys become those of a JSON object, which the JSON encoder sorts.
    if Key.self == String.self || Key.self == Int.self
      || Key.self is any CodingKeyRepresentable.Type
    {
      return try encode(to: encoder)
    }
    let parts = try encoder.orders.order(
      of: self, by: \.key, find: { key in index(forKey: key).map { (key, self[$0].value) } })
    var container = encoder.unkeyedContainer()
    for part in parts {
      encoder.orders.expect(part.orders)
      try container.encode(part.element.key)
      try container.encode(part.element.value)
    }
  }
}
