extension Decoder {
  /// Throws a `DecodingError` if there is a value under a key that isn't one of `keys`.
  package func refuseKeys<Key: CodingKey & CaseIterable>(besides keys: Key.Type) throws {
    let container = try container(keyedBy: AnyCodingKey.self)
    let names = keys.allCases.map(\.stringValue)
    for key in container.allKeys where !names.contains(key.stringValue) {
      // The key may be any text, and the message is for a log.
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription:
          "There is no part \"\(oneLine(key.stringValue, atMost: 100))\"; the parts are \(names.joined(separator: ", "))"
      )
    }
  }
}

/// A key with any name.
private struct AnyCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}
