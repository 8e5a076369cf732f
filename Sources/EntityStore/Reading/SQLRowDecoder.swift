/// A decoder of the rows of a statement, by the names of their columns.
struct SQLRowDecoder {
  private let places: ColumnPlaces

  init(columns: [String]) { places = ColumnPlaces(columns) }

  func decode<Value: Decodable>(_ type: Value.Type, from row: [StoredValue]) throws -> Value {
    // A type with a stored form is read from the first column, like other single values.
    if let storable = type as? any Storable.Type {
      return try SQLValueDecoder(value: row.first ?? .null, codingPath: []).storable(storable)
    }
    return try Value(from: RowDecoder(places: places, row: row))
  }
}

/// The positions of a statement's columns.
private struct ColumnPlaces {
  /// The positions by name; of columns with one name, the first counts.
  let exact: [String: Int]
  /// The positions of columns whose names no other column has in other letters.
  private let folded: [FoldedName: Int]

  init(_ columns: [String]) {
    exact = Dictionary(zip(columns, columns.indices)) { first, _ in first }
    folded = Dictionary(grouping: columns.indices) { FoldedName(columns[$0]) }
      .compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// Returns the position of the column with a name, or else with that name in other letters.
  ///
  /// SQLite names a column as the table was created. A schema may have other letters today.
  func place(of name: String) -> Int? { exact[name] ?? folded[FoldedName(name)] }
}

/// The decoder of one row.
private struct RowDecoder: Decoder {
  let places: ColumnPlaces
  let row: [StoredValue]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch(
      [StoredValue].self, .init(codingPath: [], debugDescription: "A row of SQL is no list"))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SQLValueDecoder(value: row.first ?? .null, codingPath: [])
  }
}

/// The values of one row by their names.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.places.exact.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { decoder.places.place(of: key.stringValue) != nil }

  private func value(_ key: Key) throws -> SQLValueDecoder {
    guard let place = decoder.places.place(of: key.stringValue) else {
      throw DecodingError.keyNotFound(
        key,
        .init(
          codingPath: [],
          debugDescription: "The statement has no column \(key.stringValue); name one with AS"))
    }
    return SQLValueDecoder(value: decoder.row[place], codingPath: [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { try value(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

/// The decoder of one value.
private struct SQLValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: StoredValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw mismatch([String: StoredValue].self)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw mismatch([StoredValue].self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let storable = type as? any Storable.Type { return try self.storable(storable) }
    return try Value(from: self)
  }

  func storable<Value>(_ type: any Storable.Type) throws -> Value {
    do {
      guard let result = try type.init(storedValue: value) as? Value else { throw mismatch(type) }
      return result
    } catch is StoredValue.Mismatch {
      throw mismatch(type)
    }
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: codingPath,
        debugDescription:
          "The column \(codingPath.last?.stringValue ?? "at the front") has \(value.brief) for "
          + "\(type); if it may be nil, decode an optional"))
  }
}
