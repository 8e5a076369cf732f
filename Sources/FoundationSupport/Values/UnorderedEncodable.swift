/// A collection that encodes its elements in no fixed order.
protocol UnorderedEncodable {
  func encodeInOrder(to encoder: StableEncoder) throws
}

extension Set: UnorderedEncodable where Element: Encodable {
  func encodeInOrder(to encoder: StableEncoder) throws {
    var container = encoder.unkeyedContainer()
    for element in try sorted(by: { $0 }) { try container.encode(element) }
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
    var container = encoder.unkeyedContainer()
    for (key, value) in try sorted(by: \.key) {
      try container.encode(key)
      try container.encode(value)
    }
  }
}

extension Collection {
  /// Returns the elements in the order of the JSON of a part of them.
  fileprivate func sorted(by part: (Element) -> some Encodable) throws -> [Element] {
    try map { (text: Array(try JSONText.encoded(part($0)).utf8), element: $0) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
      .map(\.element)
  }
}
