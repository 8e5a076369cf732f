internal import EntityStore

/// Where a client of a feed is: which feed, which version of the store, and the check sum of its list.
///
///     let cursor = FeedCursor("03a1b2c3d4e5f607-42-8f0e1d2c3b4a5968")
///     cursor?.version  // 42
///
/// It is a text, also in JSON: two numbers of 16 hexadecimal digits with the version between them. A client
/// sends back the one it has; one that has computed the check sum of its list itself can put that in its
/// place, and gets a reset if it is another, unless it is that of the list as it is shown.
public struct FeedCursor: Hashable, Sendable {
  /// The feed.
  public let feed: UInt64
  /// The version of the store that the list was last changed by, or with which its model began.
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
  /// The cursor of a text; nil if it isn't one.
  ///
  /// - Complexity: O(1): a text that is longer than a cursor can be isn't looked at.
  public init?(_ description: String) {
    guard description.utf8.count <= Self.longest else { return nil }
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let feed = UInt64(hexadecimal: parts[0]), let version = Int64(parts[1]),
      let sum = UInt64(hexadecimal: parts[2])
    else { return nil }
    self.init(feed: feed, version: version, sum: sum)
  }

  /// How many bytes the text of a cursor has at most: two numbers of 16 digits, a version of 20, and what is between.
  private static let longest = 16 + 1 + 20 + 1 + 16

  /// The text of the cursor.
  public var description: String { "\(feed.hexadecimal)-\(version)-\(sum.hexadecimal)" }
}

extension FeedCursor: Codable {
  /// Reads the text.
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
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension UInt64 {
  /// The number of 16 hexadecimal digits; nil if they aren't that.
  init?(hexadecimal text: some StringProtocol) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) else {
      return nil
    }
    self.init(text, radix: 16)
  }

  /// 16 hexadecimal digits.
  ///
  /// JSON has no whole numbers of 64 bits that every reader keeps.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
