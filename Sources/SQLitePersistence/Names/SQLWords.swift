/// The words of an SQL statement in capitals, and its punctuation, without quotes and comments.
///
/// A quoted text becomes a single `"`, so no name looks like a word of SQL.
struct SQLWords {
  private(set) var words: [String] = []
  /// The position at which each word begins, in UTF-8.
  private(set) var places: [Int] = []

  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    var place = 0
    /// Moves past the next `end`, or to the end of the text.
    func skip(to end: UInt8, doubled: Bool) {
      place += 1
      while place < bytes.count {
        defer { place += 1 }
        guard bytes[place] == end else { continue }
        let isDoubled = doubled && place + 1 < bytes.count && bytes[place + 1] == end
        if !isDoubled { return }
        place += 1
      }
    }
    while place < bytes.count {
      let start = place
      let byte = bytes[place]
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        skip(to: byte, doubled: true)
        words.append("\"")
      case UInt8(ascii: "["):
        skip(to: UInt8(ascii: "]"), doubled: false)
        words.append("\"")
      case UInt8(ascii: "-") where next == byte: skip(to: UInt8(ascii: "\n"), doubled: false)
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        // The first star doesn't end the comment: "/*/" only begins one.
        place += 3
        while place < bytes.count {
          if bytes[place] == UInt8(ascii: "/"), bytes[place - 1] == UInt8(ascii: "*") { break }
          place += 1
        }
        place += 1
      // SQLite treats this as white space where a word could begin.
      case 0xEF where next == 0xBB && place + 2 < bytes.count && bytes[place + 2] == 0xBF:
        place += 3
      case _ where Self.isLetter(byte):
        while place < bytes.count, Self.isLetter(bytes[place]) { place += 1 }
        words.append(String(decoding: bytes[start..<place], as: UTF8.self).uppercased())
      default:
        // Punctuation. White space and control characters are skipped.
        if byte > 0x20, byte != 0x7F { words.append(String(UnicodeScalar(byte))) }
        place += 1
      }
      if places.count < words.count { places.append(start) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Returns true if a word is neither punctuation nor a quoted text.
  static func isWord(_ word: String) -> Bool { word.utf8.first.map(isLetter) ?? false }

  func contains(_ word: String) -> Bool { words.contains(word) }

  func begins(with start: [String]) -> Bool { words.starts(with: start) }

  /// The words after the last closing bracket.
  var tail: ArraySlice<String> {
    words.lastIndex(of: ")").map { words[($0 + 1)...] } ?? []
  }
}
