internal import FetchedObjects

/// The position of a client in a shape, as the protocol writes it: two whole numbers.
///
/// The first one is the version followed by the 20 digits of the list's check sum. The client of an
/// event stream keeps only this one, so a shape resumes as exactly as a feed does. The second one
/// is the number of rows that the client has of the first answers' rows, or 0 if it has all.
struct ShapeOffset: Equatable, CustomStringConvertible {
  var version: Int64
  var sum: UInt64
  var rows: Int

  init(_ cursor: FeedCursor, rows: Int = 0) {
    version = cursor.version
    sum = cursor.sum
    self.rows = rows
  }

  init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isDigitOrLine) else {
      return nil
    }
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count > Self.sumDigits, let rows = Int32(parts[1]),
      let version = Int64(parts[0].dropLast(Self.sumDigits)),
      let sum = UInt64(parts[0].suffix(Self.sumDigits))
    else { return nil }
    (self.version, self.sum, self.rows) = (version, sum, Int(rows))
  }

  /// Returns true for two whole numbers with a line between, which every offset of the protocol is.
  static func isOffset(_ text: String) -> Bool {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    return text.utf8.count <= 100 && text.utf8.allSatisfy(isDigitOrLine) && parts.count == 2
      && parts.allSatisfy { !$0.isEmpty }
  }

  /// The version and the check sum as one number.
  var place: String {
    let digits = String(sum)
    return "\(version)" + String(repeating: "0", count: Self.sumDigits - digits.utf8.count) + digits
  }

  var description: String { "\(place)_\(rows)" }

  private static let sumDigits = 20
  private static let longest = 19 + sumDigits + 1 + 10

  private static func isDigitOrLine(_ byte: UInt8) -> Bool {
    byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_")
  }
}

/// The handle by which a client and a shape know each other.
///
/// Each client is given its own. A client that has to start again is given another one, and one
/// that was given back is never used again, as the protocol demands.
struct ShapeHandle: Equatable, CustomStringConvertible {
  var feed: UInt64
  var client: UInt64

  /// Makes a handle for a new client.
  init(feed: UInt64) {
    self.feed = feed
    client = .random(in: .min ... .max)
  }

  init?(_ text: String) {
    let parts = text.utf8.count == 33 ? text.split(separator: "-") : []
    guard parts.count == 2, let feed = UInt64(hexadecimal: parts[0]),
      let client = UInt64(hexadecimal: parts[1])
    else { return nil }
    (self.feed, self.client) = (feed, client)
  }

  var description: String { "\(feed.hexadecimal)-\(client.hexadecimal)" }
}
