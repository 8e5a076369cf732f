internal import EntityStore
internal import WebFeeds

extension JSONText {
  /// The most characters of a text that are written.
  private static let characterLimit = 400
  /// The most bytes of a value of bytes that are written: those of a `UUID`.
  private static let byteLimit = 16

  /// Writes a stored value, or the beginning of a long one with its size in bytes.
  ///
  /// Answers would otherwise have all photos and documents that commits have changed.
  mutating func beginning(of stored: StoredValue) {
    switch stored {
    case .bytes(let bytes) where bytes.count > Self.byteLimit:
      object { text in
        text.member("bytes", TextBytes.hexadecimal(Array(bytes.prefix(Self.byteLimit))))
        text.member("size", bytes.count)
      }
    case .text(let whole):
      guard let beginning = whole.beginning(atMost: Self.characterLimit) else {
        return value(stored)
      }
      object { text in
        text.member("text", beginning)
        text.member("size", whole.utf8.count)
      }
    case .list(let parts) where parts.contains(where: Self.isLong):
      array(parts) { $0.beginning(of: $1) }
    default: value(stored, isExact: true)
    }
  }

  private static func isLong(_ stored: StoredValue) -> Bool {
    switch stored {
    case .bytes(let bytes): bytes.count > byteLimit
    case .text(let text): text.beginning(atMost: characterLimit) != nil
    default: false
    }
  }
}

extension String {
  /// Returns the whole characters in the first `limit` scalars, or nil if the text has no more.
  ///
  /// A character can have any number of scalars, so their number is what is limited.
  fileprivate func beginning(atMost limit: Int) -> String? {
    guard
      let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex),
      end != endIndex
    else { return nil }
    // The scalar behind the limit is a character, or the rest of one that is left out.
    var text = String(unicodeScalars[...end])
    text.removeLast()
    return text
  }
}
