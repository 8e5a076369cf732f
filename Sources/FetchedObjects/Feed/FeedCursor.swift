internal import EntityStore

/// The position of a feed's client: the feed, the version of the store, and the check sum of the
/// client's list.
///
///     let cursor = FeedCursor("03a1b2c3d4e5f607-42-8f0e1d2c3b4a5968")
///     cursor?.version  // 42
///
/// It is a text, also in JSON: two numbers of 16 hexadecimal digits with the version between them.
/// A client sends back the cursor that it has. A client that has computed the check sum of its list
/// can put it into the cursor. If this check sum is a different one, the client gets a reset,
/// unless it is the check sum of the shown list.
public struct FeedCursor: Hashable, Sendable {
  /// The number of the feed.
  public let feed: UInt64
  /// The version of the store that last changed the list, or the version with which the list's
  /// model began.
  public let version: Int64
  /// The check sum of the list.
  public let sum: UInt64

  /// Creates a cursor from its parts.
  public init(feed: UInt64, version: Int64, sum: UInt64) {
    self.feed = feed
    self.version = version
    self.sum = sum
  }
}

extension FeedCursor: LosslessStringConvertible {
  /// Creates a cursor from its text, or returns nil if the text isn't a cursor.
  ///
  /// - Complexity: O(1). A text that is longer than any cursor isn't read.
  public init?(_ description: String) {
    guard description.utf8.count <= Self.longest else { return nil }
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let feed = UInt64(hexadecimal: parts[0].utf8),
      let version = Int64(parts[1]), let sum = UInt64(hexadecimal: parts[2].utf8)
    else { return nil }
    // `Int64` also reads a sign and leading zeros. A version has one text.
    guard "\(version)".utf8.elementsEqual(parts[1].utf8) else { return nil }
    self.init(feed: feed, version: version, sum: sum)
  }

  /// The maximum number of bytes in a cursor's text: two numbers of 16 digits, a version of 20, and
  /// the hyphens between.
  private static let longest = 16 + 1 + 20 + 1 + 16

  /// The text of the cursor.
  public var description: String { "\(feed.hexadecimal)-\(version)-\(sum.hexadecimal)" }
}

extension FeedCursor: Codable {
  /// Reads the text.
  ///
  /// - Throws: `DecodingError` if there is no text or if it isn't a cursor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let cursor = FeedCursor(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(StoredValue.text(text).brief) is no cursor of a feed")
    }
    self = cursor
  }

  /// Writes the text.
  ///
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension UInt64 {
  /// Creates a number from 16 hexadecimal digits, or returns nil if the text is something else.
  package init?(hexadecimal digits: Substring.UTF8View) {
    guard digits.count == 16 else { return nil }
    self = 0
    for byte in digits {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte &- 0x30
      // Letters of both cases.
      case 0x41...0x46, 0x61...0x66: digit = (byte | 0x20) &- 0x57
      default: return nil
      }
      self = self << 4 | UInt64(digit)
    }
  }

  /// The number as 16 hexadecimal digits.
  ///
  /// It is a text, because not every JSON reader keeps whole numbers of 64 bits.
  package var hexadecimal: String {
    String(unsafeUninitializedCapacity: 16) { bytes in
      for place in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * place)) & 15
        bytes[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
      }
      return 16
    }
  }
}
