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
    guard text.utf8.count <= Self.longest, let line = Self.line(in: text) else { return nil }
    let (place, rows) = (text[..<line], text[line...].dropFirst())
    guard place.utf8.count > Self.sumDigits, let rows = Int32(rows),
      let version = Int64(place.dropLast(Self.sumDigits)),
      let sum = UInt64(place.suffix(Self.sumDigits))
    else { return nil }
    (self.version, self.sum, self.rows) = (version, sum, Int(rows))
  }

  /// Returns true for two whole numbers with a line between, which every offset of the protocol is.
  static func isOffset(_ text: String) -> Bool { text.utf8.count <= 100 && line(in: text) != nil }

  /// Returns the place of the line between two whole numbers, or nil if the text is anything else.
  private static func line(in text: String) -> String.Index? {
    guard let line = text.utf8.firstIndex(of: UInt8(ascii: "_")) else { return nil }
    func isNumber(_ part: Substring.UTF8View) -> Bool {
      !part.isEmpty && part.allSatisfy { 0x30...0x39 ~= $0 }
    }
    let rest = text.utf8[text.utf8.index(after: line)...]
    return isNumber(text.utf8[..<line]) && isNumber(rest) ? line : nil
  }

  /// The version and the check sum as one number.
  var place: String {
    let digits = String(sum)
    return "\(version)" + String(repeating: "0", count: Self.sumDigits - digits.utf8.count) + digits
  }

  var description: String { "\(place)_\(rows)" }

  private static let sumDigits = 20
  private static let longest = 19 + sumDigits + 1 + 10
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
    let bytes = text.utf8
    guard bytes.count == 33 else { return nil }
    let line = bytes.index(bytes.startIndex, offsetBy: 16)
    guard bytes[line] == UInt8(ascii: "-"), let feed = UInt64(hexadecimal: bytes[..<line]),
      let client = UInt64(hexadecimal: bytes[bytes.index(after: line)...])
    else { return nil }
    (self.feed, self.client) = (feed, client)
  }

  var description: String { "\(feed.hexadecimal)-\(client.hexadecimal)" }
}
