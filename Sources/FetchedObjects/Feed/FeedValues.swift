public import EntityStore

/// The plain content of a feed's row: the object's attributes by name, and what the query includes of
/// others by the way there.
///
///     page: {"hash": "…", "content": {"id": 1, "model": "Volvo", "owner": 1, "owner.name": "Ann"}}
///     row.content["model"]              // .text("Volvo")
///     try row.content.value(as: Car.self)
///
/// In JSON nil is null, numbers and texts are what they are, the parts of a composite id are an array, and bytes
/// are hexadecimal: `{"bytes": "00ff"}`. Where attributes aren't fit for strangers, or are bytes that mean
/// something else, give ``FetchedObjectsFeed`` content of your own.
public struct FeedValues: Sendable, Hashable {
  /// The stored values by name.
  public let values: [String: StoredValue]

  /// Creates a row's content.
  public init(_ values: [String: StoredValue]) { self.values = values }

  /// What a row of a result has: its attributes, and what the query includes.
  ///
  ///     FetchedObjectsFeed(of: cars, row: FeedValues.init) { page in try JSONEncoder().encode(page) }
  ///
  /// - Precondition: the object is the result's own, not one that it refers to.
  public init<E: Entity>(_ view: EntityView<E>) {
    precondition(
      view.included.isRoot,
      "\(view.included.name) is read through another object, which doesn't have the whole of it; "
        + "make a feed's row of the result's own object")
    self.init(view.result, view.included)
  }

  init(_ row: ResultRow, _ included: InclusionTree) {
    var values: [String: StoredValue] = [:]
    for value in included.namedValues { values[value.name] = row.values?.all[value.place] ?? .null }
    for (column, value) in row.row.values.enumerated() {
      values[row.row.entity.columns[column].name] = value
    }
    self.values = values
  }

  /// The value with a name, or nil if there is none.
  public subscript(name: String) -> StoredValue? { values[name] }

  /// The object, for a client that knows its type.
  ///
  /// - Throws: ``/EntityStore/StoreError/unreadable(_:attribute:found:)`` if a value is missing or is not of its
  ///   attribute's type.
  public func value<E: Entity>(as type: E.Type) throws -> E {
    let entity = E.schema.entity
    return try entity.row(entity.columns.map { values[$0.name] ?? .null }).value(as: type)
  }
}

extension FeedValues: Codable {
  /// Writes the values by their names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values.mapValues(FeedValue.init))
  }

  /// Reads the values.
  ///
  /// A whole number is `.integer`, also of an attribute with a fraction, which takes it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    values = try container.decode([String: FeedValue].self).mapValues(\.stored)
  }
}

/// A stored value on its way.
struct FeedValue: Sendable, Codable {
  let stored: StoredValue

  /// What JSON has no form of is an object.
  private enum Key: String, CodingKey {
    case bytes, real
  }

  init(_ stored: StoredValue) { self.stored = stored }

  func encode(to encoder: any Encoder) throws {
    switch stored {
    case .bytes(let bytes):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(TextBytes.hexadecimal(bytes), forKey: .bytes)
    case .real(let number) where !number.isFinite:
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("\(number)", forKey: .real)
    default:
      var container = encoder.singleValueContainer()
      switch stored {
      case .integer(let number): try container.encode(number)
      case .real(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .list(let parts): try container.encode(parts.map(FeedValue.init))
      case .null, .bytes: try container.encodeNil()
      }
    }
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      stored = try Self.tagged(container)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      stored = .null
    } else if let number = try? container.decode(Int64.self) {
      stored = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      stored = .real(number)
    } else if let parts = try? container.decode([FeedValue].self) {
      stored = .list(parts.map(\.stored))
    } else {
      stored = .text(try container.decode(String.self))
    }
  }

  private static func tagged(_ container: KeyedDecodingContainer<Key>) throws -> StoredValue {
    if let text = try container.decodeIfPresent(String.self, forKey: .real) {
      if let number = Double(text), !number.isNaN { return .real(number) }
      throw DecodingError.dataCorruptedError(
        forKey: .real, in: container, debugDescription: "\"\(text)\" is no number")
    }
    let text = try container.decode(String.self, forKey: .bytes)
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else {
      throw DecodingError.dataCorruptedError(
        forKey: .bytes, in: container,
        debugDescription: "\"\(text)\" is not bytes in hexadecimal digits")
    }
    return .bytes(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
  }
}
