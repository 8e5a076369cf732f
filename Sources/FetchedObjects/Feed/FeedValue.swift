package import EntityStore

/// A stored value in its encoded form.
struct FeedValue: Sendable, Codable {
  let stored: StoredValue

  /// The keys of values that have no form in JSON.
  ///
  /// These are written as objects.
  private enum Key: String, CodingKey {
    case bytes, real
  }

  init(_ stored: StoredValue) { self.stored = stored }

  func encode(to encoder: any Encoder) throws {
    switch stored {
    case .bytes(let bytes):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(TextBytes.hexadecimal(bytes), forKey: .bytes)
    case .real(let number) where !number.isFinite || number.isNegativeZero:
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("\(number)", forKey: .real)
    default:
      var container = encoder.singleValueContainer()
      switch stored {
      case .integer(let number): try container.encode(number)
      case .real(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .list(let parts): try container.encode(parts.map(Part.init))
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
      // No number has more characters.
      if text.utf8.count <= 32, let number = Double(text), !number.isNaN { return .real(number) }
      throw DecodingError.dataCorruptedError(
        forKey: .real, in: container,
        debugDescription: "\(StoredValue.text(text).brief) is no number")
    }
    let text = try container.decode(String.self, forKey: .bytes)
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else {
      throw DecodingError.dataCorruptedError(
        forKey: .bytes, in: container,
        debugDescription: "\(StoredValue.text(text).brief) is not bytes in hexadecimal digits")
    }
    // With its type written out, the compiler checks the closure in a hundredth of the time.
    let bytes = stride(from: 0, to: digits.count, by: 2).map { (place: Int) -> UInt8 in
      UInt8(digits[place] * 16 + digits[place + 1])
    }
    return .bytes(bytes)
  }

  /// A part of a composite id, whose type can't be written beside it.
  private struct Part: Encodable {
    let value: FeedValue

    init(_ stored: StoredValue) { value = FeedValue(stored) }

    func encode(to encoder: any Encoder) throws {
      guard value.stored.looksWhole, case .real(let number) = value.stored else {
        return try value.encode(to: encoder)
      }
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("\(number)", forKey: .real)
    }
  }
}

extension Double {
  /// True for a negative zero, whose sign would be lost in a whole number.
  package var isNegativeZero: Bool { self == 0 && sign == .minus }
}

extension StoredValue {
  /// True if the written number reads as a whole number, although its type has a fraction.
  ///
  /// Then the type is written beside it.
  package var looksWhole: Bool {
    guard case .real(let number) = self else { return false }
    return Int64(exactly: number) != nil && !number.isNegativeZero
  }

  /// The value as a number with a fraction, if it was written as a whole number.
  var asReal: StoredValue {
    if case .integer(let number) = self { return .real(Double(number)) }
    return self
  }
}
